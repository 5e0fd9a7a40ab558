"""Channels and DMs."""

from __future__ import annotations

from ..model import Channel, Json
from ..workspace import Workspace


def channel_shape(workspace: Workspace, channel: Channel) -> Json:
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
        return shape | {"user": channel.user, "is_open": True, "priority": 0}
    strangers = any(
        user is not None and user.team_id not in (None, workspace.team.id)
        for user in map(workspace.users.get, channel.members)
    )
    return shape | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_channel": not channel.is_private,
        "is_group": channel.is_private,
        "is_mpim": channel.is_mpim,
        "is_private": channel.is_private,
        "is_general": channel.name == "general",
        "is_shared": strangers,
        "is_ext_shared": strangers,
        "is_member": workspace.app.bot_user_id in channel.members,
        "creator": channel.members[0] if channel.members else workspace.app.bot_user_id,
        "topic": {"value": channel.topic, "creator": "", "last_set": 0},
        "purpose": {"value": channel.purpose, "creator": "", "last_set": 0},
        "num_members": len(channel.members),
    }
