/** Draws one message, with its files, reactions and replies. */

import { person } from "./api.js";
import { avatar } from "./avatar.js";
import { blocks } from "./blocks.js";
import { perform, shortcut, use } from "./actions.js";
import { fill, h, link } from "./dom.js";
import { valueIn } from "./elements.js";
import { called, withEmoji } from "./emoji.js";
import { icon } from "./icons.js";
import { tagged } from "./language.js";
import { openMenu } from "./menu.js";
import { mrkdwn, spoken } from "./mrkdwn.js";
import { attempt } from "./notices.js";
import { sure } from "./question.js";
import { address } from "./route.js";
import { clock, dateOf, fully, shortly } from "./times.js";
import { tell } from "./words.js";
import { me, nameOf, unreadIn, userOf, world } from "./world.js";

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {{inThread: boolean, edit: (message: Message) => void}} Manner how a list shows its messages
 */

const REACTIONS = ["+1", "white_check_mark", "eyes", "tada"];

/**
 * @param {Message} message
 * @param {boolean} grouped is it by the same author as the one above?
 * @param {Manner} manner
 * @returns {HTMLElement}
 */
export function messageRow(message, grouped, manner) {
  const kind = ["message", grouped && "grouped", message.visible_to && "private", message.tombstone && "tombstone"];
  const time = h("time", { datetime: dateOf(message.ts).toISOString(), title: fully(message.ts) }, clock(message.ts));
  const author = message.tombstone ? "" : authorOf(message);
  const meta = h(
    "div",
    { class: "meta" },
    h("span", { class: "author" }, author),
    message.bot_id && h("span", { class: "badge" }, tell("app")),
    time,
  );
  return h(
    "li",
    { class: kind.filter(Boolean).join(" "), "data-ts": message.ts, "data-key": message.ts, tabindex: "-1" },
    h("div", { class: "gutter" }, message.tombstone ? icon("trash") : avatar(userOf(message.user), message.user)),
    h("article", { "aria-label": `${author} ${clock(message.ts)}` }, meta, ...content(message), ...below(message, manner)),
    message.tombstone ? null : tools(message, manner),
  );
}

/** Who a message is by; a workflow is no user, and has a name of its own. @param {Message} message */
function authorOf(message) {
  return message.workflow || nameOf(message.user);
}

/**
 * In few words, for whoever listens.
 *
 * @param {Message} message
 */
export function summary(message) {
  return `${authorOf(message)}: ${spoken(message.text).slice(0, 300)}`;
}

/** @param {Message} message @returns {Node[]} */
function content(message) {
  const edited = message.edited && h("small", { class: "soft" }, tell(" (edited)"));
  const shown = [];
  if (message.blocks.length) shown.push(blocks(message.blocks, surfaceOf(message)));
  else if (message.text) shown.push(tagged(h("div", { class: "text" }, mrkdwn(message.text), edited)));
  for (const one of message.attachments) shown.push(attachment(one, message));
  return shown;
}

/** @param {any} one @param {Message} message */
function attachment(one, message) {
  const text = one.text || (one.blocks ? "" : one.fallback) || "";
  const title = one.title && h("strong", {}, one.title_link ? link(one.title_link, one.title) : one.title);
  return h("div", { class: "container" }, title, mrkdwn(text), one.blocks && blocks(one.blocks, surfaceOf(message)));
}

/** @param {Message} message @param {Manner} manner @returns {(Node | null)[]} */
function below(message, manner) {
  return [
    ...message.files.map(file),
    reactions(message),
    message.reply_count && !manner.inThread ? replies(message) : null,
    message.broadcast && !manner.inThread
      ? h("a", { class: "soft", href: address(world.route.user, message.channel, message.thread_ts) }, tell("Also in a thread"))
      : null,
    message.visible_to ? h("p", { class: "only" }, icon("eye"), tell("Only visible to you")) : null,
  ];
}

/** @param {string} id */
function file(id) {
  const known = world.files.find((one) => one.id === id);
  const href = `${person(world.route.user ?? "")}/files/${encodeURIComponent(id)}`;
  const name = known?.title || known?.name || id;
  return h("a", { class: "file", href, download: known?.name ?? id }, icon("file"), name);
}

/** @param {Message} message */
function reactions(message) {
  const all = Object.entries(message.reactions);
  if (!all.length) return null;
  const one = (/** @type {[string, string[]]} */ [name, users]) =>
    h(
      "button",
      {
        type: "button",
        class: "reaction",
        "aria-pressed": users.includes(world.route.user ?? "") ? "true" : "false",
        title: users.map(nameOf).join(", "),
        "aria-label": `${called(name)}, ${users.length}: ${users.map(nameOf).join(", ")}`,
        "data-key": `${message.ts}/${name}`,
        onclick: () => react(message, name),
      },
      withEmoji(`:${name}:`),
      h("span", {}, String(users.length)),
    );
  return h("div", { class: "reactions" }, all.map(one));
}

/** @param {Message} message */
function replies(message) {
  const count = tell(message.reply_count === 1 ? "{count} reply" : "{count} replies", { count: message.reply_count });
  const fresh = unreadIn(message.channel, message.ts);
  return h(
    "a",
    { class: "replies", href: address(world.route.user, message.channel, message.ts), "data-key": `${message.ts}/replies` },
    h("span", { class: "faces", "aria-hidden": "true" }, message.reply_users.slice(0, 4).map((id) => avatar(userOf(id), id))),
    h("strong", {}, count),
    fresh && h("span", { class: "fresh" }, tell("{count} new", { count: fresh.count })),
    message.latest_reply && h("span", { class: "soft" }, tell("Last reply {time}", { time: shortly(message.latest_reply) })),
  );
}

/** @param {Message} message @param {Manner} manner */
function tools(message, manner) {
  const more = h(
    "button",
    { type: "button", "aria-label": tell("More actions"), title: tell("More actions"), "aria-haspopup": "menu", "data-key": `${message.ts}/more` },
    icon("more"),
  );
  more.addEventListener("click", () => openMenu(more, items(message, manner)));
  const reply = !manner.inThread && !message.visible_to;
  const href = address(world.route.user, message.channel, message.thread_ts ?? message.ts);
  return h(
    "div",
    { class: "tools" },
    reply && h("a", { href, "aria-label": tell("Reply in thread"), title: tell("Reply in thread"), "data-key": `${message.ts}/reply` }, icon("reply")),
    more,
  );
}

/** @param {Message} message @param {Manner} manner @returns {(import("./menu.js").Item | "line")[]} */
function items(message, manner) {
  const { shortcuts, name } = world.overview.app;
  const mine = message.user === world.route.user;
  /** @type {(import("./menu.js").Item | "line")[]} */
  const found = REACTIONS.map((one) => ({ label: tell("React with {name}", { name: `${withEmoji(`:${one}:`)} ${called(one)}` }), chosen: () => react(message, one) }));
  if (!message.visible_to) {
    const about = shortcuts.filter((one) => one.type === "message");
    if (about.length) found.push("line");
    for (const one of about) found.push({ label: one.name, note: name, chosen: () => shortcut(one.callback_id, message) });
  }
  if (mine || me()?.is_admin) found.push("line");
  if (mine) found.push({ label: tell("Edit message"), chosen: () => manner.edit(message) });
  if (mine || me()?.is_admin) found.push({ label: tell("Delete message"), danger: true, chosen: () => remove(message) });
  return found;
}

/** @param {Message} message @param {string} name */
async function react({ channel, ts }, name) {
  await attempt(() => perform("react", { channel, ts, name }));
}

/** @param {Message} message */
async function remove({ channel, ts }) {
  const asked = tell("Everybody will see that it is gone; it cannot be brought back.");
  if (await sure(tell("Delete this message?"), asked, tell("Delete"))) await attempt(() => perform("delete", { channel, ts }));
}

/** @param {Message} message @returns {import("./elements.js").Surface} */
function surfaceOf(message) {
  return {
    place: `${message.channel}/${message.ts}`,
    use: (block, element, value, node) => {
      use("click", { channel: message.channel, ts: message.ts }, block, element, value, node);
    },
    valueOf: (_, element) => {
      const first = Object.keys(element).find((name) => name.startsWith("initial_"));
      return first ? valueIn({ type: element.type, [first]: element[first] }) : null;
    },
  };
}

/** A message that is not there. @param {Element} parent @param {string} sentence */
export function nothing(parent, sentence) {
  fill(parent, h("li", { class: "nothing" }, sentence));
}
