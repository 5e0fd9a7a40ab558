/** The live feed. It reconnects by itself and reports that, since changes in between were missed. */

import { person } from "./api.js";

const PAUSE = 1000; // milliseconds until the next try

/**
 * Browsers allow six connections to one host, so a page that nobody looks at gives its own back.
 *
 * @param {string} user
 * @param {(change: import("./types.js").Change) => void} heard
 * @param {(connected: boolean) => void} turned
 * @returns {() => void} ends it
 */
export function listen(user, heard, turned) {
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;

  function open() {
    close();
    if (document.hidden) return;
    source = new EventSource(`${person(user)}/feed`);
    source.onopen = () => turned(true);
    source.onmessage = (event) => heard(JSON.parse(event.data));
    source.onerror = () => {
      turned(false);
      // The browser tries again by itself, unless it was answered with an error.
      if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(open, PAUSE);
    };
  }

  function close() {
    window.clearTimeout(timer);
    source?.close();
    source = null;
  }

  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    close();
  };
}
