"""Channels and DMs."""

from __future__ import annotations

from ..model import Channel, Json
from ..workspace import Workspace


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
