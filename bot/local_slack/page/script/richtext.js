/** Draws rich_text blocks, which Slack's own composer makes. */

import { h, link } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { channel, nameOf, titleOf, world } from "./world.js";

/**
 * @param {any[]} elements
 * @returns {Node[]}
 */
export function richText(elements) {
  return elements.map((one) => {
    if (one.type === "rich_text_list")
      return h(one.style === "ordered" ? "ol" : "ul", {}, one.elements.map((/** @type {any} */ item) => h("li", {}, spans(item))));
    if (one.type === "rich_text_quote") return h("blockquote", {}, spans(one));
    if (one.type === "rich_text_preformatted") return h("pre", {}, h("code", {}, spans(one)));
    return h("div", { class: "text" }, spans(one));
  });
}

/** @param {any} section @returns {Node[]} */
function spans(section) {
  return (section.elements ?? []).map(span);
}

/** @param {any} one @returns {Node} */
function span(one) {
  if (one.type === "user") return h("span", { class: one.user_id === world.route.user ? "mention mine" : "mention" }, `@${nameOf(one.user_id)}`);
  if (one.type === "channel") {
    const known = channel(one.channel_id);
    return h("span", { class: "mention" }, `#${known ? titleOf(known) : one.channel_id}`);
  }
  if (one.type === "broadcast") return h("span", { class: "mention mine" }, `@${one.range}`);
  if (one.type === "link") return link(one.url, one.text || one.url);
  if (one.type === "emoji") return document.createTextNode(withEmoji(`:${one.name}:`));
  /** @type {Node} */
  let node = document.createTextNode(String(one.text ?? ""));
  for (const [style, tag] of [["code", "code"], ["bold", "strong"], ["italic", "em"], ["strike", "s"]])
    if (one.style?.[style]) node = h(tag, {}, node);
  return node;
}
