"""auth.test, users.*, bots.info, team.info, reactions.* and api.test."""

from __future__ import annotations

from ..limits import Refusal
from ..model import Json, Message, User
from ..shapes import bot_profile, user_shape
from ..workspace import Workspace
from .calls import Call, message_of, page


def auth_test(workspace: Workspace, call: Call) -> Json:
    team, app = workspace.team, workspace.app
    answer: Json = {
        "url": f"{workspace.url}/",
        "team": team.name,
        "user": app.bot_user_name,
        "team_id": team.id,
        "user_id": app.bot_user_id,
        "bot_id": app.bot_id,
        "is_enterprise_install": False,
    }
    if call.token == app.app_token:
        answer = {"app_name": app.name, "app_id": app.id}
    return answer | ({"enterprise_id": team.enterprise_id} if team.enterprise_id else {})


def user_info(workspace: Workspace, call: Call) -> Json:
    user = workspace.users.get(call.text("user"))
    if user is None:
        raise Refusal("user_not_found")
    return {"user": user_shape(workspace, user, locale=call.flag("include_locale"))}


def user_list(workspace: Workspace, call: Call) -> Json:
    locale = call.flag("include_locale")
    members = [user_shape(workspace, user, locale=locale) for user in workspace.users]
    return page(call, "members", members) | {"cache_ts": int(workspace.now())}


def group_list(workspace: Workspace, call: Call) -> Json:
    """usergroups.list: the user groups of this workspace, without who is in them."""
    shown = [
        {"id": each.id, "team_id": workspace.team.id, "is_usergroup": True, "name": each.name, "handle": each.handle}
        for each in workspace.user_groups
    ]
    return {"usergroups": shown}


def group_members(workspace: Workspace, call: Call) -> Json:
    """usergroups.users.list: who is in a user group and has an account."""
    group = workspace.user_groups.get(call.required("usergroup"))
    if group is None:
        raise Refusal("no_such_subteam")
    return {"users": workspace.active(group.users)}


def not_to_be_disturbed(workspace: Workspace, call: Call) -> Json:
    """dnd.teamInfo: of 50 people at the most, whose notifications are paused next."""
    asked = [each for each in call.required("users").split(",") if each]
    if len(asked) > 50:
        raise Refusal("too_many_users")
    known = [user for each in asked if (user := workspace.users.get(each)) is not None]
    return {"users": {user.id: _paused(user) for user in known}}


def _paused(user: User) -> Json:
    begins, ends = user.dnd or (1, 1)
    return {"dnd_enabled": user.dnd is not None, "next_dnd_start_ts": begins, "next_dnd_end_ts": ends}


def bot_info(workspace: Workspace, call: Call) -> Json:
    if call.text("bot", workspace.app.bot_id) != workspace.app.bot_id:
        raise Refusal("bot_not_found")
    return {"bot": bot_profile(workspace)}


def team_info(workspace: Workspace, call: Call) -> Json:
    team = workspace.team
    shape: Json = {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "icon": {}}
    if team.enterprise_id is not None:
        shape |= {"enterprise_id": team.enterprise_id, "enterprise_name": team.enterprise_name}
    return {"team": shape}


def add_reaction(workspace: Workspace, call: Call) -> Json:
    message, name, users = _reaction(workspace, call)
    if workspace.app.bot_user_id in users:
        raise Refusal("already_reacted")
    return _with_reaction(workspace, message, name, [*users, workspace.app.bot_user_id])


def remove_reaction(workspace: Workspace, call: Call) -> Json:
    message, name, users = _reaction(workspace, call)
    if workspace.app.bot_user_id not in users:
        raise Refusal("no_reaction")
    return _with_reaction(workspace, message, name, [each for each in users if each != workspace.app.bot_user_id])


def _reaction(workspace: Workspace, call: Call) -> tuple[Message, str, list[str]]:
    """The message, the emoji, and who has reacted with it."""
    message = message_of(workspace, call, "timestamp")
    name = call.required("name").strip(":")
    return message, name, message.reactions.get(name, [])


def _with_reaction(workspace: Workspace, message: Message, name: str, users: list[str]) -> Json:
    kept = {each: by for each, by in {**message.reactions, name: users}.items() if by}
    workspace.messages.put(message.model_copy(update={"reactions": kept}))
    return {}


def api_test(workspace: Workspace, call: Call) -> Json:
    if call.text("error"):
        raise Refusal(call.text("error"))
    return {"args": dict(call.arguments)}
