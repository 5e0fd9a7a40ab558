/** Tells whoever writes without calling the app that it does not hear them: once, and nobody else sees it. */

import { fill, h } from "./dom.js";
import { languageOf } from "./language.js";
import { calling } from "./suggestions.js";
import { tell } from "./words.js";
import { channel, world } from "./world.js";

/** @type {Record<"en" | "zh", {sentence: (app: string) => string, again: (app: string) => string}>} */
const WORDS = {
  en: {
    sentence: (app) => `Only you see this: ${app.slice(1)} reads only messages that mention it, as ${app}.`,
    again: (app) => `Say it to ${app}`,
  },
  zh: {
    sentence: (app) => `仅你可见：${app.slice(1)} 只会读到写有 ${app} 的消息。`,
    again: (app) => `对 ${app} 说`,
  },
};

/**
 * @param {string} where the channel
 * @param {string | null} thread
 * @param {(words: string) => void} write fills the field
 * @returns {{node: HTMLElement, said: (words: string) => void}}
 */
export function mentionHint(where, thread, write) {
  const node = h("div", { class: "hint-row", "aria-live": "polite" });

  /** @param {string} words what was sent just now */
  function said(words) {
    node.replaceChildren();
    const kept = `hinted/${world.route.user}`;
    if (sessionStorage.getItem(kept) || !isUnheard(words)) return;
    sessionStorage.setItem(kept, "once");
    const language = languageOf(words);
    const { sentence, again } = WORDS[language];
    const app = calling();
    const repeat = () => {
      node.replaceChildren();
      write(`${app} ${words}`);
    };
    const close = h("button", { type: "button", class: "plain", "aria-label": tell("Dismiss"), onclick: () => node.replaceChildren() }, "×");
    fill(
      node,
      h("span", { lang: language }, sentence(app)),
      h("button", { type: "button", class: "button small", lang: language, onclick: repeat }, again(app)),
      close,
    );
  }

  /** @param {string} words */
  function isUnheard(words) {
    const { app } = world.overview;
    const there = channel(where);
    if (app.hears_all || !there || there.is_im || !there.members.includes(app.bot_user_id)) return false;
    // People talk among themselves in other threads.
    if (thread !== null && !world.thread?.some((one) => one.user === app.bot_user_id)) return false;
    return !words.toLowerCase().includes(calling().toLowerCase()) && !words.includes(`<@${app.bot_user_id}>`);
  }

  return { node, said };
}
