"""What one person sees and has not read: channels, messages and views without what is meant for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from . import blocks as blockkit
from .limits import NotPossible
from .model import Channel, Message, ReadMark, User, View
from .requests import Read
from .workspace import Workspace


def visible_channel(workspace: Workspace, user: User, channel_id: str) -> Channel:
    channel = workspace.channels.get(channel_id)
    if channel is None or not workspace.can_see(user.id, channel):
        raise NotPossible(f"{user.id} sees no channel {channel_id}.")
    return channel


def visible_message(workspace: Workspace, user: User, channel_id: str, ts: str) -> Message:
    channel = visible_channel(workspace, user, channel_id)
    message = workspace.messages.at(channel.id, ts)
    if message is None or message.visible_to not in (None, user.id):
        raise NotPossible(f"{user.id} sees no message {ts} in {channel_id}.")
    return as_seen_by(message, user)


def visible_messages(workspace: Workspace, user: User, channel_id: str, thread_ts: str | None = None) -> list[Message]:
    """A channel's messages, or a thread with its first message; oldest first."""
    channel = visible_channel(workspace, user, channel_id)
    if thread_ts is None:
        messages = workspace.messages.history(channel.id)
    else:
        root = workspace.messages.root(channel.id, thread_ts)
        messages = [*([root] if root else []), *workspace.messages.replies(channel.id, thread_ts)]
    return [as_seen_by(message, user) for message in messages if message.visible_to in (None, user.id)]


def visible_conversation(workspace: Workspace, user: User, channel_id: str) -> list[Message]:
    """A channel's messages, and those of its threads; oldest first."""
    there: dict[str, Message] = {}
    for each in visible_messages(workspace, user, channel_id):
        there |= {message.ts: message for message in visible_messages(workspace, user, channel_id, each.ts)}
    return [there[ts] for ts in sorted(there)]


def as_seen_by(message: Message, user: User) -> Message:
    return message.model_copy(update={"blocks": blockkit.visible_blocks(message.blocks, user.id)})


def open_view(workspace: Workspace, user: User, view_id: str) -> View:
    """An open modal or the Home tab of this person."""
    view = workspace.modals.get(view_id)
    if view is None:
        view = next((home for home in workspace.homes if home.id == view_id), None)
    if view is None or view.user != user.id:
        raise NotPossible(f"{user.id} has no view {view_id} open.")
    return view


class Unread(BaseModel):
    """A channel, or a thread in it, with new messages by others. `mentions`: how many of them call this person."""

    channel: str
    thread_ts: str | None = None
    since: str  # the first new message
    count: int
    mentions: int


def unread(workspace: Workspace, user: User) -> Iterator[Unread]:
    """Of the channels that this person is in; only of threads they wrote in, or were called or answered in."""
    for channel in workspace.channels:
        if user.id not in channel.members:
            continue
        roots = _visible_to(user, workspace.messages.history(channel.id))
        yield from _new(workspace, user, channel, roots)
        for root in roots:
            replies = _visible_to(user, workspace.messages.replies(channel.id, root.ts))
            if replies and any(_concerns(user, message) for message in (root, *replies)):
                yield from _new(workspace, user, channel, replies, root.ts)


def read(workspace: Workspace, user: User, request: Read) -> ReadMark:
    """Move the person's read mark forward; it never moves back."""
    channel = visible_channel(workspace, user, request.channel)
    mark = ReadMark(user=user.id, channel=channel.id, thread_ts=request.thread_ts, ts=request.ts)
    before = workspace.read_marks.get(mark.key)
    return before if before is not None and before.ts >= mark.ts else workspace.read_marks.put(mark)


def _new(
    workspace: Workspace, user: User, channel: Channel, messages: Sequence[Message], thread_ts: str | None = None
) -> Iterator[Unread]:
    mark = workspace.read_marks.get(f"{user.id}/{channel.id}/{thread_ts or ''}")
    new = [one for one in messages if one.user != user.id and (mark is None or one.ts > mark.ts)]
    if new:
        calling = [one for one in new if channel.is_im or one.visible_to == user.id or _calls(user, one)]
        yield Unread(channel=channel.id, thread_ts=thread_ts, since=new[0].ts, count=len(new), mentions=len(calling))


def _visible_to(user: User, messages: Iterable[Message]) -> list[Message]:
    return [message for message in messages if message.visible_to in (None, user.id) and not message.deleted]


def _concerns(user: User, message: Message) -> bool:
    return user.id in (message.user, message.visible_to) or _calls(user, message)


def _calls(user: User, message: Message) -> bool:
    mention = f"<@{user.id}>"
    return mention in message.text or mention in str(message.blocks)
