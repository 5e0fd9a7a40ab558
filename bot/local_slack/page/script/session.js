/** How a thread stands in which the app is at work, for how long, and Slack's own button to stop it. */

import { perform } from "./actions.js";
import { fill, h } from "./dom.js";
import { attempt } from "./notices.js";
import { now } from "./times.js";
import { tell } from "./words.js";
import { world } from "./world.js";

/** @type {Record<string, (name: string) => string>} */
const WORDS = {
  active: (name) => tell("{name} listens", { name }),
  processing: (name) => tell("{name} is at work", { name }),
  suspended: () => tell("Needs attention: people are waited for"),
  closed: (name) => tell("{name} has finished", { name }),
};
const TICK = 1000; // milliseconds

/**
 * @param {string} channel
 * @param {string} thread
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function sessionBar(channel, thread) {
  const said = h("span", { role: "status" });
  const elapsed = h("span", { class: "elapsed", role: "timer", "aria-label": tell("for") });
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
  const button = h("button", { type: "button", class: "button", "data-key": "stop" }, tell("Stop"));
  button.addEventListener("click", () => attempt(() => perform("stop", { channel, thread_ts: thread }), button));
  return button;
}

/** @param {number} seconds */
function lasting(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours) return tell("{hours} h {minutes} min", { hours, minutes });
  const rest = whole % 60;
  return minutes ? tell("{minutes} min {seconds} s", { minutes, seconds: rest }) : tell("{seconds} s", { seconds: rest });
}
