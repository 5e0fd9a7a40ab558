/** At the left: the channels, the app, and who one is. */

import { avatar } from "./avatar.js";
import { newsOf, openDirect } from "./actions.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { openMenu } from "./menu.js";
import { address, go, HOME } from "./route.js";
import { tell } from "./words.js";
import { direct, isWithApp, me, nameOf, people, titleOf, world } from "./world.js";

/** @typedef {import("./types.js").Channel} Channel */

const bar = /** @type {HTMLElement} */ (document.getElementById("sidebar"));
let drawn = "";

export function drawSidebar() {
  const { user, place } = world.route;
  const wanted = JSON.stringify([world.overview, world.channels, world.unread, user, place, world.connected]);
  if (wanted === drawn) return;
  drawn = wanted;
  const rooms = world.channels.filter((one) => !one.is_im);
  fill(
    bar,
    h("header", {}, h("img", { src: "/mark.svg", alt: "", class: "avatar" }), h("strong", {}, tell(world.overview.team.name))),
    h("p", { class: "offline", role: "status" }, world.connected ? "" : tell("Reconnecting…")),
    h("h2", {}, tell("Channels")),
    h("ul", {}, rooms.map(room)),
    h("h2", {}, tell("Apps")),
    h("ul", {}, app()),
    h("footer", {}, become()),
  );
}

/** @param {Channel} one */
function room(one) {
  const href = address(world.route.user, one.id);
  const sign = icon(one.is_archived ? "archive" : one.is_private ? "lock" : "hash");
  return h("li", {}, h("a", { ...state(one, world.route.place === one.id), href }, sign, h("span", {}, titleOf(one)), news(one)));
}

function app() {
  const one = direct();
  const face = h("img", { src: "/mark.svg", alt: "", class: "avatar" });
  const shape = state(one, isWithApp());
  const inside = [face, h("span", {}, world.overview.app.name), one && news(one)];
  const open = () => (world.overview.app.home_tab && !one ? go(world.route.user, HOME) : void openDirect());
  return h("li", {}, h("button", { ...shape, "data-key": "app", type: "button", onclick: open }, inside));
}

/** @param {Channel | undefined} one @param {boolean} here */
function state(one, here) {
  const fresh = one && world.unread.some((each) => each.channel === one.id);
  return {
    class: [fresh && "fresh", one && !one.is_im && !one.members.includes(world.route.user ?? "") && "foreign"].filter(Boolean).join(" "),
    "aria-current": here ? "page" : null,
    "data-key": one?.id,
  };
}

/** How many new messages call one; that there are others is seen from the weight. @param {Channel} one */
function news(one) {
  const here = world.unread.filter((each) => each.channel === one.id);
  const calls = here.reduce((sum, each) => sum + each.mentions, 0);
  if (calls) return h("span", { class: "count" }, String(calls), h("span", { class: "unseen" }, tell(" for you")));
  return here.length ? h("span", { class: "unseen" }, tell("unread")) : null;
}

function become() {
  const self = me();
  const name = self ? nameOf(self.id) : tell("nobody");
  const button = h(
    "button",
    { type: "button", class: "self", "aria-haspopup": "menu", "data-key": "become" },
    self && avatar(self, self.id),
    h("span", {}, h("small", {}, tell("You are ")), h("strong", {}, name)),
    icon("down"),
  );
  button.addEventListener("click", async () => {
    const all = people();
    const news = await Promise.all(all.map((user) => newsOf(user.id)));
    const item = (/** @type {import("./types.js").User} */ user, /** @type {number} */ number) => ({
      label: `${user.id === self?.id ? "✓ " : ""}${nameOf(user.id)}`,
      note: news[number] ? tell("{count} new", { count: news[number] }) : user.title,
      chosen: () => go(user.id, stays(user.id)),
    });
    openMenu(button, all.map(item));
  });
  return button;
}

/** Where somebody else can go on: in the same channel, if they are in it. @param {string} user */
function stays(user) {
  const here = world.channels.find((one) => one.id === world.route.place && !one.is_im);
  return here?.members.includes(user) ? here.id : null;
}
