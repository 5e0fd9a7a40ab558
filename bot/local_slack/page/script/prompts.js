/** What the app suggests that one says to it, above the composer: a press says it. */

import { perform } from "./actions.js";
import { fill, h, newId } from "./dom.js";
import { attempt } from "./notices.js";
import { tell } from "./words.js";
import { world } from "./world.js";

/**
 * @param {import("./types.js").Channel} there
 * @returns {{node: HTMLElement, show: () => void}}
 */
export function promptChips(there) {
  const title = newId("prompts");
  const node = h("section", { class: "prompts", "aria-labelledby": title, hidden: true });
  let drawn = "";

  function show() {
    const found = world.prompts.find((one) => one.channel === there.id);
    const wanted = JSON.stringify(found ?? null);
    if (wanted === drawn) return;
    drawn = wanted;
    node.hidden = !found;
    if (!found) return;
    const one = (/** @type {{title: string, message: string}} */ each) => {
      const chip = h("button", { type: "button", title: each.message, "data-key": `prompt/${each.title}` }, each.title);
      chip.addEventListener("click", () => attempt(() => perform("say", { channel: there.id, text: each.message }), chip));
      return h("li", {}, chip);
    };
    fill(node, h("h2", { id: title }, found.title || tell("Suggestions")), h("ul", {}, found.prompts.map(one)));
  }

  return { node, show };
}
