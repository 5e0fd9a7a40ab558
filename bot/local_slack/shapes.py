"""Converts records into the JSON of Slack's API and events."""

from __future__ import annotations

import mimetypes
from datetime import datetime
from zoneinfo import ZoneInfo

from .model import Channel, File, Json, Message, User, View
from .workspace import Workspace


def channel_shape(workspace: Workspace, channel: Channel) -> Json:
    others = workspace.other_teams(channel)
    is_ext_shared = workspace.is_ext_shared(channel)
    shape: Json = {
        "id": channel.id,
        "created": channel.created,
        "is_im": channel.is_im,
        "is_org_shared": False,
        "context_team_id": workspace.team.id,
        "updated": channel.created * 1000,
        "is_archived": channel.is_archived,
    }
    if channel.is_im:
        user = workspace.users.get(channel.user)
        gone = user is not None and user.deleted
        return shape | {"user": channel.user, "is_open": True, "is_user_deleted": gone, "priority": 0}
    return shape | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_mpim": channel.is_mpim,
        "is_private": channel.is_private,
        "is_general": channel.name == "general",
        "is_shared": is_ext_shared,
        "is_ext_shared": is_ext_shared,
        "is_pending_ext_shared": False,
        "shared_team_ids": [workspace.team.id, *others],
        "connected_team_ids": others,
        "pending_connected_team_ids": [],
        "internal_team_ids": [],
        **({"conversation_host_id": workspace.team.id} if is_ext_shared else {}),
        "is_member": workspace.app.bot_user_id in channel.members,
        "creator": channel.members[0] if channel.members else workspace.app.bot_user_id,
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": channel.purpose, "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }


def file_shape(workspace: Workspace, file: File) -> Json:
    url = f"{workspace.app_url}/files/{file.id}/{file.name}"
    kind = file.name.rpartition(".")[2].lower() if "." in file.name else "text"
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title or file.name,
        "mimetype": mimetypes.guess_type(file.name)[0] or "text/plain",
        "filetype": kind,
        "pretty_type": kind.upper(),
        "user": file.user,
        "user_team": workspace.team_of(file.user),
        "editable": False,
        "size": len(file.content or b""),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": True,
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": url,
        "url_private_download": url,
        "permalink": url,
        "permalink_public": url,
        "is_starred": False,
        "media_display_type": "unknown",
        "has_rich_preview": False,
        "file_access": "visible",
        "channels": file.channels,
        "groups": [],
        "ims": [],
    }


ICONS = ("image_36", "image_48", "image_72")


def bot_profile(workspace: Workspace) -> Json:
    app = workspace.app
    return {
        "id": app.bot_id,
        "app_id": app.id,
        "user_id": app.bot_user_id,
        "name": app.name,
        "icons": dict.fromkeys(ICONS, f"{workspace.url}/icon.png"),
        "deleted": False,
        "updated": 0,
        "team_id": workspace.team.id,
    }


def user_shape(workspace: Workspace, user: User, *, locale: bool = False) -> Json:
    offset = datetime.fromtimestamp(workspace.now(), ZoneInfo(user.tz)).utcoffset()
    shape: Json = {
        "id": user.id,
        "team_id": workspace.team_of(user.id),
        "name": user.name,
        "deleted": user.deleted,
        "color": "4bbe2e",
        "real_name": user.real_name or user.name,
        "tz": user.tz,
        "tz_label": user.tz,
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "profile": _profile(workspace, user),
        "is_admin": user.is_admin,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": 0,
    }
    if not workspace.is_local(user.id):
        shape["is_stranger"] = not _shares_a_channel(workspace, user)
    return shape | ({"locale": user.locale} if locale else {})


def _profile(workspace: Workspace, user: User) -> Json:
    real_name = user.real_name or user.name
    profile: Json = {
        "title": user.title,
        "real_name": real_name,
        "real_name_normalized": real_name,
        "display_name": user.display_name,
        "display_name_normalized": user.display_name,
        "status_text": user.status_text,
        "status_emoji": user.status_emoji,
        "status_expiration": user.status_expiration,
        "avatar_hash": "0",
        "team": workspace.team_of(user.id),
    }
    if user.email is not None:
        profile["email"] = user.email
    if user.id == workspace.app.bot_user_id:
        profile |= {"api_app_id": workspace.app.id, "bot_id": workspace.app.bot_id}
    return profile


def _shares_a_channel(workspace: Workspace, user: User) -> bool:
    """Is this person in a channel with the app? Slack calls only those of another company strangers who are not."""
    return any(
        {user.id, workspace.app.bot_user_id} <= set(channel.members)
        for channel in workspace.channels
        if not channel.is_im
    )


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


def view_shape(workspace: Workspace, view: View) -> Json:
    return {
        "id": view.id,
        "team_id": workspace.team_of(view.user),
        "type": view.type,
        "blocks": view.blocks,
        "private_metadata": view.private_metadata,
        "callback_id": view.callback_id,
        "state": {"values": view.values},
        "hash": view.hash,
        "title": view.title or {"type": "plain_text", "text": "View Title", "emoji": True},
        "clear_on_close": view.clear_on_close,
        "notify_on_close": view.notify_on_close,
        "close": view.close,
        "submit": view.submit,
        "previous_view_id": view.previous_view_id,
        "root_view_id": view.root_view_id,
        "app_id": workspace.app.id,
        "external_id": view.external_id,
        "app_installed_team_id": workspace.team.id,
        "bot_id": workspace.app.bot_id,
    }
