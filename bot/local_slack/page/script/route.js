/** Keeps the route in the address: a reload shows the same, and each tab may be another person. */

/** @typedef {{user: string | null, place: string | null, thread: string | null, message: string | null}} Route */

export const HOME = "home";

const PERMALINK = /^\/archives\/(\w+)\/p(\d+)(\d{6})$/;

/** @returns {Route} */
export function here() {
  const [user, place, thread, message] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { user: user || null, place: place || null, thread: thread || null, message: message || null };
}

/**
 * @param {string | null} user
 * @param {string | null} [place] a channel's id, or HOME
 * @param {string | null} [thread]
 * @param {string | null} [message] one in the thread
 */
export function address(user, place = null, thread = null, message = null) {
  const parts = [user, place, thread, message].filter((part) => part !== null);
  return `#/${parts.map((part) => encodeURIComponent(part ?? "")).join("/")}`;
}

/**
 * @param {string | null} user
 * @param {string | null} [place]
 * @param {string | null} [thread]
 */
export function go(user, place = null, thread = null) {
  location.hash = address(user, place, thread);
}

/**
 * Where a message's permalink leads within the page; null for any other address.
 *
 * @param {string} href
 * @returns {string | null}
 */
export function within(href) {
  const url = new URL(href);
  const found = url.origin === location.origin ? PERMALINK.exec(url.pathname) : null;
  if (!found) return null;
  const [, channel, seconds, micros] = found;
  const ts = `${seconds}.${micros}`;
  const thread = url.searchParams.get("thread_ts");
  return thread ? address(here().user, channel, thread, ts) : address(here().user, channel, ts);
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
