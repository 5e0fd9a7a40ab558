/** Suggests messages to the app in an empty conversation; a button fills the field and sends nothing. */

import { h, newId } from "./dom.js";
import { languageOf } from "./language.js";
import { userOf, world } from "./world.js";

/**
 * @param {import("./types.js").Channel} there
 * @param {(words: string) => void} write
 * @returns {HTMLElement}
 */
export function suggestions(there, write) {
  const { bot_user_id, name, suggestions } = world.overview.app;
  if (there.is_im || !suggestions.length || !there.members.includes(bot_user_id)) return h("section", { hidden: true });
  const called = userOf(bot_user_id)?.name ?? name;
  const mention = `@${called === name.toLowerCase() ? name : called}`;
  const title = newId("suggestions");
  const one = (/** @type {string} */ words) =>
    h("li", {}, h("button", { type: "button", lang: languageOf(words), onclick: () => write(`${mention} ${words}`) }, words));
  return h(
    "section",
    { class: "ideas", "aria-labelledby": title },
    h("h2", { id: title }, "Try one of these demands"),
    h("ul", {}, suggestions.map(one)),
  );
}
