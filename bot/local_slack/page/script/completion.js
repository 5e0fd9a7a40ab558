/** Completes commands after a slash and people after an @: arrows choose, Enter or Tab takes, Escape leaves. */

import { fill, h, newId } from "./dom.js";
import { tell } from "./words.js";
import { nameOf, world } from "./world.js";

/** @typedef {{insert: string, label: string, note: string}} Suggestion */

const MOST = 8;

/**
 * @param {HTMLTextAreaElement} text
 * @param {boolean} commands are there commands here?
 * @returns {{node: HTMLElement, takes: (event: KeyboardEvent) => boolean, close: () => void}}
 */
export function completion(text, commands) {
  const id = newId("suggestions");
  const node = h("ul", { id, class: "suggestions", role: "listbox", "aria-label": tell("Suggestions"), hidden: true });
  /** @type {Suggestion[]} */
  let found = [];
  let at = 0;
  let from = 0;

  function look() {
    const typed = text.value.slice(0, text.selectionStart);
    const command = commands && /^\/\S*$/.exec(typed);
    const name = /(?:^|[\s(])@([\p{L}\p{N}_.-]*)$/u.exec(typed);
    found = command ? commandsLike(command[0]) : name ? peopleLike(name[1].toLowerCase()) : [];
    from = command ? 0 : typed.length - (name?.[1].length ?? 0) - 1;
    at = 0;
    draw();
  }

  function draw() {
    node.hidden = !found.length;
    const option = (/** @type {Suggestion} */ one, /** @type {number} */ number) =>
      h(
        "li",
        {
          id: `${id}-${number}`,
          role: "option",
          "aria-selected": number === at ? "true" : "false",
          onpointerdown: (/** @type {Event} */ event) => {
            event.preventDefault();
            take(number);
          },
        },
        h("strong", {}, one.label),
        one.note && h("span", { class: "soft" }, one.note),
      );
    fill(node, found.map(option));
    if (found.length) text.setAttribute("aria-activedescendant", `${id}-${at}`);
    else text.removeAttribute("aria-activedescendant");
  }

  /** @param {number} number */
  function take(number) {
    text.setRangeText(`${found[number].insert} `, from, text.selectionStart, "end");
    close();
    text.dispatchEvent(new Event("input"));
    close();
    text.focus();
  }

  /** @param {KeyboardEvent} event */
  function takes(event) {
    if (!found.length) return false;
    const { key } = event;
    // What is written out already is not chosen, but sent.
    if (key === "Enter" && text.value.slice(from, text.selectionStart) === found[at].insert) return false;
    if (key === "ArrowDown" || key === "ArrowUp") {
      at = (at + (key === "ArrowDown" ? 1 : found.length - 1)) % found.length;
      draw();
    } else if (key === "Escape") close();
    else if ((key === "Enter" && !event.ctrlKey && !event.metaKey) || key === "Tab") take(at);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  function close() {
    found = [];
    draw();
  }

  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", id);
  text.addEventListener("input", look);
  text.addEventListener("blur", close);
  return { node, takes, close };
}

/** @param {string} typed @returns {Suggestion[]} */
function commandsLike(typed) {
  return world.overview.app.commands
    .filter((one) => one.command.startsWith(typed))
    .map((one) => ({ insert: one.command, label: one.command, note: one.usage_hint || one.description }));
}

/** @param {string} typed @returns {Suggestion[]} */
function peopleLike(typed) {
  return world.overview.users
    .filter((user) => !user.deleted && `${user.name} ${nameOf(user.id)}`.toLowerCase().includes(typed))
    .sort((one, other) => Number(other.name === typed) - Number(one.name === typed))
    .slice(0, MOST)
    .map((user) => ({ insert: `@${user.name}`, label: `@${user.name}`, note: nameOf(user.id) }));
}
