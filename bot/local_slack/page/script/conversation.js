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
import { channel, isWithApp, titleOf, world } from "./world.js";

/** @typedef {import("./types.js").Channel} Channel */

const pane = /** @type {HTMLElement} */ (document.getElementById("conversation"));
let drawn = "";
let show = () => {};

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

/** @param {Channel | undefined} there */
function build(there) {
  show = () => {};
  if (world.route.place === HOME) {
    const home = homeTab();
    show = home.show;
    fill(pane, h("header", { class: "head" }, head(undefined)), home.node);
  } else if (there) {
    const writing = composer({ id: "composer", label: `Message ${nameOf(there)}`, channel: there.id, thread: null });
    const list = messageList({ label: `Messages in ${nameOf(there)}`, channel: there.id, thread: null, edit: writing.edit });
    const ideas = suggestions(there, writing.fill);
    const chips = promptChips(there);
    show = () => {
      list.show(world.messages);
      chips.show();
      if (canWrite(there) && world.messages) ideas.show(world.messages.length === 0);
    };
    const below = canWrite(there) ? [ideas.node, chips.node, writing.node] : outside(there);
    fill(pane, h("header", { class: "head" }, head(there)), list.node, below);
  } else {
    const sentence = world.route.user ? "There is nothing to see here." : "Nobody is in this workspace yet.";
    fill(pane, h("header", { class: "head" }, back()), h("p", { class: "nothing" }, sentence));
  }
}

/** @param {Channel | undefined} there @returns {(Node | null)[]} */
function head(there) {
  const withApp = isWithApp();
  const title = withApp ? world.overview.app.name : there ? titleOf(there) : "";
  const sign = withApp ? h("img", { class: "avatar", src: "/mark.svg", alt: "" }) : icon(there?.is_private ? "lock" : "hash");
  const about = there?.topic || there?.purpose;
  const people = there && !withApp ? `${there.members.length} ${there.members.length === 1 ? "member" : "members"}` : "";
  return [
    back(),
    h("h1", {}, sign, h("span", {}, title)),
    withApp ? tabs() : h("p", { class: "soft" }, [people, about].filter(Boolean).join(" · ")),
  ];
}

function tabs() {
  const { user, place } = world.route;
  if (!world.overview.app.home_tab) return h("p", { class: "soft" }, "App");
  const tab = (/** @type {string} */ name, /** @type {boolean} */ here, /** @type {() => void} */ chosen) =>
    h("button", { type: "button", role: "tab", "aria-selected": here ? "true" : "false", "data-key": `tab/${name}`, onclick: chosen }, name);
  return h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": world.overview.app.name },
    tab("Home", place === HOME, () => (location.hash = address(user, HOME))),
    tab("Messages", place !== HOME, openDirect),
  );
}

function back() {
  return h("a", { class: "back", href: address(world.route.user), "aria-label": "Back to the channels" }, icon("back"));
}

/** @param {Channel} there */
function canWrite(there) {
  return !there.is_archived && there.members.includes(world.route.user ?? "");
}

/** @param {Channel} there */
function outside(there) {
  if (there.is_archived) return h("div", { class: "outside" }, icon("archive"), `${nameOf(there)} is archived: it can be read, nothing more.`);
  const join = h("button", { type: "button", class: "button primary", onclick: () => joined(there.id) }, `Join ${nameOf(there)}`);
  return h("div", { class: "outside" }, "You can read along here. To write, join.", join);
}

/** @param {Channel} there */
function nameOf(there) {
  return there.is_im ? titleOf(there) : `#${titleOf(there)}`;
}
