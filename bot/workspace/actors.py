"""The parts that interaction payloads have in common: who acted, where."""

from __future__ import annotations

from .model import Channel, Json, ResponseUrl, User
from .workspace import Workspace

RESPONSE_URL_LIFE = 30 * 60  # seconds


def identity(workspace: Workspace) -> Json:
    """Team, enterprise and app, as every interaction names them."""
    team = workspace.team
    shape: Json = {
        "api_app_id": workspace.app.id,
        "token": workspace.app.verification_token,
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }
    if team.enterprise_id is not None:
        name = team.enterprise_name or team.enterprise_id
        shape["enterprise"] = {"id": team.enterprise_id, "name": name}
        shape["team"] |= {"enterprise_id": team.enterprise_id, "enterprise_name": name}
    return shape


def actor(workspace: Workspace, user: User) -> Json:
    return {
        "id": user.id,
        "username": user.name,
        "name": user.name,
        "team_id": user.team_id or workspace.team.id,
    }


def place(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}


def response_url(workspace: Workspace, user: User, channel: Channel, message_ts: str | None = None) -> str:
    """A new URL at which the app may answer this interaction."""
    url = ResponseUrl(
        id=workspace.new_id("R"),
        user=user.id,
        channel=channel.id,
        message_ts=message_ts,
        expires=workspace.now() + RESPONSE_URL_LIFE,
    )
    workspace.urls.put(url)
    return f"{workspace.url}/response/{url.id}"
