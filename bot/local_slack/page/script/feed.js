/** The live feed. It reconnects by itself and reports that, since changes in between were missed. */

import { person } from "./api.js";

const SHORTEST = 1000; // milliseconds until the next try; then ever longer
const GROWTH = 1.5;
const LONGEST = 30000;

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
  let pause = SHORTEST;

  function open() {
    close();
    if (document.hidden) return;
    source = new EventSource(`${person(user)}/feed`);
    source.onopen = () => {
      pause = SHORTEST;
      turned(true);
    };
    source.onmessage = (event) => heard(JSON.parse(event.data));
    source.onerror = () => {
      // The browser would come back in even steps, and not at all once it was answered with an error.
      close();
      turned(false);
      timer = window.setTimeout(open, pause);
      pause = Math.min(LONGEST, pause * GROWTH);
    };
  }

  function close() {
    window.clearTimeout(timer);
    source?.close();
    source = null;
  }

  // Whoever looks at the page again waits no longer.
  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    document.removeEventListener("visibilitychange", open);
    close();
  };
}
