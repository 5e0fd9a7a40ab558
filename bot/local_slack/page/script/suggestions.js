/** Says what the app is and what one may say to it: all of it in an empty conversation, later behind a button. A press fills the field and sends nothing. */

import { h, newId } from "./dom.js";
import { languageOf } from "./language.js";
import { me, userOf, world } from "./world.js";

/**
 * @param {import("./types.js").Channel} there
 * @param {(words: string) => void} write
 * @returns {{node: HTMLElement, show: (isEmpty: boolean) => void}}
 */
export function suggestions(there, write) {
  const { bot_user_id, suggestions } = world.overview.app;
  const node = h("section", { class: "ideas", hidden: true });
  if (there.is_im || !suggestions.length || !there.members.includes(bot_user_id)) return { node, show: () => {} };
  const [title, body] = [newId("suggestions"), newId("examples")];
  const chosen = (/** @type {string} */ words) => {
    open(false);
    write(`${calling()} ${words}`);
  };
  const one = (/** @type {string} */ words) =>
    h("li", {}, h("button", { type: "button", lang: languageOf(words), onclick: () => chosen(words) }, words));
  const toggle = h("button", { type: "button", class: "button small", "aria-controls": body, onclick: () => open(inside.hidden) }, "Examples");
  const words = welcoming();
  const welcome = h("p", { class: "welcome", lang: languageOf(words) }, coded(words));
  const inside = h(
    "div",
    { id: body, onkeydown: escaped },
    welcome,
    h("h2", { id: title }, "Try one of these demands"),
    h("ul", { "aria-labelledby": title }, suggestions.map(one)),
  );
  node.setAttribute("aria-label", "What to say");
  node.append(inside, toggle);
  let isEmpty = true;

  /** @param {boolean} wanted */
  function open(wanted) {
    inside.hidden = !wanted && !isEmpty;
    toggle.setAttribute("aria-expanded", String(!inside.hidden));
  }

  /** @param {KeyboardEvent} event */
  function escaped(event) {
    if (event.key !== "Escape" || isEmpty) return;
    event.stopPropagation();
    open(false);
    toggle.focus();
  }

  /** @param {boolean} empty was nothing said here yet? */
  function show(empty) {
    const changed = node.hidden || empty !== isEmpty;
    isEmpty = empty;
    node.hidden = false;
    toggle.hidden = empty;
    welcome.hidden = !empty || !words;
    if (changed) open(empty);
  }

  return { node, show };
}

/**
 * What stands between backticks is code.
 * @param {string} words
 */
function coded(words) {
  return words.split("`").map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

/** How one calls the app. */
export function calling() {
  const { bot_user_id, name } = world.overview.app;
  const called = userOf(bot_user_id)?.name ?? name;
  return `@${called === name.toLowerCase() ? name : called}`;
}

/** What the app is, in the language of whoever looks; without one of theirs, in the browser's. */
function welcoming() {
  const { welcome } = world.overview.app;
  const language = (me()?.locale || navigator.language).split("-")[0];
  return welcome[language] ?? welcome.en ?? "";
}
