/** The page: reads what the current route shows, reads it again when the feed reports a change, and draws it. */

import { drawConversation } from "./conversation.js";
import { opened } from "./actions.js";
import { look as ask } from "./api.js";
import { listen } from "./feed.js";
import { drawModal } from "./modal.js";
import { attempt, notice } from "./notices.js";
import { drawPanel } from "./panel.js";
import { address, here, HOME } from "./route.js";
import { drawSidebar } from "./sidebar.js";
import { drawThread } from "./thread.js";
import { language, tell } from "./words.js";
import { channel, isWithApp, look, nameOf, people, titleOf, world } from "./world.js";

/** @typedef {import("./world.js").Part} Part */

/** @type {Part[]} */
const EVERYTHING = ["overview", "channels", "files", "unread", "modals", "home", "messages", "thread", "sessions", "prompts", "panel"];
const NARROW = window.matchMedia("(max-width: 47.99rem)");

/** @type {Record<string, Part[]>} what to read again after a change of this kind */
const AFTER = {
  channel: ["channels", "unread"],
  user: ["channels"],
  modal: ["modals"],
  home: ["home"],
  file: ["files"],
  read: ["unread"],
  session: ["sessions"],
  prompts: ["prompts"],
  panel: ["panel"],
};

let endFeed = () => {};
let isPressing = false;
let isStale = false;

async function follow() {
  const before = world.route;
  const route = here();
  if (!people().some((user) => user.id === route.user)) {
    const first = people()[0];
    world.route = { user: null, place: null, thread: null, message: null };
    draw();
    if (first) location.replace(await begun(first.id));
    return;
  }
  const someoneElse = route.user !== before.user;
  world.route = route;
  if (someoneElse) {
    Object.assign(world, { channels: [], unread: [], sessions: [], prompts: [], modals: [], home: null, messages: null, thread: null });
    hearAs(route.user ?? "");
    await reading("channels", "files", "unread", "modals", "home", "sessions", "prompts");
  }
  if (!route.place && !NARROW.matches) {
    const first = world.channels.find((one) => one.members.includes(route.user ?? "") && !one.is_im) ?? world.channels[0];
    if (first) return location.replace(address(route.user, first.id));
  }
  const elsewhere = someoneElse || route.place !== before.place;
  if (elsewhere) Object.assign(world, { messages: null, thread: null });
  else if (route.thread !== before.thread) world.thread = null;
  draw();
  await reading(...(elsewhere ? /** @type {Part[]} */ (["messages"]) : []), "thread");
  if (elsewhere && route.place && isWithApp()) opened(route.place);
  if (route.message) return leadTo(route.message);
  if (before.user && (elsewhere || route.thread !== before.thread)) focusOn(route.thread ? "reply" : "composer");
}

/**
 * Where somebody begins who comes without an address: in the thread that was begun last in the first channel, if there is one.
 *
 * @param {string} user
 */
async function begun(user) {
  /** @type {import("./types.js").Channel[]} */
  const channels = (await attempt(() => ask(user, "channels"))) ?? [];
  const first = channels.find((one) => one.members.includes(user) && !one.is_im);
  if (!first) return address(user);
  /** @type {import("./types.js").Message[]} */
  const messages = (await attempt(() => ask(user, "messages", { channel: first.id }))) ?? [];
  const root = messages.filter((one) => one.reply_count).at(-1);
  world.greets = true;
  return address(user, first.id, root?.ts ?? null);
}

/** A link to a message in the thread ends there; the address goes back, so that the link works again. @param {string} ts */
function leadTo(ts) {
  const row = document.querySelector(`#thread [data-ts="${CSS.escape(ts)}"]`);
  if (row instanceof HTMLElement) {
    row.scrollIntoView({ block: "start" });
    row.focus({ preventScroll: true });
  }
  const { user, place, thread } = world.route;
  world.route = { ...world.route, message: null };
  history.replaceState(null, "", address(user, place, thread));
}

/** @param {...Part} parts */
async function reading(...parts) {
  await attempt(() => look(...parts));
  draw();
}

/** @param {string} user */
function hearAs(user) {
  endFeed();
  const turned = (/** @type {boolean} */ connected) => {
    world.connected = connected;
    draw();
    // What happened while nothing could be heard is looked up, the first time, too.
    if (connected) reading(...EVERYTHING);
  };
  endFeed = listen(user, heard, turned);
}

/** @param {import("./types.js").Change} change */
async function heard(change) {
  if (change.kind === "panel" && !world.overview.panel) await reading("overview"); // it was brought only now
  if (change.kind === "user") {
    await reading("overview");
    const self = world.route.user;
    if (self && !people().some((user) => user.id === self)) {
      notice(tell("{name} has no account here any more.", { name: nameOf(self) }));
      return follow();
    }
  }
  if (change.kind !== "message") return reading(...(AFTER[change.kind] ?? []));
  if (change.channel && !channel(change.channel)) await reading("channels");
  // Reply counts and marks first: rows are drawn with them.
  await reading("unread");
  if (change.channel === world.route.place) await reading("messages", "thread");
}

function draw() {
  isStale = isPressing;
  if (isStale) return;
  const { place, thread } = world.route;
  document.body.dataset.shows = thread && channel() ? "thread" : place ? "conversation" : "sidebar";
  drawSidebar();
  drawConversation();
  drawThread();
  drawPanel();
  drawModal();
  const calls = world.unread.reduce((sum, one) => sum + one.mentions, 0);
  const there = channel();
  const where = place === HOME || there?.is_im ? world.overview.app.name : there && `#${titleOf(there)}`;
  const words = [where, world.route.user && nameOf(world.route.user), tell(world.overview.team.name)].filter(Boolean).join(" · ");
  document.title = calls ? `(${calls}) ${words}` : words;
}

/** Where one was sent is where one writes; on a phone that would open the keyboard. @param {string} id */
function focusOn(id) {
  if (!NARROW.matches && !document.querySelector("dialog[open]")) document.getElementById(id)?.focus();
}

/** A press takes a moment. A button that is drawn anew meanwhile would not hear of it, so that drawing waits. */
function press(/** @type {PointerEvent} */ { button, target }) {
  isPressing = button === 0 && target instanceof Element && target.closest("button, a") !== null;
}

function release() {
  isPressing = false;
  if (isStale) draw();
}

document.addEventListener("pointerdown", press, true);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => window.setTimeout(release), true); // the click comes first
window.addEventListener("blur", release);
document.addEventListener("visibilitychange", () => document.hidden || draw());
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // the address says where one is
  document.getElementById("composer")?.focus();
});
NARROW.addEventListener("change", follow);
window.addEventListener("hashchange", follow);
document.documentElement.lang = language;
for (const named of document.querySelectorAll("body [aria-label]")) named.setAttribute("aria-label", tell(named.getAttribute("aria-label") ?? ""));
for (const skips of document.querySelectorAll(".skip")) skips.textContent = tell(skips.textContent ?? "");
await attempt(() => look("overview"));
await follow();
