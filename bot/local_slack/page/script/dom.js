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
 * New content. The keyboard stays where it was, if what it was on is there again (the same data-key).
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
  const key = parent.contains(active) ? active?.closest("[data-key]")?.getAttribute("data-key") : null;
  const selection = active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement ? active : null;
  const [start, end] = [selection?.selectionStart, selection?.selectionEnd];
  change();
  if (!key || document.activeElement === active) return;
  const again = parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!(again instanceof HTMLElement)) return;
  again.focus({ preventScroll: true });
  if (again instanceof HTMLTextAreaElement && start != null) again.setSelectionRange(start, end ?? start);
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
