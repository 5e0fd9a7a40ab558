/** Draws avatars: a person's initials on a colour of their own, or the app's mark. */

import { h } from "./dom.js";
import { world } from "./world.js";

const COLOURS = 8;

/**
 * @param {import("./types.js").User | undefined} user
 * @param {string} id
 */
export function avatar(user, id) {
  if (id === world.overview.app.bot_user_id) return h("img", { class: "avatar", src: "/mark.svg", alt: "" });
  const name = user?.real_name || user?.name || id;
  return h("span", { class: `avatar colour-${hash(id) % COLOURS}`, "aria-hidden": "true" }, initials(name));
}

/** @param {string} name */
function initials(name) {
  const words = name.split(/[\s_]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return letters.map((word) => [...word][0]).join("").toUpperCase() || "?";
}

/** @param {string} id */
function hash(id) {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}
