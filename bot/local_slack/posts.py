"""Posting, editing and deleting messages: the rules that hold for the app and for people alike."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from . import blocks as blockkit
from .events import announce_deletion, announce_edit, announce_message
from .limits import Refusal
from .model import Channel, Edited, Json, Message, micros
from .workspace import Workspace

LONGEST_TEXT = 40_000  # characters; Slack cuts what is longer
LONGEST_BLOCKS = 13_000  # characters of JSON
ONLY_THREADS = "restricted_action_thread_only_channel"  # a channel that takes replies alone
NO_THREADS = "restricted_action_non_threadable_channel"  # a channel that takes no replies
SLACKBOT = "USLACKBOT"
STAMP = re.compile(r"\d{1,20}\.\d{6}")


@dataclass(frozen=True)
class Draft:
    """A message before it has a place."""

    text: str = ""
    blocks: list[Json] = field(default_factory=list)
    attachments: list[Json] = field(default_factory=list)
    metadata: Json | None = None
    thread_ts: str | None = None
    broadcast: bool = False
    files: list[str] = field(default_factory=list)
    me: bool = False
    workflow: str = ""


def post(workspace: Workspace, channel: Channel, author: str, draft: Draft, visible_to: str | None = None) -> Message:
    """The message, stored and announced."""
    check_draft(channel, draft)
    if author == workspace.app.bot_user_id and visible_to is None:
        _check_restriction(workspace, channel, draft)
    check_surfaces(workspace, draft.blocks)
    thread_ts = _thread_root(workspace, channel, draft.thread_ts)
    message = Message(
        channel=channel.id,
        ts=workspace.timestamps.next(),
        user=author,
        text=draft.text[:LONGEST_TEXT],
        blocks=blockkit.filled(draft.blocks),
        attachments=draft.attachments,
        thread_ts=thread_ts,
        broadcast=draft.broadcast and thread_ts is not None,
        bot_id=_bot_of(workspace, author, draft),
        workflow=draft.workflow,
        me=draft.me,
        metadata=draft.metadata,
        files=draft.files,
        visible_to=visible_to,
    )
    workspace.messages.put(message)
    announce_message(workspace, message)
    return message


def _bot_of(workspace: Workspace, author: str, draft: Draft) -> str | None:
    if draft.workflow:
        return author
    return workspace.app.bot_id if author == workspace.app.bot_user_id else None


def check_draft(channel: Channel, draft: Draft) -> None:
    """Raises Refusal as `post` does, for callers that have to do something else before they post."""
    if channel.is_archived:
        raise Refusal("is_archived")
    if not (draft.text or draft.blocks or draft.attachments or draft.files):
        raise Refusal("no_text")
    check_blocks(draft.blocks)
    if draft.thread_ts is not None and not STAMP.fullmatch(draft.thread_ts):
        raise Refusal("invalid_thread_ts")


def _check_restriction(workspace: Workspace, channel: Channel, draft: Draft) -> None:
    """Raises Refusal: who may post here was restricted, and the app is not among them."""
    in_thread = draft.thread_ts is not None
    if channel.restricted == ONLY_THREADS and in_thread:
        return
    if channel.restricted == NO_THREADS and not in_thread:
        return
    if channel.restricted:
        raise Refusal(channel.restricted)


def check_surfaces(workspace: Workspace, blocks: list[Json]) -> None:
    """Raises Refusal: some of the blocks are unknown to an older workspace."""
    unknown = [block["type"] for block in blocks if block["type"] in blockkit.NEWER]
    if unknown and not workspace.surfaces.blocks:
        raise Refusal("invalid_blocks", [f"unsupported type: {unknown[0]} [json-pointer:/blocks]"])


def edit(
    workspace: Workspace,
    message: Message,
    *,
    text: str | None = None,
    blocks: list[Json] | None = None,
    attachments: list[Json] | None = None,
    metadata: Json | None = None,
) -> Message:
    """The message with what was given replaced. Text without blocks takes the place of the blocks, too.

    Slack marks a message as edited only when it is shown by its text.

    Raises:
        Refusal: the channel is archived, the time for edits over, the blocks are wrong, or nothing is left to say.
    """
    check_active(workspace, message)
    window = workspace.team.edit_window
    if window is not None and workspace.now() > micros(message.ts) / 1_000_000 + window:
        raise Refusal("edit_window_closed")
    if blocks is not None:
        check_blocks(blocks)
        check_surfaces(workspace, blocks)
    changes: Json = {}
    if blocks is None and text is not None:
        blocks = []
        changes["edited"] = Edited(user=message.user, ts=workspace.timestamps.next())
    given = {"text": text, "attachments": attachments, "metadata": metadata}
    changes |= {name: value for name, value in given.items() if value is not None}
    if blocks is not None:
        changes["blocks"] = blockkit.filled(blocks)
    after = message.model_copy(update=changes)
    if not (after.text or after.blocks or after.attachments or after.files):
        raise Refusal("no_text")
    workspace.messages.put(after)
    announce_edit(workspace, message, after)
    return after


def delete(workspace: Workspace, message: Message) -> None:
    """Delete the message. A root with replies leaves a tombstone, which goes with the last of its replies.

    Raises:
        Refusal: the channel is archived.
    """
    check_active(workspace, message)
    messages = workspace.messages
    root = messages.root(message.channel, message.ts)
    if root is not None and root.reply_count:
        tombstone = messages.put(_tombstone(message))
        announce_edit(workspace, message, tombstone)
        return
    messages.put(message.model_copy(update={"deleted": True}))
    announce_deletion(workspace, message)
    above = messages.root(message.channel, message.thread_ts) if message.is_reply else None
    if above is not None and above.tombstone and not above.reply_count:
        delete(workspace, above)


def check_active(workspace: Workspace, message: Message) -> None:
    """Raises Refusal where nothing can be changed any more. Slack's code differs from the one for posting."""
    if workspace.channels[message.channel].is_archived:
        raise Refusal("is_inactive")


def _tombstone(message: Message) -> Message:
    return Message(
        channel=message.channel, ts=message.ts, user=SLACKBOT, text="This message was deleted.", tombstone=True
    )


def check_blocks(blocks: list[Json]) -> None:
    """Raises Refusal as chat.postMessage refuses blocks."""
    problems = blockkit.block_problems(blocks, "message")
    if problems:
        raise Refusal("invalid_blocks", problems)
    if len(json.dumps(blocks, ensure_ascii=False)) > LONGEST_BLOCKS:
        raise Refusal("msg_blocks_too_long")


def _thread_root(workspace: Workspace, channel: Channel, thread_ts: str | None) -> str | None:
    """The thread's root: a reply to a reply joins the same thread.

    For a root that is gone Slack refuses nothing: the reply stands in the channel, without a thread_ts.
    """
    if thread_ts is None:
        return None
    parent = workspace.messages.root(channel.id, thread_ts)
    if parent is None or parent.visible_to is not None:
        return None
    return parent.thread_ts or parent.ts
