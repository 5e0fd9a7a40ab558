"""People and the bot."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from ..model import Json, User
from ..workspace import Workspace

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
        "status_text": "",
        "status_emoji": "",
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
