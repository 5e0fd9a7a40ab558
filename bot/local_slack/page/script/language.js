/** Tells in which language a text is written, for screen readers and fonts. */

const HAN = /\p{Script=Han}/gu;
const LATIN_WORD = /\p{Script=Latin}+/gu;

/**
 * "zh" where a text has at least as many Han characters as words in Latin letters, else "en". Mentions and links count for nothing.
 *
 * @param {string} text
 * @returns {"en" | "zh"}
 */
export function languageOf(text) {
  const said = text.replace(/<[^>]*>|https?:\/\/\S+|@\S+/g, " ");
  const han = said.match(HAN)?.length ?? 0;
  return han > 0 && han >= (said.match(LATIN_WORD)?.length ?? 0) ? "zh" : "en";
}

/**
 * Tags what was drawn with the language of the words in it.
 *
 * @template {HTMLElement} Drawn
 * @param {Drawn} node
 * @returns {Drawn}
 */
export function tagged(node) {
  node.lang = languageOf(node.textContent ?? "");
  return node;
}
