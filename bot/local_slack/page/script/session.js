/** How a thread stands in which the app is at work, for how long, and Slack's own button to stop it. */

import { perform } from "./actions.js";
import { fill, h } from "./dom.js";
import { attempt } from "./notices.js";
import { now } from "./times.js";
import { world } from "./world.js";

/** @type {Record<string, (name: string) => string>} */
const WORDS = {
  active: (name) => `${name} listens`,
  processing: (name) => `${name} is at work`,
  suspended: () => "Needs attention: people are waited for",
  closed: (name) => `${name} has finished`,
};
const TICK = 1000; // milliseconds

/**
 * @param {string} channel
 * @param {string} thread
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function sessionBar(channel, thread) {
  const said = h("span", { role: "status" });
  const elapsed = h("span", { class: "elapsed", role: "timer", "aria-label": "for" });
  const place = h("span", { class: "stop" });
  const node = h("div", { class: "session", hidden: true }, h("span", { class: "dot", "aria-hidden": "true" }), said, elapsed, place);
  let drawn = "";
  let timer = 0;

  const session = () => world.sessions.find((one) => one.channel === channel && one.thread_ts === thread);

  function count() {
    const found = session();
    const runs = found?.status === "processing";
    elapsed.textContent = runs ? lasting(now() / 1000 - found.since) : "";
    if (!runs || !node.isConnected) {
      window.clearInterval(timer);
      timer = 0;
    }
  }

  function show() {
    const found = session();
    node.hidden = !found;
    const status = found?.status ?? "";
    if (status !== drawn) {
      drawn = status;
      node.dataset.status = status;
      said.textContent = WORDS[status]?.(world.overview.app.name) ?? "";
      fill(place, status === "processing" && world.overview.app.can_stop && stopButton(channel, thread));
    }
    count();
    if (status === "processing" && !timer) timer = window.setInterval(count, TICK);
  }

  return { node, show };
}

/** @param {string} channel @param {string} thread */
function stopButton(channel, thread) {
  const button = h("button", { type: "button", class: "button", "data-key": "stop" }, "Stop");
  button.addEventListener("click", () => attempt(() => perform("stop", { channel, thread_ts: thread }), button));
  return button;
}

/** @param {number} seconds */
function lasting(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
