/** Draws the top modal of those that the app opened for this person; the browser keeps the focus inside it. */

import { blocks } from "./blocks.js";
import { perform, told } from "./actions.js";
import { fill, h, keysOf, returnTo } from "./dom.js";
import { icon } from "./icons.js";
import { plain } from "./mrkdwn.js";
import { attempt } from "./notices.js";
import { enteredIn, forget, inLine, surfaceOf } from "./views.js";
import { tell } from "./words.js";
import { look, world } from "./world.js";

/** @typedef {import("./types.js").View} View */

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("modal"));
/** What is drawn: the view's id and hash. */
let drawn = "";
/** Where the keyboard was when the dialog opened. @type {string[]} */
let from = [];

export function drawModal() {
  const top = world.modals.at(-1);
  forget((id) => id === world.home?.id || world.modals.some((view) => view.id === id));
  if (!top) {
    drawn = "";
    if (dialog.open) dialog.close();
    // The browser goes back to what opened the dialog, unless that was drawn anew meanwhile.
    if (from.length && document.activeElement === document.body) returnTo(document.body, from);
    from = [];
    return;
  }
  const wanted = `${top.id}/${top.hash}`;
  if (wanted !== drawn) {
    const another = drawn.split("/")[0] !== top.id;
    drawn = wanted;
    draw(top, {});
    if (another && dialog.open) focusFirst();
  }
  if (!dialog.open) {
    from = keysOf(document.activeElement);
    dialog.showModal();
    focusFirst();
  }
}

/**
 * @param {View} view
 * @param {Record<string, string>} errors
 */
function draw(view, errors) {
  const surface = surfaceOf(view, errors);
  const back = view.previous_view_id !== null;
  const form = h(
    "form",
    { novalidate: true },
    h(
      "header",
      {},
      back && h("button", { type: "button", class: "plain", "aria-label": tell("Back"), onclick: () => close(view) }, icon("back")),
      h("h2", { id: "modal-title" }, plain(view.title?.text ?? "")),
      h("button", { type: "button", class: "plain", "aria-label": tell("Close"), onclick: () => close(view, true) }, icon("close")),
    ),
    h("div", { class: "body" }, blocks(view.blocks, surface)),
    h(
      "footer",
      {},
      h("button", { type: "button", class: "button", "data-key": "close", onclick: () => close(view) }, plain(view.close?.text ?? (view.submit ? tell("Cancel") : tell("Close")))),
      view.submit && h("button", { type: "submit", class: "button primary", "data-key": "submit" }, plain(view.submit.text)),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(view, form);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && view.submit) {
      event.preventDefault();
      submit(view, form);
    }
  });
  fill(dialog, form);
}

/**
 * @param {View} view
 * @param {HTMLElement} form
 */
async function submit(view, form) {
  if (form.getAttribute("aria-busy") || form.querySelector("input[type=file][aria-busy=true]")) return;
  const sent = () => perform("submit", { view_id: view.id, values: enteredIn(view) });
  /** @type {import("./types.js").Outcome | null} */
  const outcome = await inLine(() => attempt(sent, form));
  const errors = outcome?.errors ?? {};
  await told(outcome);
  const top = world.modals.at(-1);
  if (top?.id !== view.id || !Object.keys(errors).length) return;
  draw(top, errors);
  const wrong = dialog.querySelector("[aria-invalid=true]");
  const first = wrong?.matches("[role=group], [role=radiogroup]") ? wrong.querySelector("input") : wrong;
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {View} view
 * @param {boolean} [all] those below it, too
 */
async function close(view, all = false) {
  await inLine(() => attempt(() => perform("close", { view_id: view.id, whole_stack: all })));
  await look("modals");
}

function focusFirst() {
  const first =
    dialog.querySelector("[autofocus]") ??
    dialog.querySelector(".body :is(input, select, textarea, button, a)") ??
    dialog.querySelector("footer button:last-child");
  if (first instanceof HTMLElement) first.focus();
}

function closeTop() {
  const top = world.modals.at(-1);
  if (top) close(top);
}

dialog.addEventListener("cancel", (event) => {
  event.preventDefault();
  if (event.target === dialog) closeTop();
});
// A browser closes a dialog on a second Escape, whatever we say.
dialog.addEventListener("close", () => {
  if (drawn && !dialog.open && world.modals.length) closeTop();
});
