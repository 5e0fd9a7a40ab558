/** Makes DOM nodes. Text only ever becomes a text node, so that nothing is read as HTML. */

import { within } from "./route.js";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element. A property that begins with "on" is a listener; null and false leave an attribute out.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...present(children));
  return node;
}

/**
 * New content. The keyboard stays where it was, or as near as there is something (see `returnTo`).
 *
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  keepingFocus(parent, () => parent.replaceChildren(...present(children)));
}

/**
 * @param {Element} parent
 * @param {() => void} change
 */
export function keepingFocus(parent, change) {
  const active = document.activeElement;
  const keys = parent.contains(active) ? keysOf(active) : [];
  const selection = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active : null;
  const [start, end] = [selection?.selectionStart, selection?.selectionEnd];
  change();
  if (document.activeElement === active) return;
  const again = returnTo(parent, keys);
  if (again instanceof HTMLTextAreaElement && start != null) again.setSelectionRange(start, end ?? start);
}

/**
 * Where the keyboard is: the keys of what it is on and of what that is in, the innermost first.
 *
 * @param {Element | null} node
 * @returns {string[]}
 */
export function keysOf(node) {
  const keys = [];
  for (let one = node; one; one = one.parentElement) {
    const key = one.getAttribute("data-key");
    if (key) keys.push(key);
  }
  return keys;
}

/**
 * Take the keyboard back to where it was. An app that writes a message anew gives its blocks other ids: then it is the
 * same button of the same message, and without that button the message.
 *
 * @param {Element} parent
 * @param {string[]} keys
 * @returns {HTMLElement | null} where it is now
 */
export function returnTo(parent, keys) {
  const found = (/** @type {string} */ key) => parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const holder = keys.map(found).find(Boolean);
  const action = keys[0]?.split("/").at(-1) ?? "";
  const again = keys[0] && !found(keys[0]) ? (holder?.querySelector(`[data-key$="/${CSS.escape(action)}"]`) ?? holder) : holder;
  if (!(again instanceof HTMLElement)) return null;
  again.focus({ preventScroll: true });
  return again;
}

/**
 * The address, if it is one that a link may lead to.
 *
 * @param {unknown} address
 * @returns {string | null}
 */
export function safe(address) {
  try {
    const url = new URL(String(address));
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * A link out of the page, or to a message of this workspace; plain text where the address leads nowhere good.
 *
 * @param {unknown} address
 * @param {...Child} children
 * @returns {Node}
 */
export function link(address, ...children) {
  const href = safe(address);
  if (href === null) return h("span", {}, ...children);
  const inside = within(href);
  if (inside !== null) return h("a", { href: inside }, ...children);
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

let counted = 0;

/** @param {string} what */
export function newId(what) {
  counted += 1;
  return `${what}-${counted}`;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  return /** @type {(Node | string)[]} */ (children.flat(2).filter((child) => child || child === ""));
}
