"""conversations.history and conversations.replies: what the app can read. Ephemeral messages are not in it."""

from __future__ import annotations

from ..clock import micros
from ..limits import LONGEST_PAGE
from ..model import Json, Message
from ..refusals import Refusal
from ..shapes import message_shape
from ..workspace import Workspace
from .calls import Call
from .paging import page
from .targets import joined_channel_of


def history(workspace: Workspace, call: Call) -> Json:
    """Newest first."""
    channel = joined_channel_of(workspace, call)
    found = [message for message in workspace.messages.history(channel.id) if _wanted(call, message)]
    return _answer(workspace, call, found[::-1]) | {"pin_count": 0}


def replies(workspace: Workspace, call: Call) -> Json:
    """The thread's first message, then its replies, oldest first."""
    channel = joined_channel_of(workspace, call)
    asked = workspace.messages.root(channel.id, call.required("ts"))
    if asked is None or asked.visible_to is not None:
        raise Refusal("thread_not_found")
    root = workspace.messages.root(channel.id, asked.thread_ts) if asked.is_reply else asked
    below = workspace.messages.replies(channel.id, asked.thread_ts or asked.ts)
    return _answer(workspace, call, [*([root] if root else []), *(one for one in below if _wanted(call, one))])


def _wanted(call: Call, message: Message) -> bool:
    if message.visible_to is not None:
        return False
    at = micros(message.ts)
    slack = 0 if call.flag("inclusive") else 1
    oldest, latest = call.text("oldest"), call.text("latest")
    try:
        after_oldest = not oldest or at >= micros(oldest) + slack
        return after_oldest and (not latest or at <= micros(latest) - slack)
    except ValueError:
        raise Refusal("invalid_ts_oldest" if oldest else "invalid_ts_latest") from None


def _answer(workspace: Workspace, call: Call, messages: list[Message]) -> Json:
    metadata = call.flag("include_all_metadata")
    most = LONGEST_PAGE if workspace.limits.distributed else None
    shapes = [message_shape(workspace, message, metadata=metadata) for message in messages]
    answer = page(call, "messages", shapes, most=most)
    return answer | {"has_more": bool(answer["response_metadata"]["next_cursor"])}
