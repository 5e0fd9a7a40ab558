"""What a person has not read yet, in channels and in the threads that they follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from .model import Channel, Message, ReadMark, User
from .requests import Read
from .visibility import visible_channel
from .workspace import Workspace


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
