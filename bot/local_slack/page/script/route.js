/** Keeps the route in the address: a reload shows the same, and each tab may be another person. */

/** @typedef {{user: string | null, place: string | null, thread: string | null}} Route */

export const HOME = "home";

/** @returns {Route} */
export function here() {
  const [user, place, thread] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { user: user || null, place: place || null, thread: thread || null };
}

/**
 * @param {string | null} user
 * @param {string | null} [place] a channel's id, or HOME
 * @param {string | null} [thread]
 */
export function address(user, place = null, thread = null) {
  const parts = [user, place, thread].filter((part) => part !== null);
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

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
