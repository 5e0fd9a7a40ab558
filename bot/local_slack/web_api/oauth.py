"""oauth.v2.access, auth.revoke, apps.uninstall, auth.teams.list: what an app asks Slack itself, and no workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..installation import Grant, Registration
from ..limits import Refusal
from ..model import Json
from ..slack_itself import SlackItself
from .calls import Call

OfSlack = Callable[[SlackItself, Call], Json]


def access(slack: SlackItself, call: Call) -> Json:
    """Exchange a code, or a refresh token, for tokens."""
    slack.grants.check_client(call.text("client_id"), call.text("client_secret"))
    kind = call.text("grant_type", "authorization_code")
    if kind == "refresh_token":
        return _access_answer(slack, slack.grants.refresh(call.required("refresh_token")))
    if kind != "authorization_code":
        raise Refusal("invalid_grant_type")
    grant = slack.grants.exchange(call.required("code"), call.text("redirect_uri"))
    slack.installed(grant)
    return _access_answer(slack, grant) | {"authed_user": {"id": grant.user}}


def revoke(slack: SlackItself, call: Call) -> Json:
    """End the token; the app hears of it."""
    grant = slack.grants.whose(call.token)
    if not call.flag("test"):
        slack.remove(grant, "tokens_revoked")
    return {"revoked": not call.flag("test")}


def uninstall(slack: SlackItself, call: Call) -> Json:
    """Take the app out of where the token is of."""
    grant = slack.grants.whose(call.token)
    slack.grants.check_client(call.text("client_id"), call.text("client_secret"))
    slack.remove(grant)
    return {}


def teams(slack: SlackItself, call: Call) -> Json:
    """The workspaces that a token is good for."""
    found = slack.workspaces_of(slack.grants.whose(call.token))
    return {
        "teams": [{"id": each.team.id, "name": each.team.name} for each in found],
        "response_metadata": {"next_cursor": ""},
    }


def auth_test(slack: SlackItself, call: Call) -> Json:
    grant, app = slack.grants.whose(call.token), slack.registration.app
    return {
        "url": f"{slack.url}/",
        "team": _organisation(slack, grant),
        "user": app.bot_user_name,
        "team_id": grant.place.enterprise_id,
        "user_id": app.bot_user_id,
        "bot_id": app.bot_id,
        "enterprise_id": grant.place.enterprise_id,
        "is_enterprise_install": True,
    }


def _access_answer(slack: SlackItself, grant: Grant) -> Json:
    app = slack.registration.app
    place, is_whole = grant.place, grant.place.team_id is None
    told: Json = {
        "access_token": grant.token,
        "token_type": "bot",
        "scope": ",".join(app.scopes),
        "bot_user_id": app.bot_user_id,
        "app_id": app.id,
        "team": None if is_whole else {"id": place.team_id, "name": _name(slack, grant)},
        "enterprise": {"id": place.enterprise_id, "name": _organisation(slack, grant)} if place.enterprise_id else None,
        "is_enterprise_install": is_whole,
    }
    return told | (_expiry(slack.registration, grant) if grant.refresh_token else {})


def _expiry(registration: Registration, grant: Grant) -> Json:
    return {"refresh_token": grant.refresh_token, "expires_in": int(registration.lifetime)}


def _name(slack: SlackItself, grant: Grant) -> str:
    return next((each.team.name for each in slack.workspaces if each.team.id == grant.place.team_id), "")


def _organisation(slack: SlackItself, grant: Grant) -> str:
    teams: Sequence[str] = [
        each.team.enterprise_name or each.team.enterprise_id or ""
        for each in slack.workspaces
        if each.team.enterprise_id == grant.place.enterprise_id
    ]
    return teams[0] if teams else ""


OF_SLACK: dict[str, OfSlack] = {
    "apps.uninstall": uninstall,
    "auth.revoke": revoke,
    "auth.teams.list": teams,
    "oauth.v2.access": access,
}
"""By method. Whoever asks shows a token, or the secret of the app."""
