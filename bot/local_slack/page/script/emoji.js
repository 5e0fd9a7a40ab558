/** The emoji that apps use most; other names are shown as they are written. */

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

/**
 * @param {string} text
 * @returns {string} with `:names:` as pictures
 */
export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => EMOJI.get(name) ?? whole);
}
