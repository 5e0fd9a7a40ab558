"""A person posts, edits, deletes, reacts."""

from __future__ import annotations

from .composer import compose
from .model import Message, User
from .posts import Draft, delete, edit, post
from .refusals import NotPossible, Refusal
from .requests import Edit, MessageReference, React, Say
from .visibility import as_seen_by, visible_channel, visible_message
from .workspace import Workspace


def say(workspace: Workspace, user: User, request: Say) -> Message:
    """The message as stored; the app is told after this returns."""
    channel = visible_channel(workspace, user, request.channel)
    if user.id not in channel.members:
        raise NotPossible(f"{user.id} is not a member of {channel.id}; add them first.")
    if request.thread_ts is not None and workspace.messages.root(channel.id, request.thread_ts) is None:
        raise NotPossible(f"There is no thread {request.thread_ts} in {channel.id}; its first message may be deleted.")
    text = compose(request.text, workspace.users)
    draft = Draft(text=text, thread_ts=request.thread_ts, broadcast=request.broadcast)
    try:
        return as_seen_by(post(workspace, channel, user.id, draft), user)
    except Refusal as refusal:
        raise NotPossible(f"{user.id} cannot post this in {channel.id}: {refusal.code}.") from None


def edit_message(workspace: Workspace, user: User, request: Edit) -> Message:
    message = _own(workspace, user, request)
    return edit(workspace, message, text=compose(request.text, workspace.users))


def delete_message(workspace: Workspace, user: User, request: MessageReference) -> None:
    """One's own; admins may delete those of others and of the app."""
    message = visible_message(workspace, user, request.channel, request.ts)
    if message.user != user.id and not user.is_admin:
        raise NotPossible(f"The message {request.ts} is by {message.user}; only they and admins can delete it.")
    delete(workspace, workspace.messages[message.key])


def react(workspace: Workspace, user: User, request: React) -> Message:
    """Add one's reaction, or take it back."""
    seen = visible_message(workspace, user, request.channel, request.ts)
    message = workspace.messages[seen.key]
    users = message.reactions.get(request.name, [])
    users = [one for one in users if one != user.id] if user.id in users else [*users, user.id]
    reactions = {**message.reactions, request.name: users}
    kept = {name: by for name, by in reactions.items() if by}
    return as_seen_by(workspace.messages.put(message.model_copy(update={"reactions": kept})), user)


def _own(workspace: Workspace, user: User, spot: MessageReference) -> Message:
    seen = visible_message(workspace, user, spot.channel, spot.ts)
    if seen.user != user.id:
        raise NotPossible(f"The message {spot.ts} is by {seen.user}; only they can change it.")
    return workspace.messages[seen.key]
