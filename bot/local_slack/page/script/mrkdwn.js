/**
 * Slack's mrkdwn, as nodes. Every piece of text becomes a text node, so there is no HTML that could come alive; `&`, `<`
 * and `>` arrive escaped, and what stands between `<` and `>` is one of Slack's own marks or shown as it is.
 */

import { h, link } from "./dom.js";
import { withEmoji } from "./emoji.js";
import { address } from "./route.js";
import { shaped } from "./times.js";
import { channel, nameOf, titleOf, world } from "./world.js";

const FENCE = /```\n?([\s\S]*?)\n?```/;
const QUOTE = /^(?:&gt;|>) ?/;
const BULLET = /^ *[•◦▪*-] +/;
const NUMBER = /^ *(\d{1,3})[.)] +/;
const TOKEN =
  /`([^`\n]+)`|<([^<>\n]+)>|(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)'"*_~`])|(?<![\p{L}\p{N}*_~])([*_~])(?=[^\s*_~])((?:<[^<>\n]*>|`[^`\n]+`|(?!\4)[^<`\n])+)(?<=\S)\4(?![\p{L}\p{N}])/gu;
const TAGS = new Map([["*", "strong"], ["_", "em"], ["~", "s"]]);
const ESCAPES = new Map([["&amp;", "&"], ["&lt;", "<"], ["&gt;", ">"]]);

/**
 * @param {{type?: string, text: string, verbatim?: boolean} | null | undefined} text a text object
 * @returns {Node[]}
 */
export function textOf(text) {
  if (!text) return [];
  return text.type === "mrkdwn" ? mrkdwn(text.text, !text.verbatim) : plain(text.text);
}

/**
 * @param {string} text
 * @param {boolean} [linking] do bare addresses become links?
 * @returns {Node[]}
 */
export function mrkdwn(text, linking = true) {
  // Every second part of a text that is split at its fences stood between two of them.
  return text.split(FENCE).flatMap((part, number) => {
    if (number % 2) return [h("pre", {}, h("code", {}, unescaped(part)))];
    const trimmed = number ? part.replace(/^\n/, "") : part;
    return trimmed ? lines(trimmed.split("\n"), linking) : [];
  });
}

/**
 * A plain_text object: emoji, and nothing else.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export function plain(text) {
  return [document.createTextNode(withEmoji(text))];
}

/**
 * On one line and without marks: for lists, and for those who listen.
 *
 * @param {string} text
 */
export function spoken(text) {
  const words = mrkdwn(text).map((node) => (node.nodeName === "BR" ? " " : node.textContent));
  return words.join("").replace(/\s+/g, " ").trim();
}

/** @param {string} text */
export function unescaped(text) {
  return text.replace(/&(?:amp|lt|gt);/g, (escape) => ESCAPES.get(escape) ?? escape);
}

/**
 * Quotes and lists are made of whole lines; the rest is text with breaks in it.
 *
 * @param {string[]} all
 * @param {boolean} linking
 * @returns {Node[]}
 */
function lines(all, linking) {
  /** @type {Node[]} */
  const nodes = [];
  let at = 0;
  /** @param {RegExp} kind */
  const run = (kind) => {
    const from = at;
    while (at < all.length && kind.test(all[at])) at += 1;
    return all.slice(from, at);
  };
  while (at < all.length) {
    const line = all[at];
    if (line.startsWith("&gt;&gt;&gt;")) {
      const rest = [line.slice(12).trimStart(), ...all.slice(at + 1)];
      return [...nodes, h("blockquote", {}, ...lines(rest, linking))];
    }
    if (QUOTE.test(line)) {
      const quoted = run(QUOTE).map((one) => one.replace(QUOTE, ""));
      nodes.push(h("blockquote", {}, ...lines(quoted, linking)));
    } else if (BULLET.test(line)) {
      nodes.push(h("ul", {}, ...run(BULLET).map((one) => h("li", {}, ...inline(one.replace(BULLET, ""), linking)))));
    } else if (NUMBER.test(line)) {
      const start = NUMBER.exec(line)?.[1];
      const items = run(NUMBER).map((one) => h("li", {}, ...inline(one.replace(NUMBER, ""), linking)));
      nodes.push(h("ol", { start }, ...items));
    } else {
      const before = nodes.at(-1);
      if (before && !(before instanceof HTMLElement && /^(?:UL|OL|BLOCKQUOTE)$/.test(before.tagName)))
        nodes.push(h("br"));
      nodes.push(...inline(line, linking), ...(line ? [] : [document.createTextNode("")]));
      at += 1;
    }
  }
  return nodes;
}

/**
 * @param {string} text
 * @param {boolean} linking
 * @returns {Node[]}
 */
function inline(text, linking) {
  /** @type {Node[]} */
  const nodes = [];
  let end = 0;
  for (const token of text.matchAll(TOKEN)) {
    const [whole, code, mark, bare, format, inner] = token;
    nodes.push(...words(text.slice(end, token.index)));
    end = token.index + whole.length;
    if (code !== undefined) nodes.push(h("code", {}, unescaped(code)));
    else if (mark !== undefined) nodes.push(marked(mark) ?? document.createTextNode(whole));
    else if (bare !== undefined) nodes.push(linking ? link(unescaped(bare), unescaped(bare)) : words(bare)[0]);
    else nodes.push(h(TAGS.get(format) ?? "span", {}, ...inline(inner, linking)));
  }
  return [...nodes, ...words(text.slice(end))];
}

/**
 * @param {string} text
 * @returns {Node[]}
 */
function words(text) {
  return text ? [document.createTextNode(withEmoji(unescaped(text)))] : [];
}

/**
 * What stands between < and >: a person, a channel, a call to many, a time, a link.
 *
 * @param {string} mark
 * @returns {Node | null} null where it is none of these
 */
function marked(mark) {
  const [target, ...rest] = mark.split("|");
  const label = unescaped(rest.join("|"));
  if (/^@[A-Z0-9_]+$/.test(target)) {
    const mine = target.slice(1) === world.route.user;
    return h("span", { class: mine ? "mention mine" : "mention" }, `@${nameOf(target.slice(1))}`);
  }
  if (/^#[A-Z0-9_]+$/.test(target)) {
    const known = channel(target.slice(1));
    const name = `#${known ? titleOf(known) : label || target.slice(1)}`;
    return known ? h("a", { class: "mention", href: address(world.route.user, known.id) }, name) : h("span", {}, name);
  }
  if (/^!(?:here|channel|everyone)$/.test(target)) return h("span", { class: "mention mine" }, `@${target.slice(1)}`);
  const date = /^!date\^(\d{1,12})\^([^^]*)(?:\^(.+))?$/.exec(target);
  if (date) {
    const written = shaped(Number(date[1]), unescaped(date[2])) ?? label;
    const time = h("time", { datetime: new Date(Number(date[1]) * 1000).toISOString() }, written);
    return date[3] ? link(unescaped(date[3]), time) : time;
  }
  if (/^https?:/i.test(target)) return link(unescaped(target), label || unescaped(target));
  return null;
}
