"""Finds channels, messages and views as one person sees them: what is meant for others is left out."""

from __future__ import annotations

from . import blocks as blockkit
from .model import Channel, Message, User, View
from .refusals import NotPossible
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
