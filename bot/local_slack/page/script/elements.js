/** Draws interactive elements as native controls, which keyboards and screen readers know. */

import { upload } from "./api.js";
import { fill, h, newId, safe } from "./dom.js";
import { openMenu } from "./menu.js";
import { plain, textOf } from "./mrkdwn.js";
import { attempt } from "./notices.js";
import { tell } from "./words.js";
import { channel, nameOf, people, titleOf, world } from "./world.js";

/**
 * @typedef {import("./types.js").Block} Block
 * @typedef {import("./types.js").Element} Element
 */

/**
 * Where blocks stand, and what becomes of what people do there.
 *
 * @typedef {object} Surface
 * @property {(block: Block, element: Element, value: any, node: HTMLElement) => void} use pressed, chosen or entered
 * @property {(block: Block, element: Element) => any} valueOf what was entered before
 * @property {(block: Block, element: Element, value: any) => void} [typing] at every change, before it is entered
 * @property {(block: Block, element: Element) => any[]} [filesOf] the files that were given before
 * @property {string} [place] the message
 * @property {Record<string, string>} [errors] block_id -> what is wrong
 */

/**
 * @typedef {object} Place of one element
 * @property {Surface} surface
 * @property {Block} block
 * @property {Element} element
 * @property {Record<string, any>} common attributes of the control: its id, what describes it
 */

/** @param {Place} place @returns {HTMLElement} */
export function control(place) {
  const { type } = place.element;
  if (type === "button" || type === "workflow_button") return button(place);
  if (type === "overflow") return overflow(place);
  if (type === "feedback_buttons") return feedback(place);
  if (type === "radio_buttons" || type === "checkboxes") return choices(place, optionsOf(place.element));
  if (type.startsWith("multi_")) return choices(place, optionsOf(place.element));
  if (type === "plain_text_input" || type === "rich_text_input") return writing(place);
  if (type.endsWith("_select") && type !== "external_select") return select(place);
  if (type === "file_input") return fileField(place);
  if (type in FIELDS || type === "external_select") return field(place);
  return h("p", { class: "soft" }, tell("This page has no {kind}.", { kind: type.replaceAll("_", " ") }));
}

/** Is it one control with a label, or a group with a legend? @param {Element} element */
export function isGroup(element) {
  return element.type === "radio_buttons" || element.type === "checkboxes" || element.type.startsWith("multi_");
}

/**
 * The plain value in an element's state: what the workspace takes back.
 *
 * @param {any} state
 */
export function valueIn(state) {
  if (!state) return null;
  const { type, ...rest } = state;
  const value = Object.values(rest)[0] ?? null;
  if (type === "rich_text_input") return value;
  if (type === "file_input") return (value ?? []).map((/** @type {any} */ one) => one.id);
  if (Array.isArray(value)) return value.map((one) => one?.value ?? one);
  return value?.value ?? value;
}

/** @param {Place} place @param {any} value */
function entered({ surface, block, element }, value, node = /** @type {any} */ (null)) {
  surface.typing?.(block, element, value);
  surface.use(block, element, value, node);
}

/** @param {Place} place @returns {HTMLElement} */
function button({ surface, block, element, common }) {
  const href = element.url ? safe(element.url) : null;
  const shown = {
    ...common,
    class: `button ${element.style ?? ""}`,
    "aria-label": element.accessibility_label,
    onclick: (/** @type {Event} */ event) => {
      surface.use(block, element, null, /** @type {HTMLElement} */ (event.currentTarget));
    },
  };
  const text = plain(element.text.text);
  if (href) return h("a", { ...shown, href, target: "_blank", rel: "noopener noreferrer" }, text);
  return h("button", { ...shown, type: "button" }, text);
}

/** Two buttons, of which one is pressed. @param {Place} place @returns {HTMLElement} */
function feedback(place) {
  const { element, common } = place;
  const drawn = ["positive_button", "negative_button"].map((name, number) => {
    const one = element[name];
    const shown = { "data-key": `${common["data-key"]}/${number}`, "aria-label": one.accessibility_label };
    const node = h("button", { ...shown, type: "button", class: "button" }, plain(one.text.text));
    node.addEventListener("click", () => entered(place, one.value, node));
    return node;
  });
  return h("span", { class: "row" }, drawn);
}

/** @param {Place} place @returns {HTMLElement} */
function overflow(place) {
  const { element, common } = place;
  const node = h("button", { ...common, type: "button", class: "button", "aria-label": tell("More"), "aria-haspopup": "menu" }, "⋯");
  node.addEventListener("click", () => {
    const items = element.options.map((/** @type {any} */ option) => ({
      label: option.text.text,
      chosen: () => entered(place, option.value, node),
    }));
    openMenu(node, items);
  });
  return node;
}

/** @typedef {{value: string, text: any, description?: any}} Option */

/** @param {Element} element @returns {Option[]} */
function optionsOf(element) {
  const kind = element.type.replace("multi_", "");
  if (kind === "users_select") return people().map((user) => option(user.id, nameOf(user.id)));
  if (kind === "channels_select" || kind === "conversations_select")
    return world.channels.filter((one) => !one.is_im || kind !== "channels_select").map((one) => option(one.id, titleOf(one)));
  const groups = (element.option_groups ?? []).flatMap((/** @type {any} */ group) => group.options);
  return [...(element.options ?? []), ...groups];
}

/** @param {string} value @param {string} text @returns {Option} */
function option(value, text) {
  return { value, text: { type: "plain_text", text } };
}

/** @param {Place} place @param {Option[]} options @returns {HTMLElement} */
function choices(place, options) {
  const { surface, block, element, common } = place;
  const single = element.type === "radio_buttons";
  const before = surface.valueOf(block, element);
  const chosen = new Set(Array.isArray(before) ? before : [before]);
  const name = newId("choice");
  const group = h("div", { ...common, class: options.length > 8 ? "choices long" : "choices", role: single ? "radiogroup" : "group" });
  group.addEventListener("change", () => {
    const values = [...group.querySelectorAll("input:checked")].map((one) => /** @type {HTMLInputElement} */ (one).value);
    entered(place, single ? (values[0] ?? null) : values, group);
  });
  for (const [number, one] of options.entries()) {
    const input = h("input", {
      type: single ? "radio" : "checkbox",
      name,
      value: one.value,
      checked: chosen.has(one.value),
      "data-key": `${common["data-key"]}/${number}`,
    });
    const small = one.description && h("small", {}, textOf(one.description));
    group.append(h("label", {}, input, h("span", {}, textOf(one.text), small)));
  }
  return group;
}

/** @param {Place} place @returns {HTMLElement} */
function select(place) {
  const { surface, block, element, common } = place;
  const before = surface.valueOf(block, element);
  const mine = (/** @type {Option} */ one) =>
    h("option", { value: one.value, selected: one.value === before }, one.text.text);
  const groups = element.option_groups?.map((/** @type {any} */ group) =>
    h("optgroup", { label: group.label.text }, group.options.map(mine)),
  );
  const none = h("option", { value: "" }, element.placeholder?.text ?? tell("Choose…"));
  const node = h("select", common, none, groups ?? optionsOf(element).map(mine));
  node.addEventListener("change", () => entered(place, /** @type {HTMLSelectElement} */ (node).value || null, node));
  return node;
}

/** @param {Place} place @returns {HTMLElement} */
function writing(place) {
  const { surface, block, element, common } = place;
  const rich = element.type === "rich_text_input";
  const before = surface.valueOf(block, element);
  const long = rich || element.multiline;
  const node = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (
    h(long ? "textarea" : "input", {
      ...common,
      placeholder: element.placeholder?.text,
      rows: long ? 4 : null,
      type: long ? null : "text",
      autocomplete: "off",
    })
  );
  node.value = rich ? "" : (before ?? "");
  const value = () => (rich ? richText(node.value) : node.value);
  node.addEventListener("input", () => {
    surface.typing?.(block, element, value());
    if (element.dispatch_action_config?.trigger_actions_on?.includes("on_character_entered")) entered(place, value(), node);
  });
  if (block.dispatch_action) {
    node.addEventListener("keydown", (event) => {
      const key = /** @type {KeyboardEvent} */ (event);
      if (key.key === "Enter" && !key.isComposing && !key.shiftKey) {
        key.preventDefault();
        entered(place, value(), node);
      }
    });
  } else {
    node.addEventListener("change", () => entered(place, value(), node));
  }
  return node;
}

/** Files are sent when they are chosen; what is entered are their ids. @param {Place} place @returns {HTMLElement} */
function fileField(place) {
  const { element, common } = place;
  const node = /** @type {HTMLInputElement} */ (
    h("input", { ...common, type: "file", multiple: (element.max_files ?? 10) > 1, accept: accepted(element) })
  );
  const told = h("small", { class: "soft" }, filesOf(place).join(", "));
  node.addEventListener("change", () =>
    attempt(async () => {
      const chosen = [...(node.files ?? [])].slice(0, element.max_files ?? 10);
      const sent = await Promise.all(chosen.map((file) => upload(world.route.user ?? "", file)));
      fill(told); // the browser shows what was chosen last
      entered(place, sent.map((file) => file.id), node);
    }, node),
  );
  return h("div", { class: "given" }, node, told);
}

/** The names of the files that were given before. @param {Place} place */
function filesOf({ surface, block, element }) {
  const ids = surface.valueOf(block, element) ?? [];
  const known = surface.filesOf?.(block, element) ?? [];
  return ids.map((/** @type {string} */ id) => known.find((/** @type {any} */ one) => one.id === id)?.name ?? id);
}

/** @param {Element} element */
function accepted(element) {
  return element.filetypes?.map((/** @type {string} */ one) => `.${one}`).join(",");
}

/** @type {Record<string, string>} element type -> type of the HTML input */
const FIELDS = {
  datepicker: "date",
  timepicker: "time",
  datetimepicker: "datetime-local",
  number_input: "number",
  email_text_input: "email",
  url_text_input: "url",
};

/** @param {Place} place @returns {HTMLElement} */
function field(place) {
  const { surface, block, element, common } = place;
  const moment = element.type === "datetimepicker";
  const before = surface.valueOf(block, element);
  const node = /** @type {HTMLInputElement} */ (
    h("input", {
      ...common,
      type: FIELDS[element.type] ?? "text",
      placeholder: element.placeholder?.text,
      step: element.is_decimal_allowed ? "any" : null,
      min: element.min_value,
      max: element.max_value,
    })
  );
  node.value = moment && before ? localTime(before) : (before ?? "");
  const value = () => (moment ? Date.parse(node.value) / 1000 || null : node.value || null);
  node.addEventListener("input", () => surface.typing?.(block, element, value()));
  node.addEventListener("change", () => entered(place, value(), node));
  return node;
}

/** @param {number} seconds since 1970 */
function localTime(seconds) {
  const offset = new Date(seconds * 1000).getTimezoneOffset() * 60;
  return new Date((seconds - offset) * 1000).toISOString().slice(0, 16);
}

/** @param {string} text */
function richText(text) {
  if (!text) return null;
  return { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }] };
}
