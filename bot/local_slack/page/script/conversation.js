/** The middle: a channel, or the app with its messages and its Home. */

import { composer } from "./composer.js";
import { joined, openDirect } from "./actions.js";
import { fill, h } from "./dom.js";
import { homeTab } from "./home.js";
import { icon } from "./icons.js";
import { messageList } from "./list.js";
import { promptChips } from "./prompts.js";
import { address, HOME } from "./route.js";
import { suggestions } from "./suggestions.js";
import { tell } from "./words.js";
import { channel, isWithApp, titleOf, world } from "./world.js";

/** @typedef {import("./types.js").Channel} Channel */

const pane = /** @type {HTMLElement} */ (document.getElementById("conversation"));
let drawn = "";
let show = () => {};
/** @type {(words: string) => void} fills the field, where one may write */
let writes = () => {};

export function drawConversation() {
  const { user, place } = world.route;
  const there = channel();
  const wanted = JSON.stringify([user, place, there, world.overview.app.home_tab]);
  if (wanted !== drawn) {
    const same = drawn && JSON.parse(drawn)[1] === place && JSON.parse(drawn)[0] === user;
    drawn = wanted;
    // Not while one writes: who else is there now can be told without taking the pen away.
    if (same && there && canWrite(there) && pane.querySelector(".composer")) fill(/** @type {Element} */ (pane.querySelector(".head")), ...head(there));
    else build(there);
  }
  show();
}

/** Fill the field of the conversation that is open. @param {string} words */
export function write(words) {
  writes(words);
}

/** @param {Channel | undefined} there */
function build(there) {
  show = () => {};
  writes = () => {};
  if (world.route.place === HOME) {
    const home = homeTab();
    show = home.show;
    fill(pane, h("header", { class: "head" }, head(undefined)), home.node);
  } else if (there) {
    const writing = composer({ id: "composer", label: tell("Message {place}", { place: nameOf(there) }), channel: there.id, thread: null });
    const list = messageList({ label: tell("Messages in {place}", { place: nameOf(there) }), channel: there.id, thread: null, edit: writing.edit });
    writes = writing.fill;
    const ideas = suggestions(there, write);
    const chips = promptChips(there);
    show = () => {
      list.show(world.messages);
      chips.show();
      if (canWrite(there) && world.messages) ideas.show(world.messages.length === 0, world.greets);
    };
    const below = canWrite(there) ? [ideas.node, chips.node, writing.node] : outside(there);
    fill(pane, h("header", { class: "head" }, head(there)), list.node, below);
  } else {
    const sentence = world.route.user ? tell("There is nothing to see here.") : tell("Nobody is in this workspace yet.");
    fill(pane, h("header", { class: "head" }, back()), h("p", { class: "nothing" }, sentence));
  }
}

/** @param {Channel | undefined} there @returns {(Node | null)[]} */
function head(there) {
  const withApp = isWithApp();
  const title = withApp ? world.overview.app.name : there ? titleOf(there) : "";
  const sign = withApp ? h("img", { class: "avatar", src: "/mark.svg", alt: "" }) : icon(there?.is_private ? "lock" : "hash");
  const about = there?.topic || there?.purpose;
  const people = there && !withApp ? tell(there.members.length === 1 ? "{count} member" : "{count} members", { count: there.members.length }) : "";
  return [
    back(),
    h("h1", {}, sign, h("span", {}, title)),
    withApp ? tabs() : h("p", { class: "soft" }, [people, about].filter(Boolean).join(" · ")),
  ];
}

function tabs() {
  const { user, place } = world.route;
  if (!world.overview.app.home_tab) return h("p", { class: "soft" }, tell("App"));
  const tab = (/** @type {string} */ name, /** @type {boolean} */ here, /** @type {() => void} */ chosen) =>
    h("button", { type: "button", role: "tab", "aria-selected": here ? "true" : "false", "data-key": `tab/${name}`, onclick: chosen }, name);
  return h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": world.overview.app.name },
    tab(tell("Home"), place === HOME, () => (location.hash = address(user, HOME))),
    tab(tell("Messages"), place !== HOME, openDirect),
  );
}

function back() {
  return h("a", { class: "back", href: address(world.route.user), "aria-label": tell("Back to the channels") }, icon("back"));
}

/** @param {Channel} there */
function canWrite(there) {
  return !there.is_archived && there.members.includes(world.route.user ?? "");
}

/** @param {Channel} there */
function outside(there) {
  if (there.is_archived) return h("div", { class: "outside" }, icon("archive"), tell("{place} is archived: it can be read, nothing more.", { place: nameOf(there) }));
  const join = h("button", { type: "button", class: "button primary", onclick: () => joined(there.id) }, tell("Join {place}", { place: nameOf(there) }));
  return h("div", { class: "outside" }, tell("You can read along here. To write, join."), join);
}

/** @param {Channel} there */
function nameOf(there) {
  return there.is_im ? titleOf(there) : `#${titleOf(there)}`;
}
