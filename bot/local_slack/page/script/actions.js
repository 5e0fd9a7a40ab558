/** A person's actions besides writing: buttons, choices, commands and shortcuts. */

import { act, look as ask, join, Refused } from "./api.js";
import { attempt, notice } from "./notices.js";
import { question } from "./question.js";
import { go, HOME } from "./route.js";
import { tell } from "./words.js";
import { direct, look, world } from "./world.js";

/**
 * @typedef {import("./types.js").Element} Element
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Outcome} Outcome
 */

/** @param {string} name @param {object} [body] @returns {Promise<any>} */
export function perform(name, body = {}) {
  return act(world.route.user ?? "", name, body);
}

/**
 * An element of a message or of a view, after its question was answered.
 *
 * @param {"click" | "act"} action
 * @param {object} where the message or the view
 * @param {import("./types.js").Block} block
 * @param {Element} element
 * @param {any} value
 * @param {HTMLElement | null} node
 * @returns {Promise<Outcome | null>}
 */
export async function use(action, where, block, element, value, node) {
  if (node?.getAttribute("aria-busy")) return null; // once is enough
  if (element.confirm && !(await question(element.confirm))) return null;
  const touch = (/** @type {string} */ block_id) => perform(action, { ...where, block_id, action_id: element.action_id, value });
  const touched = async () => {
    try {
      return await touch(block.block_id);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await look("messages", "thread", "modals", "home");
      const now = standing(where, block, element);
      if (!now) throw new Refused(tell("This has changed just now. Please look at it again."));
      if (now.block_id === block.block_id) throw error;
      return touch(now.block_id);
    }
  };
  return told(await attempt(touched, node));
}

/**
 * An app that writes a message or a view anew gives its blocks other ids, perhaps while somebody is pressing a button.
 *
 * @param {any} where
 * @param {import("./types.js").Block} block
 * @param {Element} element
 * @returns {import("./types.js").Block | undefined} where the same element is by now
 */
function standing({ view_id, channel, ts }, block, element) {
  const [view, message] = [
    [...world.modals, world.home].find((one) => one && one.id === view_id),
    [...(world.messages ?? []), ...(world.thread ?? [])].find((one) => one.ts === ts && one.channel === channel),
  ];
  const all = (view ?? message)?.blocks ?? [];
  const isSame = (/** @type {any} */ one) => one?.action_id === element.action_id && one.value === element.value;
  return (
    all.find((one) => one.block_id === block.block_id) ??
    all.find((one) => [...(one.elements ?? []), one.accessory, one.element].some(isSame))
  );
}

/**
 * What a person sees of how it went.
 *
 * @param {Outcome | null} outcome
 */
export async function told(outcome) {
  if (outcome?.error) notice(outcome.error);
  if (outcome) await look("modals");
  return outcome;
}

/** @param {string} channel @param {string} command @param {string} text */
export async function slash(channel, command, text) {
  return told(await attempt(() => perform("slash", { channel, command, text })));
}

/** @param {string} callback_id @param {Message} [message] */
export async function shortcut(callback_id, message) {
  const about = message ? { channel: message.channel, ts: message.ts } : {};
  return told(await attempt(() => perform("shortcut", { callback_id, ...about })));
}

/** @param {string} callback_id @param {Record<string, string>} inputs */
export async function workflow(callback_id, inputs) {
  return attempt(() => perform("workflow", { callback_id, inputs }));
}

/** The conversation with the app: opened if it was not. */
export async function openDirect() {
  const known = direct() ?? (await attempt(() => perform("dm")));
  if (!known) return;
  await look("channels");
  go(world.route.user, known.id);
}

/** The app hears that its Home or its messages were opened. @param {string} place */
export async function opened(place) {
  await attempt(() => perform("home", { tab: place === HOME ? "home" : "messages" }));
}

/** @param {string} channel */
export async function joined(channel) {
  await attempt(() => join(world.route.user ?? "", channel));
  await look("channels");
}

/** How much is new for somebody else. @param {string} user @returns {Promise<number>} */
export async function newsOf(user) {
  /** @type {import("./types.js").Unread[]} */
  const found = (await attempt(() => ask(user, "unread"))) ?? [];
  return found.reduce((sum, one) => sum + one.count, 0);
}
