/** Says what the app is and what one may say to it: all of it in an empty conversation and to whoever has just come, later behind a button. A press fills the field and sends nothing. */

import { h, newId } from "./dom.js";
import { languageOf } from "./language.js";
import { language, tell } from "./words.js";
import { userOf, world } from "./world.js";

const MOST = 2;

/**
 * @param {import("./types.js").Channel} there
 * @param {(words: string) => void} write
 * @returns {{node: HTMLElement, show: (isEmpty: boolean, greets: boolean) => void}}
 */
export function suggestions(there, write) {
  const { bot_user_id } = world.overview.app;
  const suggestions = inOwnLanguage(world.overview.app.suggestions);
  const node = h("section", { class: "ideas", hidden: true });
  if (there.is_im || !suggestions.length || !there.members.includes(bot_user_id)) return { node, show: () => {} };
  const [title, body] = [newId("suggestions"), newId("examples")];
  const chosen = (/** @type {string} */ words) => {
    world.greets = false;
    open(false);
    write(`${calling()} ${words}`);
  };
  const one = (/** @type {string} */ words) =>
    h("li", {}, h("button", { type: "button", lang: languageOf(words), onclick: () => chosen(words) }, words));
  const toggle = h("button", { type: "button", class: "button small", "aria-controls": body, onclick: toggled }, tell("Examples"));
  const words = welcoming();
  const welcome = h("p", { class: "welcome", lang: languageOf(words) }, coded(words));
  const inside = h(
    "div",
    { id: body, onkeydown: escaped },
    welcome,
    h("h2", { id: title }, tell("Try one of these demands")),
    h("ul", { "aria-labelledby": title }, suggestions.map(one)),
  );
  node.setAttribute("aria-label", tell("What to say"));
  node.append(inside, toggle);
  let isEmpty = true;
  let isGreeting = false;

  function toggled() {
    world.greets = isGreeting = false;
    open(inside.hidden);
  }

  /** @param {boolean} wanted */
  function open(wanted) {
    inside.hidden = !wanted && !isEmpty;
    toggle.setAttribute("aria-expanded", String(!inside.hidden));
  }

  /** @param {KeyboardEvent} event */
  function escaped(event) {
    if (event.key !== "Escape" || isEmpty) return;
    event.stopPropagation();
    world.greets = false;
    open(false);
    toggle.focus();
  }

  /** @param {boolean} empty was nothing said here yet? @param {boolean} greets has somebody just come? */
  function show(empty, greets) {
    const changed = node.hidden || empty !== isEmpty || greets !== isGreeting;
    isEmpty = empty;
    isGreeting = greets;
    node.hidden = false;
    toggle.hidden = empty;
    welcome.hidden = !(empty || greets) || !words;
    if (changed) open(empty || greets);
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

/** What the app is, in the language of the browser. */
function welcoming() {
  const { welcome } = world.overview.app;
  return welcome[language] ?? welcome.en ?? "";
}

/** Two are enough to see what one may say; where none is in the reader's language, of all. @param {string[]} all */
function inOwnLanguage(all) {
  const own = all.filter((one) => languageOf(one) === language);
  return (own.length ? own : all).slice(0, MOST);
}
