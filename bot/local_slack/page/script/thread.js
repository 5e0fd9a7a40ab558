/** The panel at the right: a message and what was answered. Escape closes it. */

import { composer } from "./composer.js";
import { write } from "./conversation.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { messageList } from "./list.js";
import { address, go } from "./route.js";
import { sessionBar } from "./session.js";
import { suggestions } from "./suggestions.js";
import { tell } from "./words.js";
import { channel, titleOf, world } from "./world.js";

const panel = /** @type {HTMLElement} */ (document.getElementById("thread"));
let drawn = "";
let show = () => {};

export function drawThread() {
  const { user, place, thread } = world.route;
  const there = channel();
  panel.hidden = !thread || !there;
  const wanted = JSON.stringify([user, place, thread, there?.is_archived, there?.members.includes(user ?? "")]);
  if (wanted !== drawn) {
    drawn = wanted;
    if (thread && there) build(there, thread);
    else panel.replaceChildren();
  }
  show();
}

/**
 * @param {import("./types.js").Channel} there
 * @param {string} thread
 */
function build(there, thread) {
  const name = there.is_im ? titleOf(there) : `#${titleOf(there)}`;
  const back = address(world.route.user, there.id);
  const writing = composer({ id: "reply", label: tell("Reply…"), channel: there.id, thread });
  const list = messageList({ label: tell("Replies"), channel: there.id, thread, edit: writing.edit });
  const may = !there.is_archived && there.members.includes(world.route.user ?? "");
  const session = sessionBar(there.id, thread);
  // On a phone, whoever comes sees nothing but the thread.
  const ideas = suggestions(there, (words) => {
    go(world.route.user, there.id);
    window.setTimeout(() => write(words)); // once the channel is what one sees
  });
  show = () => {
    if (world.route.thread === thread) list.show(world.thread);
    session.show();
    ideas.show(false, world.greets);
    ideas.node.hidden = !world.greets;
  };
  fill(
    panel,
    h(
      "header",
      { class: "head" },
      h("a", { class: "back", href: back, "aria-label": tell("Back to the channel") }, icon("back")),
      h("h2", {}, tell("Thread")),
      h("p", { class: "soft" }, name),
      h("a", { class: "plain close", href: back, "aria-label": tell("Close the thread"), title: tell("Close (Escape)") }, icon("close")),
    ),
    session.node,
    ideas.node,
    list.node,
    may ? writing.node : h("div", { class: "outside" }, tell("You cannot write here.")),
  );
}

panel.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const root = world.route.thread;
  go(world.route.user, world.route.place);
  const row = document.querySelector(`#conversation [data-ts="${CSS.escape(root ?? "")}"]`);
  if (row instanceof HTMLElement) row.focus();
});
