/** The app's Home tab. */

import { blocks } from "./blocks.js";
import { fill, h } from "./dom.js";
import { surfaceOf } from "./views.js";
import { tell } from "./words.js";
import { world } from "./world.js";

/** @returns {{node: HTMLElement, show: () => void}} */
export function homeTab() {
  const node = h("div", { class: "home scroller", role: "tabpanel", "aria-label": tell("Home"), tabindex: "0" });
  let drawn = "";
  return {
    node,
    show: () => {
      const view = world.home;
      const wanted = view ? `${view.id}/${view.hash}` : "none";
      if (wanted === drawn) return;
      drawn = wanted;
      const empty = h("p", { class: "nothing" }, tell("{name} has put nothing here yet.", { name: world.overview.app.name }));
      fill(node, view ? blocks(view.blocks, surfaceOf(view)) : empty);
    },
  };
}
