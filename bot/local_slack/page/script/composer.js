/** The field for messages. Enter sends, Shift+Enter begins a line; drafts are kept across views and reloads. */

import { completion } from "./completion.js";
import { perform, shortcut, slash, workflow } from "./actions.js";
import { h } from "./dom.js";
import { mentionHint } from "./hint.js";
import { icon } from "./icons.js";
import { openMenu } from "./menu.js";
import { unescaped } from "./mrkdwn.js";
import { attempt, notice } from "./notices.js";
import { tell } from "./words.js";
import { world } from "./world.js";

/** @typedef {import("./types.js").Message} Message */

/**
 * @param {object} given
 * @param {string} given.id
 * @param {string} given.label
 * @param {string} given.channel
 * @param {string | null} given.thread
 * @returns {{node: HTMLElement, edit: (message: Message) => void, fill: (words: string) => void}}
 */
export function composer({ id, label, channel, thread }) {
  const draft = `draft/${world.route.user}/${channel}/${thread ?? ""}`;
  /** @type {Message | null} */
  let edited = null;
  /** One after the other, so that nobody has to wait before they write on. */
  let line = Promise.resolve();

  const text = /** @type {HTMLTextAreaElement} */ (
    h("textarea", { id, rows: 1, placeholder: label, "aria-label": label, autocomplete: "off", "data-key": id })
  );
  text.value = sessionStorage.getItem(draft) ?? "";
  const submit = h("button", { type: "submit", class: "send", "aria-label": tell("Send"), title: tell("Send (Enter)") }, icon("send"));
  const also = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const offers = h("button", { type: "button", class: "plain", "aria-label": tell("Shortcuts and commands"), title: tell("Shortcuts and commands"), "aria-haspopup": "menu" }, icon("bolt"));
  offers.addEventListener("click", () => openMenu(offers, offered()));
  const cancel = h("button", { type: "button", class: "button small", onclick: () => stopEditing() }, tell("Cancel"));
  const editing = h("div", { class: "editing", hidden: true }, h("span", {}, tell("Editing your message")), cancel);
  const suggestions = completion(text, thread === null);
  const hint = mentionHint(channel, thread, fill);
  const bar = h(
    "div",
    { class: "bar" },
    thread === null && offers,
    thread !== null && h("label", { class: "also" }, also, tell("Also send to the channel")),
    h("span", { class: "keys", "aria-hidden": "true" }, tell("Enter sends · Shift+Enter new line")),
    submit,
  );
  const node = h("form", { class: "composer" }, hint.node, editing, suggestions.node, h("div", { class: "box" }, text, bar));

  node.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  text.addEventListener("input", () => {
    fit();
    if (!edited) sessionStorage.setItem(draft, text.value);
  });
  text.addEventListener("keydown", (event) => {
    if (event.isComposing || suggestions.takes(event)) return;
    if (event.key === "Escape" && edited) {
      event.stopPropagation();
      stopEditing();
    }
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      send();
    }
  });

  function send() {
    const written = text.value.trim();
    if (!written) return;
    suggestions.close();
    const before = edited;
    const broadcast = also.checked;
    if (before) stopEditing();
    else set("");
    line = line.then(async () => {
      if (await deliver(written, before, broadcast)) return;
      if (before) edit(before);
      set(text.value && !before ? `${written}\n${text.value}` : written); // nothing that was written is lost
    });
  }

  /**
   * @param {string} written
   * @param {Message | null} before what it takes the place of
   * @param {boolean} broadcast
   * @returns {Promise<boolean>} did it arrive?
   */
  async function deliver(written, before, broadcast) {
    const command = /^(\/[a-z][\w-]*)(?:\s+([\s\S]*))?$/.exec(written);
    if (before) return Boolean(await attempt(() => perform("edit", { channel, ts: before.ts, text: written })));
    if (!command) {
      const said = { channel, text: written, thread_ts: thread, broadcast };
      const arrived = Boolean(await attempt(() => perform("say", said)));
      if (arrived) {
        world.greets = false;
        hint.said(written);
      }
      return arrived;
    }
    if (thread !== null) return refuse(tell("{command} cannot be used in a thread; write it in the channel.", { command: command[1] }));
    const known = world.overview.app.commands.map((one) => one.command);
    if (!known.includes(command[1])) return refuse(tell("There is no command {command}; there is: {known}.", { command: command[1], known: known.join(", ") || tell("none") }));
    return Boolean(await slash(channel, command[1], command[2] ?? ""));
  }

  function offered() {
    const { shortcuts, commands, functions, name } = world.overview.app;
    const general = shortcuts.filter((one) => one.type === "global");
    return [
      ...general.map((one) => ({ label: one.name, note: one.description || name, chosen: () => void shortcut(one.callback_id) })),
      ...commands.map((one) => ({ label: one.command, note: one.description, chosen: () => begin(`${one.command} `) })),
      ...functions.map((one) => ({ label: tell("Run a workflow: {title}", { title: one.title }), note: one.description, chosen: () => void runs(one) })),
    ];
  }

  /** A workflow of this one step, which is given what stands in the field and this channel. @param {import("./types.js").Step} step */
  async function runs(step) {
    const words = text.value.trim();
    if (!words) return refuse(tell("First write what the workflow is to ask; then run it."));
    /** @type {Record<string, string>} */
    const given = { string: words, "slack#/types/channel_id": channel };
    const inputs = Object.fromEntries(Object.entries(step.inputs).flatMap(([name, kind]) => (given[kind] ? [[name, given[kind]]] : [])));
    if (await workflow(step.callback_id, inputs)) set("");
  }

  /** @param {string} words */
  function begin(words) {
    set(words + text.value);
    text.focus();
    text.setSelectionRange(words.length, words.length);
  }

  /** What somebody chose to say; they may still change it. @param {string} words */
  function fill(words) {
    set(words);
    text.focus();
    text.setSelectionRange(words.length, words.length);
  }

  /** @param {Message} message */
  function edit(message) {
    edited = message;
    editing.hidden = false;
    text.value = unescaped(message.text.replace(/<(https?:[^<>|]+)>/g, "$1"));
    fit();
    text.focus();
  }

  function stopEditing() {
    edited = null;
    editing.hidden = true;
    set(sessionStorage.getItem(draft) ?? "");
    text.focus();
  }

  /** @param {string} words */
  function set(words) {
    text.value = words;
    if (!edited) sessionStorage.setItem(draft, words);
    fit();
  }

  function fit() {
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight}px`;
  }

  queueMicrotask(fit);
  return { node, edit, fill };
}

/** @param {string} sentence */
function refuse(sentence) {
  notice(sentence);
  return false;
}
