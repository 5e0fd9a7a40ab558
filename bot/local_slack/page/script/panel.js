/** Behind the scenes: what is waited for, a way to skip ahead, and what happens underneath, newest first. */

import { skip } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { attempt } from "./notices.js";
import { dateOf, exactly, fully, now } from "./times.js";
import { tell } from "./words.js";
import { look, world } from "./world.js";

/** @typedef {import("./types.js").Entry} Entry */

const DAY = 86_400; // seconds
const TICK = 250; // milliseconds
const LATE = 1500; // milliseconds after which what was due is looked up: it may have changed nothing that is told
const SETTLED = 700; // milliseconds that a deadline stands before it is said
const SAID_AT = [30, 10]; // seconds before a deadline at which those who listen are told again
const NARROW = window.matchMedia("(max-width: 47.99rem)");
const KEPT = "panel";

const panel = /** @type {HTMLElement} */ (document.getElementById("panel"));
const toggle = h("button", { type: "button", class: "toggle", id: "panel-title", "aria-controls": "panel-body" }, icon("layers"), h("span", {}, tell("Behind the scenes")), icon("down"));
const what = h("p", { class: "what" });
const left = h("p", { class: "left", role: "timer", "aria-label": tell("Time left") });
const ahead = h("button", { type: "button", class: "button small", "aria-describedby": "panel-what" }, tell("Skip ahead"));
const said = h("p", { class: "unseen", role: "status" });
const nothing = h("p", { class: "nothing" }, tell("Nothing has happened yet. Post a demand, and it shows here."));
const rows = h("ol", { "aria-label": tell("Events, newest first") });
const body = h("div", { id: "panel-body", tabindex: "0", role: "region", "aria-label": tell("Events") }, nothing, rows);

/** @type {import("./world.js").Panel | null} */
let drawn = null;
/** @type {number | null} the deadline that was looked up after it had passed */
let lookedUp = null;
let announcing = 0;
/** @type {number | null} seconds that were left when it was said last; null before that */
let announced = null;

export function drawPanel() {
  panel.hidden = !world.overview.panel;
  if (panel.hidden) return;
  if (!panel.firstChild) build();
  if (!world.panel || world.panel === drawn) return;
  const before = drawn;
  drawn = world.panel;
  drawWait(before?.wait);
  drawEvents(before !== null);
}

function build() {
  what.id = "panel-what";
  panel.append(h("h2", {}, toggle), h("div", { class: "wait" }, what, left, ahead), said, body);
  const kept = sessionStorage.getItem(KEPT);
  open(kept === "open");
  toggle.addEventListener("click", () => {
    open(!isOpen());
    sessionStorage.setItem(KEPT, isOpen() ? "open" : "closed");
  });
  ahead.addEventListener("click", goAhead);
  panel.addEventListener("keydown", (event) => {
    // A column stays; what takes height from the conversation goes.
    if (event.key !== "Escape" || !isOpen() || !NARROW.matches) return;
    open(false);
    toggle.focus();
  });
  window.setInterval(tick, TICK);
}

function isOpen() {
  return toggle.getAttribute("aria-expanded") === "true";
}

/** @param {boolean} wanted */
function open(wanted) {
  toggle.setAttribute("aria-expanded", String(wanted));
  panel.dataset.open = String(wanted);
  body.hidden = !wanted;
}

async function goAhead() {
  const due = world.panel?.wait.due;
  if (due == null || ahead.getAttribute("aria-busy")) return;
  await attempt(async () => {
    await skip(due);
    await look("panel");
  }, ahead);
  drawPanel();
}

/** @param {import("./types.js").Wait} [before] */
function drawWait(before) {
  const wait = world.panel?.wait;
  if (!wait) return;
  what.textContent = wait.what;
  // Not disabled: whoever stands on it with the keyboard keeps their place.
  ahead.setAttribute("aria-disabled", wait.due === null ? "true" : "false");
  tick();
  if (before?.what === wait.what && before.due === wait.due) return;
  announced = null;
  window.clearTimeout(announcing);
  announcing = window.setTimeout(announce, SETTLED);
}

function tick() {
  const wait = world.panel?.wait;
  if (!wait || wait.due === null) {
    write(left, "");
    return;
  }
  const seconds = secondsUntil(wait.due);
  const last = announced;
  write(left, written(seconds));
  if (last !== null && SAID_AT.some((mark) => seconds <= mark && mark < last)) announce();
  if (seconds === 0 && lookedUp !== wait.due) {
    lookedUp = wait.due;
    window.setTimeout(() => attempt(() => look("panel")).then(drawPanel), LATE);
  }
}

/** Now and then: a number that is read out every second helps nobody. */
function announce() {
  const wait = world.panel?.wait;
  if (!wait) return;
  if (wait.due === null) return write(said, wait.what);
  announced = secondsUntil(wait.due);
  const time = announced < 2 * DAY ? tell("{count} seconds", { count: announced }) : written(announced);
  write(said, tell("{what}, in {time}", { what: wait.what, time }));
}

/** @param {boolean} live whether one sees them come */
function drawEvents(live) {
  const entries = world.panel?.entries ?? [];
  nothing.hidden = entries.length > 0;
  const shown = new Map([...rows.children].map((row) => [row.getAttribute("data-position"), row]));
  const wanted = entries.map((entry) => {
    const there = shown.get(String(entry.position));
    return there?.getAttribute("data-at") === String(entry.at) ? there : row(entry, live);
  });
  for (const one of [...rows.children]) if (!wanted.includes(one)) one.remove();
  wanted.forEach((one, at) => rows.children[at] === one || rows.insertBefore(one, rows.children[at] ?? null));
}

/** @param {Entry} entry @param {boolean} live */
function row({ position, at, name, who, text }, live) {
  const ts = String(at);
  // What was hidden meanwhile would otherwise shine when it is opened.
  const shone = (/** @type {AnimationEvent} */ { currentTarget }) => /** @type {Element} */ (currentTarget).removeAttribute("class");
  return h(
    "li",
    { class: live && isOpen() ? "fresh" : null, "data-position": position, "data-at": at, onanimationend: shone },
    h("code", {}, name),
    h("time", { datetime: dateOf(ts).toISOString(), title: fully(ts) }, exactly(ts)),
    (who || text) && h("p", {}, who && h("strong", {}, who), who && text && " ", text),
  );
}

/** @param {number} due */
function secondsUntil(due) {
  return Math.max(0, Math.ceil(due - now() / 1000));
}

/** @param {HTMLElement} node @param {string} words */
function write(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** @param {number} seconds */
function written(seconds) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (seconds >= 2 * DAY) return tell("{count} days", { count: Math.floor(seconds / DAY) });
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
