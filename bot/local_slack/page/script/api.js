/** The local API, as one person uses it. */

import { language, tell } from "./words.js";

/** @typedef {import("./types.js").Outcome} Outcome */

/** The workspace said no, in a sentence that a person can read. */
export class Refused extends Error {}

/** @returns {Promise<import("./types.js").Overview>} */
export function overview() {
  return call("GET", "/local/overview");
}

/**
 * What this person sees.
 *
 * @param {string} user
 * @param {"channels" | "messages" | "modals" | "home" | "files" | "unread" | "sessions" | "prompts"} view
 * @param {Record<string, string>} [query]
 * @returns {Promise<any>}
 */
export function look(user, view, query = {}) {
  const asked = new URLSearchParams(query).toString();
  return call("GET", `${person(user)}/${view}${asked && `?${asked}`}`);
}

/**
 * What this person does.
 *
 * @param {string} user
 * @param {string} action
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export function act(user, action, body = {}) {
  return call("POST", `${person(user)}/${action}`, body);
}

/**
 * @param {string} user
 * @param {string} channel
 * @returns {Promise<void>}
 */
export function join(user, channel) {
  return call("POST", "/local/admin/join", { user, channel });
}

/**
 * What happened after this cursor; everything that is kept without one.
 *
 * @param {string | undefined} cursor
 * @returns {Promise<import("./types.js").Shown>}
 */
export function panel(cursor) {
  return call("GET", `/local/panel?${new URLSearchParams({ language, ...(cursor ? { after: cursor } : {}) })}`);
}

/**
 * Put the workspace's clock forward to this time, at most to what is due next.
 *
 * @param {number} due
 * @returns {Promise<void>}
 */
export function skip(due) {
  return call("POST", "/local/panel/skip", { due });
}

/**
 * A file that this person has chosen in a form.
 *
 * @param {string} user
 * @param {File} file
 * @returns {Promise<import("./types.js").SharedFile>}
 */
export function upload(user, file) {
  return call("POST", `${person(user)}/upload?${new URLSearchParams({ name: file.name })}`, file);
}

/** @param {string} user */
export function person(user) {
  return `/local/users/${encodeURIComponent(user)}`;
}

/** What every change takes: it stands in the page, and is another one at each start of the workspace. */
let token = document.querySelector('meta[name="token"]')?.getAttribute("content") ?? "";

/** What names this tab, also after a reload: the dialogs that somebody opens here are seen here alone. */
const browser = sessionStorage.getItem("browser") ?? crypto.randomUUID();
sessionStorage.setItem("browser", browser);

/** The page may be older than the workspace that is running now. */
async function renewed() {
  const page = await (await send("GET", "/")).text();
  const found = page.match(/<meta name="token" content="([^"]+)"/)?.[1] ?? token;
  const isNew = found !== token;
  token = found;
  return isNew;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object | File} [body] an object is sent as JSON, a file as it is
 */
async function send(method, path, body) {
  /** @type {RequestInit} */
  const request = { method, credentials: "omit", headers: { "X-Local-Browser": browser } };
  if (body !== undefined) {
    const raw = body instanceof File;
    request.headers = { ...request.headers, "Content-Type": raw ? "application/octet-stream" : "application/json", "X-Local-Token": token };
    request.body = raw ? body : JSON.stringify(body);
  }
  try {
    return await fetch(path, request);
  } catch {
    throw new Refused(tell("The workspace cannot be reached. Is it still running?"));
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function call(method, path, body) {
  let response = await send(method, path, body);
  if (response.status === 403 && body !== undefined && (await renewed())) response = await send(method, path, body);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error ?? tell("The workspace answered {status}.", { status: response.status }));
  return answer;
}
