"""A message, as the Web API and events show it."""

from __future__ import annotations

from ..model import Json, Message
from ..workspace import Workspace
from .files import file_shape
from .members import bot_profile

TEAMS = ("team", "user_team", "source_team")
"""What says whose company somebody is of, where it is said at all."""


def message_shape(workspace: Workspace, message: Message, *, metadata: bool = False) -> Json:
    shape: Json = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "team": workspace.team_of(message.user),
        "text": message.text,
    }
    if shape["team"] != workspace.team.id:
        shape |= {"user_team": shape["team"], "source_team": shape["team"]}
    if message.workflow:
        shape = _without(shape, "user", *TEAMS) | {"subtype": "bot_message", "username": message.workflow}
    elif message.me:
        shape = _without(shape, *TEAMS) | {"subtype": "me_message"}
    elif message.files and message.bot_id is None:
        shape = _without(shape, *TEAMS) | {"display_as_bot": False}
    if message.tombstone:
        shape |= {"subtype": "tombstone", "hidden": True}
    if message.workflow:
        shape |= {"bot_id": message.bot_id, "app_id": "A_WORKFLOW"}
    elif message.bot_id is not None:
        shape |= {"bot_id": message.bot_id, "app_id": workspace.app.id, "bot_profile": bot_profile(workspace)}
    if message.blocks:
        shape["blocks"] = message.blocks
    if message.attachments:
        shape["attachments"] = message.attachments
    if message.edited is not None:
        shape["edited"] = message.edited.model_dump()
    if message.files:
        shape |= {"files": [file_shape(workspace, workspace.files[one]) for one in message.files], "upload": False}
    if message.reactions:
        shape["reactions"] = [
            {"name": name, "users": users, "count": len(users)} for name, users in message.reactions.items()
        ]
    if metadata and message.metadata:
        shape["metadata"] = message.metadata
    if message.visible_to is not None:
        shape["is_ephemeral"] = True
    return shape | _thread_shape(workspace, message)


def _without(shape: Json, *names: str) -> Json:
    return {name: value for name, value in shape.items() if name not in names}


def _thread_shape(workspace: Workspace, message: Message) -> Json:
    if message.is_reply:
        parent = workspace.messages.get(f"{message.channel}/{message.thread_ts}")
        shape: Json = {"thread_ts": message.thread_ts}
        if parent is not None:
            shape["parent_user_id"] = parent.user
            if message.broadcast:
                shape |= {"subtype": "thread_broadcast", "root": message_shape(workspace, parent)}
        return shape
    replies = [reply for reply in workspace.messages.replies(message.channel, message.ts) if reply.visible_to is None]
    if not replies:
        return {}
    users = list(dict.fromkeys(reply.user for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users_count": len(users),
        "reply_users": users,
        "latest_reply": replies[-1].ts,
        "is_locked": False,
        "subscribed": workspace.app.bot_user_id in users,
    }
