/** Keeps what people enter in a modal or on Home until it is sent. */

import { perform, use } from "./actions.js";
import { valueIn } from "./elements.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Values} Values
 */

/** @type {Map<string, Values>} what was typed, by view */
const typed = new Map();
/** One after the other: what was entered first arrives first. */
let line = Promise.resolve();

/**
 * @param {View} view
 * @param {Record<string, string>} [errors]
 * @returns {import("./elements.js").Surface}
 */
export function surfaceOf(view, errors = {}) {
  return {
    errors,
    valueOf: (block, element) => {
      const own = typed.get(view.id)?.[block.block_id]?.[element.action_id];
      return own === undefined ? valueIn(view.values[block.block_id]?.[element.action_id]) : own;
    },
    filesOf: (block, element) => view.values[block.block_id]?.[element.action_id]?.files ?? [],
    typing: (block, element, value) => {
      const values = typed.get(view.id) ?? {};
      typed.set(view.id, { ...values, [block.block_id]: { ...values[block.block_id], [element.action_id]: value } });
    },
    use: (block, element, value, node) => {
      const where = { view_id: view.id };
      if (block.type === "input" && !block.dispatch_action) {
        // Nobody is told; it is kept, so that a reload finds it.
        const kept = { ...where, block_id: block.block_id, action_id: element.action_id, value };
        inLine(() => perform("act", kept).catch(() => null));
      } else inLine(() => use("act", where, block, element, value, node));
    },
  };
}

/**
 * What was entered, of what can still be seen.
 *
 * @param {View} view
 * @returns {Values}
 */
export function enteredIn(view) {
  const own = typed.get(view.id) ?? {};
  return Object.fromEntries(Object.entries(own).filter(([block]) => view.values[block]));
}

/** @param {(id: string) => boolean} isOpen */
export function forget(isOpen) {
  for (const id of typed.keys()) if (!isOpen(id)) typed.delete(id);
}

/**
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export function inLine(action) {
  const done = line.then(action);
  line = done.then(
    () => undefined,
    () => undefined,
  );
  return done;
}
