/** A small menu below a button: arrows move, Enter chooses, Escape goes back to the button. */

import { h } from "./dom.js";

/** @typedef {{label: string, note?: string, danger?: boolean, chosen: () => void}} Item */

/** @type {(() => void) | null} */
let closeOpen = null;

/**
 * @param {HTMLElement} from the button
 * @param {(Item | "line")[]} items
 */
export function openMenu(from, items) {
  const again = from.getAttribute("aria-expanded") === "true";
  closeOpen?.();
  if (again) return;

  const close = (/** @type {boolean} */ back = true) => {
    closeOpen = null;
    menu.remove();
    from.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (back) from.focus();
  };
  /** @param {Event} event */
  const outside = (event) => {
    const target = /** @type {Node} */ (event.target);
    if (!menu.contains(target) && !from.contains(target)) close(false);
  };
  const menu = h("div", { class: "menu", role: "menu", onkeydown: keys });
  for (const item of items) {
    if (item === "line") menu.append(h("hr", { role: "separator" }));
    else {
      const choose = () => {
        close();
        item.chosen();
      };
      const shape = { type: "button", role: "menuitem", tabindex: "-1", class: item.danger ? "danger" : null, onclick: choose };
      menu.append(h("button", shape, h("span", {}, item.label), item.note && h("small", {}, item.note)));
    }
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const all = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("[role=menuitem]")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    if (event.key in moves) all.at(moves[event.key] % all.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Inside a dialog only what is inside of it can be used.
  (from.closest("dialog") ?? document.body).append(menu);
  put(menu, from);
  from.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", outside, true);
  closeOpen = () => close(false);
  /** @type {HTMLElement | null} */ (menu.querySelector("[role=menuitem]"))?.focus({ preventScroll: true });
}

/**
 * Below the button, or above it where there is more room; never off the screen.
 *
 * @param {HTMLElement} menu
 * @param {HTMLElement} from
 */
function put(menu, from) {
  const button = from.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = button.bottom + 4 + height < window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(button.left, window.innerWidth - width - 8))}px`;
  menu.style.top = `${below ? button.bottom + 4 : Math.max(8, button.top - height - 4)}px`;
}
