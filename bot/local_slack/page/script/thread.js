/** The panel at the right: a message and what was answered. Escape closes it. */

import { composer } from "./composer.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { messageList } from "./list.js";
import { address, go } from "./route.js";
import { sessionBar } from "./session.js";
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
  const writing = composer({ id: "reply", label: "Reply…", channel: there.id, thread });
  const list = messageList({ label: "Replies", channel: there.id, thread, edit: writing.edit });
  const may = !there.is_archived && there.members.includes(world.route.user ?? "");
  const session = sessionBar(there.id, thread);
  show = () => {
    if (world.route.thread === thread) list.show(world.thread);
    session.show();
  };
  fill(
    panel,
    h(
      "header",
      { class: "head" },
      h("a", { class: "back", href: back, "aria-label": "Back to the channel" }, icon("back")),
      h("h2", {}, "Thread"),
      h("p", { class: "soft" }, name),
      h("a", { class: "plain close", href: back, "aria-label": "Close the thread", title: "Close (Escape)" }, icon("close")),
    ),
    session.node,
    list.node,
    may ? writing.node : h("div", { class: "outside" }, "You cannot write here."),
  );
}

panel.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const root = world.route.thread;
  go(world.route.user, world.route.place);
  const row = document.querySelector(`#conversation [data-ts="${CSS.escape(root ?? "")}"]`);
  if (row instanceof HTMLElement) row.focus();
});
