/** The page's state. After a change the page reads again what its person sees. */

import * as api from "./api.js";
import { HOME } from "./route.js";

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").User} User
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {{ahead: number, wait: import("./types.js").Wait, cursor: string, entries: import("./types.js").Entry[]}} Panel
 *   ahead: milliseconds from our clock to the workspace's; entries: newest first
 */

const MOST = 100; // entries: the workspace tells no more at once, so that none is missed between two of them

export const world = {
  /** @type {import("./types.js").Overview} */
  overview: {
    team: { id: "", name: "" },
    app: { id: "", name: "", bot_user_id: "", commands: [], shortcuts: [], functions: [], home_tab: false, can_stop: false, hears_all: true, suggestions: [], welcome: {} },
    users: [],
    panel: false,
  },
  /** @type {import("./route.js").Route} */
  route: { user: null, place: null, thread: null, message: null },
  /** @type {Channel[]} */
  channels: [],
  /** @type {import("./types.js").Unread[]} */
  unread: [],
  /** @type {import("./types.js").Session[]} */
  sessions: [],
  /** @type {import("./types.js").Prompts[]} */
  prompts: [],
  /** @type {Message[] | null} null until they were read */
  messages: null,
  /** @type {Message[] | null} */
  thread: null,
  /** @type {import("./types.js").View[]} */
  modals: [],
  /** @type {import("./types.js").View | null} */
  home: null,
  /** @type {import("./types.js").SharedFile[]} */
  files: [],
  /** @type {Panel | null} */
  panel: null,
  connected: true,
  /** Has somebody just come, without an address, and done nothing yet? */
  greets: false,
};

/** @typedef {"overview" | "channels" | "unread" | "messages" | "thread" | "modals" | "home" | "files" | "sessions" | "prompts" | "panel"} Part */

/** @type {Record<Part, () => Promise<any>>} */
const READERS = {
  overview: () => api.overview(),
  channels: () => api.look(self(), "channels"),
  unread: () => api.look(self(), "unread"),
  messages: () => (channel() ? api.look(self(), "messages", { channel: place() }) : none()),
  thread: () =>
    world.route.thread && channel()
      ? api.look(self(), "messages", { channel: place(), thread_ts: world.route.thread })
      : none(),
  modals: () => api.look(self(), "modals"),
  home: () => api.look(self(), "home"),
  files: () => api.look(self(), "files"),
  sessions: () => api.look(self(), "sessions"),
  prompts: () => api.look(self(), "prompts"),
  panel: () => (world.overview.panel ? readPanel() : none()),
};

/** @type {Map<Part, Promise<void>>} those that are on their way */
const reading = new Map();
/** @type {Set<Part>} those that have to be read once more, for something changed meanwhile */
const stale = new Set();

/**
 * Look again. However often it is asked for, each part is on its way once.
 *
 * @param {...Part} parts
 * @returns {Promise<void>}
 */
export async function look(...parts) {
  await Promise.all(parts.map(once));
}

/** @returns {User | undefined} who this page is */
export function me() {
  return userOf(world.route.user);
}

/**
 * @param {string | null} id
 * @returns {User | undefined}
 */
export function userOf(id) {
  return world.overview.users.find((user) => user.id === id);
}

/** @param {string | null} id */
export function nameOf(id) {
  const user = userOf(id);
  return user?.display_name || user?.real_name || user?.name || (id === "USLACKBOT" ? "Slackbot" : id ?? "");
}

/**
 * @param {string | null} [id] the open one's, if left out
 * @returns {Channel | undefined}
 */
export function channel(id = world.route.place) {
  return world.channels.find((one) => one.id === id);
}

/** @param {Channel} one */
export function titleOf(one) {
  if (one.is_im) return world.overview.app.name;
  return one.name || one.members.map(nameOf).join(", ");
}

/** @returns {Channel | undefined} the conversation with the app */
export function direct() {
  return world.channels.find((one) => one.is_im && one.user === world.route.user);
}

export function isWithApp() {
  return world.route.place === HOME || Boolean(channel()?.is_im);
}

/**
 * @param {string} channelId
 * @param {string | null} [thread]
 */
export function unreadIn(channelId, thread = null) {
  return world.unread.find((one) => one.channel === channelId && one.thread_ts === thread);
}

/** @returns {User[]} whom this page can be */
export function people() {
  return world.overview.users.filter((user) => !user.is_bot && !user.deleted);
}

/** @param {Part} part */
function once(part) {
  const running = reading.get(part);
  if (running) {
    stale.add(part);
    return running;
  }
  const started = read(part).finally(() => reading.delete(part));
  reading.set(part, started);
  return started;
}

/** @param {Part} part */
async function read(part) {
  do {
    stale.delete(part);
    const { user, place, thread } = world.route;
    if (part !== "overview" && user === null) return;
    const found = await READERS[part]();
    const now = world.route;
    const moved = user !== now.user || (part === "messages" && place !== now.place);
    if (moved || (part === "thread" && (place !== now.place || thread !== now.thread))) stale.add(part);
    else Object.assign(world, { [part]: found });
  } while (stale.has(part));
}

/** @returns {Promise<Panel>} */
async function readPanel() {
  const before = world.panel;
  const { now, wait, cursor, whole, entries } = await api.panel(before?.cursor);
  const older = whole || !before ? [] : before.entries;
  return { ahead: now * 1000 - Date.now(), wait, cursor, entries: [...entries, ...older].slice(0, MOST) };
}

function self() {
  return world.route.user ?? "";
}

function place() {
  return world.route.place ?? "";
}

async function none() {
  return null;
}
