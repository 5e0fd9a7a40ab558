/** A dialog that asks before an action; Escape means no. */

import { fill, h } from "./dom.js";
import { plain, textOf } from "./mrkdwn.js";
import { tell } from "./words.js";

/** The question that is asked now. */
let current = Symbol("none");

/**
 * @param {{title?: any, text: any, confirm?: any, deny?: any, style?: string}} asked a confirmation dialog of Block Kit
 * @returns {Promise<boolean>}
 */
export function question(asked) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("question"));
  const yes = h("button", { type: "button", class: `button ${asked.style === "danger" ? "danger" : "primary"}` }, plain(asked.confirm?.text ?? tell("Yes")));
  const no = h("button", { type: "button", class: "button" }, plain(asked.deny?.text ?? tell("Cancel")));
  fill(
    dialog,
    h("h2", { id: "question-title" }, plain(asked.title?.text ?? tell("Are you sure?"))),
    h("div", { class: "body" }, textOf(asked.text)),
    h("footer", {}, no, yes),
  );
  const mine = Symbol("question");
  current = mine;
  return new Promise((resolve) => {
    const ended = () => {
      // On a busy machine, that an earlier question was closed is told when the next one is open already.
      if (current === mine && dialog.open) return;
      dialog.removeEventListener("close", ended);
      resolve(false);
    };
    yes.addEventListener("click", () => {
      resolve(true);
      dialog.close();
    });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", ended);
    dialog.showModal();
    yes.focus();
  });
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} confirm
 */
export function sure(title, text, confirm) {
  const words = (/** @type {string} */ each) => ({ type: "plain_text", text: each });
  return question({ title: words(title), text: words(text), confirm: words(confirm), style: "danger" });
}
