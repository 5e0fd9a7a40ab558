/** Draws Block Kit, each type of block by a function of its own. */

import { control, isGroup } from "./elements.js";
import { h, link, newId } from "./dom.js";
import { richText } from "./richtext.js";
import { tagged } from "./language.js";
import { mrkdwn, plain, textOf } from "./mrkdwn.js";
import { tell } from "./words.js";

/**
 * @typedef {import("./types.js").Block} Block
 * @typedef {import("./types.js").Element} Element
 * @typedef {import("./elements.js").Surface} Surface
 */

/** @type {Record<string, (block: Block, surface: Surface) => (Node | null)[]>} */
const DRAWN = {
  header: (block) => [h("h3", { class: "header" }, plain(block.text.text))],
  section,
  divider: () => [h("hr")],
  context: (block) => [h("div", { class: "context" }, block.elements.map(contextual))],
  actions: (block, surface) => [row(block, block.elements, surface)],
  context_actions: (block, surface) => [row(block, block.elements.filter(known), surface)],
  input,
  image: (block) => [picture(block)],
  rich_text: (block) => richText(block.elements),
  markdown: (block) => [h("div", { class: "text" }, mrkdwn(block.text))],
  alert: (block) => [h("div", { class: `alert ${block.level ?? ""}`, role: "note" }, textOf(block.text))],
  table: (block) => [table(block)],
  data_table: dataTable,
  container,
  plan: (block) => [plan(block)],
  task_card: (block) => [h("ul", { class: "tasks" }, task(block))],
  card: (block, surface) => [
    h("div", { class: "container" }, ["title", "subtitle", "body"].map((part) => block[part] && h("div", {}, textOf(block[part])))),
    block.actions && row(block, block.actions, surface),
  ],
};

/**
 * @param {Block[]} all
 * @param {Surface} surface
 * @returns {HTMLElement}
 */
export function blocks(all, surface) {
  const drawn = all.map((block) => {
    const draw = DRAWN[block.type];
    const nodes = draw ? draw(block, surface) : [h("p", { class: "soft" }, tell("This page does not show a {kind}.", { kind: block.type }))];
    return tagged(h("div", { class: `block block-${block.type}`, "data-block": block.block_id }, nodes));
  });
  return h("div", { class: "blocks" }, drawn);
}

/** @param {Block} block @param {Surface} surface @returns {(Node | null)[]} */
function section(block, surface) {
  const { text, fields, accessory } = block;
  const said = h("div", { class: "said" }, text && h("div", { class: "text" }, textOf(text)));
  if (fields) said.append(h("div", { class: "fields" }, fields.map((/** @type {any} */ one) => h("div", {}, textOf(one)))));
  if (!accessory) return [said];
  const beside = accessory.type === "image" ? picture(accessory) : element(block, accessory, surface);
  return [said, h("div", { class: "accessory" }, beside)];
}

/** @param {Block} block @param {Element[]} elements @param {Surface} surface */
function row(block, elements, surface) {
  return h("div", { class: "row" }, elements.map((one) => element(block, one, surface)));
}

/**
 * An element without a label of its own: its placeholder says what it is for.
 *
 * @param {Block} block
 * @param {Element} one
 * @param {Surface} surface
 */
function element(block, one, surface) {
  if (one.type === "feedback_buttons") return control({ surface, block, element: one, common: { "data-key": keyOf(block, one) } });
  const named = one.type === "button" || one.type === "overflow" ? null : (one.placeholder?.text ?? tell("Choose"));
  return control({ surface, block, element: one, common: { "data-key": keyOf(block, one), "aria-label": named } });
}

/** Containers that were opened stay open when their message is drawn anew: by what they are called, and where. */
const opened = new Set();

/** @param {Block} block @param {Surface} surface @returns {Node[]} */
function container(block, surface) {
  const title = block.title ? textOf(block.title) : richText(block.rich_text_title?.elements ?? []);
  const inside = blocks(block.child_blocks, surface);
  if (!block.is_collapsible) return [h("div", { class: "container" }, h("h4", {}, title), inside)];
  const key = `${surface.place ?? ""}/${block.title?.text ?? ""}`;
  const details = h("details", { class: "container", open: opened.has(key) || !block.default_collapsed }, h("summary", {}, title), inside);
  details.addEventListener("toggle", () => {
    if (details instanceof HTMLDetailsElement && details.open) opened.add(key);
    else opened.delete(key);
  });
  return [details];
}

/** @type {Record<string, string>} */
const TASKS = { pending: tell("Not begun"), in_progress: tell("In progress"), complete: tell("Done"), error: tell("Failed") };

/** @param {Block} block */
function plan(block) {
  return h("section", { class: "plan", "aria-label": block.title }, h("h4", {}, block.title), h("ul", { class: "tasks" }, (block.tasks ?? []).map(task)));
}

/** @param {Block} card */
function task(card) {
  const head = [h("span", { class: "state", role: "img", "aria-label": TASKS[card.status] ?? card.status }), h("span", {}, card.title)];
  const beside = [card.details, card.output].filter(Boolean).flatMap((/** @type {any} */ one) => richText(one.elements));
  return h("li", { class: "task", "data-status": card.status }, h("div", { class: "named" }, head), beside.length ? h("div", { class: "soft" }, beside) : null);
}

/** @param {Block} block @param {Surface} surface @returns {Node[]} */
function input(block, surface) {
  const { element: one, label, hint, optional } = block;
  const id = newId("input");
  const error = surface.errors?.[block.block_id];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const title = [...plain(label.text), optional && h("span", { class: "soft" }, tell(" (optional)"))];
  const group = isGroup(one);
  const common = {
    id,
    "data-key": keyOf(block, one),
    "data-input": block.block_id,
    "aria-labelledby": group ? `${id}-label` : null,
    "aria-describedby": described || null,
    "aria-invalid": error ? "true" : null,
    "aria-required": optional ? null : "true",
    autofocus: one.focus_on_load,
  };
  const labelled = group
    ? h("div", { class: "label", id: `${id}-label` }, ...title)
    : h("label", { class: "label", for: id }, ...title);
  return [
    labelled,
    control({ surface, block, element: one, common }),
    ...(error ? [h("p", { class: "error", id: `${id}-error` }, error)] : []),
    ...(hint ? [h("p", { class: "hint", id: `${id}-hint` }, plain(hint.text))] : []),
  ];
}

/** @param {any} one a text or an image of a context block */
function contextual(one) {
  return one.type === "image" ? picture(one) : h("div", {}, textOf(one));
}

/**
 * A link: nothing is fetched from elsewhere.
 *
 * @param {any} image
 */
function picture(image) {
  const words = image.title?.text || image.alt_text;
  return h("span", { class: "picture" }, "🖼 ", link(image.image_url ?? image.slack_file?.url, words));
}

/** @param {Block} block */
function table(block) {
  const cell = (/** @type {any} */ one) => h("td", {}, cellOf(one));
  return h("table", {}, h("tbody", {}, block.rows.map((/** @type {any[]} */ cells) => h("tr", {}, cells.map(cell)))));
}

/** Which page of a table was turned to, by the table's place and what it is called: a message drawn anew stays there. */
const turned = new Map();

/** @param {Block} block @param {Surface} surface @returns {Node[]} */
function dataTable(block, surface) {
  const [head, ...rows] = block.rows;
  const size = block.page_size ?? 5;
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const key = `${surface.place ?? ""}/${block.caption}`;
  const first = block.row_header_column_index ?? 0;
  const body = h("tbody", {});
  const where = h("span", { class: "soft", role: "status" });
  const show = (/** @type {number} */ wanted) => {
    const page = Math.min(Math.max(wanted, 0), pages - 1);
    turned.set(key, page);
    const cells = (/** @type {any} */ one, /** @type {number} */ column) =>
      column === first ? h("th", { scope: "row" }, cellOf(one)) : h("td", {}, cellOf(one));
    body.replaceChildren(...rows.slice(page * size, (page + 1) * size).map((/** @type {any[]} */ row) => h("tr", {}, row.map(cells))));
    where.textContent = `${page + 1} / ${pages}`;
  };
  const turn = (/** @type {string} */ text, /** @type {string} */ label, /** @type {number} */ by) =>
    h("button", { type: "button", class: "button", "aria-label": label, onclick: () => show((turned.get(key) ?? 0) + by) }, text);
  show(turned.get(key) ?? 0);
  const header = h("tr", {}, head.map((/** @type {any} */ one) => h("th", { scope: "col" }, cellOf(one))));
  const table = h("table", {}, h("caption", {}, block.caption), h("thead", {}, header), body);
  return pages > 1 ? [table, h("div", { class: "row" }, turn("‹", tell("Earlier rows"), -1), where, turn("›", tell("Later rows"), 1))] : [table];
}

/** @param {any} one */
function cellOf(one) {
  return one?.type === "rich_text" ? richText(one.elements) : plain(String(one?.text ?? ""));
}

/** @param {Element} one */
function known(one) {
  return one.type === "button" || one.type === "feedback_buttons";
}

/** @param {Block} block @param {Element} one */
function keyOf(block, one) {
  return `${block.block_id}/${one.action_id}`;
}
