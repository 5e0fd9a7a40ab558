/** Draws the messages of a channel or a thread. Unchanged messages keep their nodes, focus and inputs. */

import { perform } from "./actions.js";
import { h, keepingFocus } from "./dom.js";
import { icon } from "./icons.js";
import { messageRow, nothing, summary } from "./message.js";
import { say } from "./notices.js";
import { dateOf, dayOf } from "./times.js";
import { tell } from "./words.js";
import { unreadIn, world } from "./world.js";

/** @typedef {import("./types.js").Message} Message */

const TOGETHER = 5 * 60; // seconds in which messages by one author share a head
const NEAR = 60; // pixels from the end that count as the end

/**
 * @param {object} given
 * @param {string} given.label
 * @param {string} given.channel
 * @param {string | null} given.thread
 * @param {(message: Message) => void} given.edit
 * @returns {{node: HTMLElement, show: (messages: Message[] | null) => void}}
 */
export function messageList({ label, channel, thread, edit }) {
  const rows = h("ol", { class: "rows", "aria-label": label, onkeydown: arrows });
  const scroller = h("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": label }, rows);
  const jump = h("button", { type: "button", class: "jump", hidden: true }, icon("down"), tell("New messages"));
  const node = h("div", { class: "list" }, scroller, jump);
  const manner = { inThread: thread !== null, edit };

  /** @type {Map<string, {drawn: string, node: HTMLElement}>} */
  let shown = new Map();
  let isNew = true;
  /** @type {string | null} where what is new begins: as it was when this was opened */
  let since = null;
  let last = "";

  /** @param {Message[] | null} messages null: they are on their way */
  function show(messages) {
    if (messages === null) return;
    if (isNew) since = unreadIn(channel, thread)?.since ?? null;
    const atEnd = isNew || isAtEnd();
    keepingFocus(rows, () => draw(messages));
    const arrived = messages.filter((message) => message.ts > last && message.user !== world.route.user);
    if (!isNew && arrived.length) say(arrived.map(summary).join(". "));
    const mine = messages.at(-1)?.user === world.route.user && (messages.at(-1)?.ts ?? "") > last;
    const fresh = isNew ? shown.get("new")?.node : null;
    if (fresh) scroller.scrollTop += fresh.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    else if (atEnd || mine) scroller.scrollTop = scroller.scrollHeight;
    else if (arrived.length) jump.hidden = false;
    last = messages.reduce((latest, { ts }) => (ts > latest ? ts : latest), last);
    isNew = false;
    markRead();
  }

  /** @param {Message[]} messages */
  function draw(messages) {
    if (!messages.length) {
      shown = new Map();
      nothing(rows, thread ? tell("This thread is gone.") : tell("Nothing was said here yet."));
      return;
    }
    const wanted = planned(messages);
    /** @type {typeof shown} */
    const next = new Map();
    for (const { key, drawn, make } of wanted) {
      const before = shown.get(key);
      next.set(key, before?.drawn === drawn ? before : { drawn, node: make() });
    }
    shown = next;
    const nodes = [...next.values()].map((one) => one.node);
    // Moving what is there would take the focus from it: only what differs is touched.
    for (const old of [...rows.children]) if (!nodes.includes(/** @type {HTMLElement} */ (old))) old.remove();
    nodes.forEach((one, at) => rows.children[at] === one || rows.insertBefore(one, rows.children[at] ?? null));
  }

  /** @param {Message[]} messages @returns {{key: string, drawn: string, make: () => HTMLElement}[]} */
  function planned(messages) {
    const wanted = [];
    /** @type {Message | null} */
    let above = null;
    let day = "";
    for (const message of messages) {
      const today = dateOf(message.ts).toDateString();
      if (today !== day && !thread) {
        wanted.push({ key: `day/${today}`, drawn: dayOf(message.ts), make: () => divider("day", dayOf(message.ts)) });
        above = null;
      }
      if (message.ts === since) {
        wanted.push({ key: "new", drawn: "new", make: () => divider("new", tell("New")) });
        above = null;
      }
      const grouped = above !== null && isTogether(above, message);
      const fresh = unreadIn(message.channel, message.ts);
      const names = world.overview.users.map((user) => user.real_name);
      const drawn = JSON.stringify([message, grouped, fresh, names, world.files.length]);
      wanted.push({ key: message.ts, drawn, make: () => messageRow(message, grouped, manner) });
      if (thread && message.ts === thread) {
        const count = tell(message.reply_count === 1 ? "{count} reply" : "{count} replies", { count: message.reply_count });
        if (message.reply_count) wanted.push({ key: "count", drawn: count, make: () => divider("count", count) });
        above = null;
      } else above = message;
      day = today;
    }
    return wanted;
  }

  function isAtEnd() {
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR;
  }

  function markRead() {
    if (document.hidden || !node.offsetParent || !isAtEnd()) return;
    jump.hidden = true;
    if (last && unreadIn(channel, thread)) perform("read", { channel, thread_ts: thread, ts: last }).catch(() => null);
  }

  scroller.addEventListener("scroll", markRead, { passive: true });
  jump.addEventListener("click", () => {
    scroller.scrollTop = scroller.scrollHeight;
    scroller.focus();
  });
  return { node, show };
}

/** @param {string} kind @param {string} words */
function divider(kind, words) {
  return h("li", { class: `divider ${kind}`, role: "separator", "aria-label": words }, h("span", {}, words));
}

/** @param {Message} above @param {Message} message */
function isTogether(above, message) {
  const near = Number(message.ts) - Number(above.ts) < TOGETHER;
  const plain = !above.visible_to && !message.visible_to && !above.tombstone && !message.tombstone;
  return near && plain && above.user === message.user && !message.bot_id;
}

/** Arrows go from message to message. @param {KeyboardEvent} event */
function arrows(event) {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, select, textarea, [role=menuitem]")) return;
  const all = /** @type {HTMLElement[]} */ ([...(target.closest("ol")?.querySelectorAll(".message") ?? [])]);
  const at = all.indexOf(/** @type {HTMLElement} */ (target.closest(".message")));
  const next = all[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
