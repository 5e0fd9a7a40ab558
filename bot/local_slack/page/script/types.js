/**
 * What the workspace answers: the same shapes as in model.py, installation.py, feed.py, panel.py, unread.py, outcome.py.
 *
 * @typedef {{id: string, name: string, real_name: string, display_name: string, title: string, locale: string,
 *   is_bot: boolean, is_admin: boolean, deleted: boolean, team_id: string | null}} User
 * @typedef {{id: string, name: string, members: string[], is_private: boolean, is_im: boolean, is_mpim: boolean,
 *   is_archived: boolean, user: string | null, topic: string, purpose: string}} Channel
 * @typedef {{type: string, block_id: string, [property: string]: any}} Block
 * @typedef {{type: string, action_id: string, [property: string]: any}} Element
 * @typedef {{channel: string, ts: string, user: string, workflow: string, text: string, blocks: Block[], attachments: any[],
 *   thread_ts: string | null, broadcast: boolean, bot_id: string | null, edited: object | null,
 *   reactions: Record<string, string[]>, files: string[], visible_to: string | null, tombstone: boolean,
 *   reply_count: number, latest_reply: string | null, reply_users: string[]}} Message
 * @typedef {Record<string, Record<string, any>>} Values block_id -> action_id -> what was entered
 * @typedef {{id: string, user: string, type: "modal" | "home", blocks: Block[], title: any, submit: any, close: any,
 *   hash: string, previous_view_id: string | null, values: Values}} View
 * @typedef {{id: string, name: string, title: string, content: null}} SharedFile
 * @typedef {{channel: string, thread_ts: string | null, since: string, count: number, mentions: number}} Unread
 * @typedef {{channel: string, thread_ts: string, status: string, since: number}} Session since: seconds since 1970
 * @typedef {{channel: string, title: string, prompts: {title: string, message: string}[]}} Prompts
 * @typedef {{command: string, description: string, usage_hint: string}} Command
 * @typedef {{name: string, callback_id: string, type: "global" | "message", description: string}} Shortcut
 * @typedef {{callback_id: string, title: string, description: string, inputs: Record<string, string>}} Step
 * @typedef {{id: string, name: string, bot_user_id: string, commands: Command[], shortcuts: Shortcut[], functions: Step[],
 *   home_tab: boolean, can_stop: boolean, hears_all: boolean, suggestions: string[],
 *   welcome: Record<string, string>}} App
 * @typedef {{team: {id: string, name: string}, app: App, users: User[], panel: boolean}} Overview
 * @typedef {{kind: string, channel: string | null, ts: string | null, user: string | null, view_id: string | null,
 *   message: Message | null, view: View | null}} Change
 * @typedef {{what: string, due: number | null}} Wait due: seconds since 1970, by the workspace's clock
 * @typedef {{position: number, at: number, name: string, who: string, text: string}} Entry
 * @typedef {{now: number, wait: Wait, cursor: string, whole: boolean, entries: Entry[]}} Shown
 * @typedef {{sent: boolean, acked: boolean, error: string | null, errors: Record<string, string>,
 *   modal: View | null, message: Message | null}} Outcome
 */
export {};
