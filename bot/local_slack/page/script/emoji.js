/** The emoji that apps use most; other names are shown as they are written. */

import { tell } from "./words.js";

const EMOJI = new Map(
  Object.entries({
    "+1": "👍", "-1": "👎", thumbsup: "👍", thumbsdown: "👎", wave: "👋", eyes: "👀", tada: "🎉", rocket: "🚀",
    white_check_mark: "✅", heavy_check_mark: "✔️", ballot_box_with_check: "☑️", x: "❌", warning: "⚠️",
    no_entry: "⛔", octagonal_sign: "🛑", hourglass: "⌛", hourglass_flowing_sand: "⏳", speech_balloon: "💬", handshake: "🤝",
    raised_hand: "✋", pray: "🙏", bulb: "💡", memo: "📝", calendar: "📅", robot_face: "🤖", heart: "❤️",
    smile: "😄", slightly_smiling_face: "🙂", thinking_face: "🤔", star: "⭐", fire: "🔥", bell: "🔔", lock: "🔒",
    point_right: "👉", point_up: "☝️", arrow_right: "➡️", busts_in_silhouette: "👥", information_source: "ℹ️",
  }),
);

/** What some of them are called when they are read aloud; the others by their names. */
const CALLED = new Map(
  Object.entries({
    "+1": "thumbs up", "-1": "thumbs down", thumbsup: "thumbs up", thumbsdown: "thumbs down", tada: "celebration",
    white_check_mark: "check mark", heavy_check_mark: "check mark", ballot_box_with_check: "check mark", x: "cross",
    hourglass_flowing_sand: "hourglass",
  }),
);

/**
 * @param {string} name of an emoji
 * @returns {string} as somebody would say it
 */
export function called(name) {
  return tell(CALLED.get(name) ?? name.replaceAll(/[_-]+/g, " "));
}

/**
 * @param {string} text
 * @returns {string} with `:names:` as pictures
 */
export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => EMOJI.get(name) ?? whole);
}
