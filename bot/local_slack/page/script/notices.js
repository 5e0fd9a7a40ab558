/** Shows errors, and announces new messages to screen readers. */

import { h } from "./dom.js";
import { Refused } from "./api.js";
import { tell } from "./words.js";

const LONG = 10_000; // milliseconds

/** @param {string} sentence */
export function notice(sentence) {
  const close = h("button", { type: "button", class: "plain", "aria-label": tell("Dismiss") }, "×");
  const node = h("div", { class: "notice" }, h("span", {}, sentence), close);
  const gone = () => node.remove();
  close.addEventListener("click", gone);
  window.setTimeout(gone, LONG);
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const region = /** @type {HTMLElement} */ (document.getElementById("notices"));
  // What is below an open dialog can be neither used nor heard.
  (open ?? document.body).append(region);
  region.append(node);
}

/**
 * Do it; whatever the workspace refuses is shown.
 *
 * @template T
 * @param {() => Promise<T>} action
 * @param {HTMLElement | null} [button] busy meanwhile
 * @returns {Promise<T | null>} null where it was refused
 */
export async function attempt(action, button = null) {
  button?.setAttribute("aria-busy", "true");
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    notice(error.message);
    return null;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

/** @param {string} sentence */
export function say(sentence) {
  const news = /** @type {HTMLElement} */ (document.getElementById("news"));
  news.replaceChildren(h("p", {}, sentence));
}
