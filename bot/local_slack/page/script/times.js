/** Times, in the reader's own language and time zone. */

import { me, world } from "./world.js";

/** Now, by the workspace's clock, which may be ahead: milliseconds since 1970. */
export function now() {
  return Date.now() + (world.panel?.ahead ?? 0);
}

/** @param {string} ts @returns {Date} */
export function dateOf(ts) {
  return new Date(Number(ts) * 1000);
}

/** @param {string} ts */
export function clock(ts) {
  return written(dateOf(ts), { hour: "numeric", minute: "2-digit" });
}

/** @param {string} ts */
export function exactly(ts) {
  return written(dateOf(ts), { hour: "numeric", minute: "2-digit", second: "2-digit" });
}

/** @param {string} ts */
export function fully(ts) {
  return written(dateOf(ts), { dateStyle: "full", timeStyle: "medium" });
}

/** @param {string} ts */
export function dayOf(ts) {
  const day = pretty(dateOf(ts), { weekday: "long", month: "long", day: "numeric" });
  return day.charAt(0).toUpperCase() + day.slice(1);
}

/** @param {string} ts when: the time today, else the day, too */
export function shortly(ts) {
  return isToday(dateOf(ts)) ? clock(ts) : `${pretty(dateOf(ts), { month: "short", day: "numeric" })}, ${clock(ts)}`;
}

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const DATES = {
  date_num: { year: "numeric", month: "2-digit", day: "2-digit" },
  date: { year: "numeric", month: "long", day: "numeric" },
  date_short: { year: "numeric", month: "short", day: "numeric" },
  date_long: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
};

/**
 * Slack's `<!date^...>`.
 *
 * @param {number} seconds since 1970
 * @param {string} shape with {date_short_pretty}, {time} and so on
 * @returns {string | null} null where it is no time
 */
export function shaped(seconds, shape) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return null;
  return shape.replace(/\{(\w+)\}/g, (whole, token) => {
    const name = token.replace(/_pretty$/, "");
    if (token === "time") return written(date, { hour: "numeric", minute: "2-digit" });
    if (token === "time_secs") return written(date, { hour: "numeric", minute: "2-digit", second: "2-digit" });
    if (!(name in DATES)) return whole;
    return name === token ? written(date, DATES[name]) : pretty(date, DATES[name]);
  });
}

/**
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
function pretty(date, options) {
  const days = Math.round((midnight(date) - midnight(new Date(now()))) / 86_400_000);
  if (Math.abs(days) > 1) return written(date, options);
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(days, "day");
}

/** @param {Date} date */
function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** @param {Date} date */
function isToday(date) {
  return midnight(date) === midnight(new Date(now()));
}

/**
 * @param {Date} date
 * @param {Intl.DateTimeFormatOptions} options
 */
function written(date, options) {
  return new Intl.DateTimeFormat(language(), options).format(date);
}

/** The person's own, or the browser's where theirs is none that it knows. */
function language() {
  try {
    const own = (me()?.locale ?? "").replace("_", "-");
    return Intl.DateTimeFormat.supportedLocalesOf([own])[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
}
