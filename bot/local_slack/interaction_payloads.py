"""The fields that interaction payloads share: who acted, and where."""

from __future__ import annotations

from .model import Channel, Json, ResponseUrl, User
from .workspace import Workspace

RESPONSE_URL_LIFETIME = 30 * 60  # seconds


def identity(workspace: Workspace) -> Json:
    """Team, enterprise and app, as every interaction names them."""
    return {
        "api_app_id": workspace.app.id,
        "token": workspace.app.verification_token,
        "is_enterprise_install": workspace.is_enterprise_install,
        **_company(workspace),
    }


def view_identity(workspace: Workspace, user: User) -> Json:
    """`identity` for view_submission and view_closed, which name the person's own team.

    Ours is in the view's `app_installed_team_id`.
    """
    if workspace.is_local(user.id):
        return identity(workspace)
    return identity(workspace) | {"team": {"id": user.team_id, "domain": domain(workspace, user)}, "enterprise": None}


def _company(workspace: Workspace) -> Json:
    team = workspace.team
    company: Json = {"team": {"id": team.id, "domain": team.domain}, "enterprise": None}
    if team.enterprise_id is not None:
        name = team.enterprise_name or team.enterprise_id
        company["enterprise"] = {"id": team.enterprise_id, "name": name}
        company["team"] |= {"enterprise_id": team.enterprise_id, "enterprise_name": name}
    return company


def domain(workspace: Workspace, user: User) -> str:
    """The domain of the person's team."""
    team_id = workspace.team_of(user.id)
    return workspace.team.domain if team_id == workspace.team.id else team_id.lower()


def actor(workspace: Workspace, user: User) -> Json:
    return {
        "id": user.id,
        "username": user.name,
        "name": user.name,
        "team_id": workspace.team_of(user.id),
    }


def channel_reference(channel: Channel) -> Json:
    return {"id": channel.id, "name": "directmessage" if channel.is_im else channel.name}


def response_url(workspace: Workspace, user: User, channel: Channel, message_ts: str | None = None) -> str:
    """Create a URL at which the app may answer this interaction."""
    url = ResponseUrl(
        id=workspace.new_id("R"),
        user=user.id,
        channel=channel.id,
        message_ts=message_ts,
        expires=workspace.now() + RESPONSE_URL_LIFETIME,
    )
    workspace.response_urls.put(url)
    return f"{workspace.app_url}/response/{url.id}"
