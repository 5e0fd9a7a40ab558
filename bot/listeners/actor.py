"""Who is acting: read from the signed payload, and never from what a button carries."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from slack_bolt.context.async_context import AsyncBoltContext

from bot.posts.languages import UserSettings
from engine.errors import NotAllowed
from engine.kernel import Tenant

NOT_TOLD: Final = "unknown"
"""The home of somebody of whom Slack does not say, while it is asked, whose company they are of."""

_ACTOR: Final = "actor"
_DIRECT: Final = "im"
STOPPED: Final = "agent_session_stopped"
"""Slack's own Stop: it ends something, and says nothing of whoever pressed it."""
RUN: Final = "function_executed"
"""A workflow runs a step of ours."""
RAN_BY: Final = "requester"
"""The step's input that says who runs the workflow. It is a `slack#/types/user_context`: only Slack fills it in."""
_EVENTS: Final = frozenset({"app_mention", "app_home_opened", STOPPED})


class CompanyNotKnown(NotAllowed):
    """Slack does not say just now whose company somebody is of; until it does, they are of another one."""


class _Acting(NamedTuple):
    """Somebody who acts, as a payload has it."""

    user: str
    home: str
    """The team or the organisation that they belong to; empty where the payload does not say."""
    is_among_us: bool
    """Whether it happened where nobody of another company is."""


def tenant_of(context: AsyncBoltContext) -> Tenant:
    return Tenant(context.team_id or "", context.enterprise_id or "")


async def keep_actor(
    context: AsyncBoltContext,
    body: Mapping[str, Any],
    tenant: Tenant,
    told_of: Callable[[str], Awaitable[UserSettings | None]],
) -> None:
    """Find out who acts, for all listeners. What only passes by, and a workflow's doing, is nobody's act.

    Slack does not always say whose company somebody is of: then it is asked, and until it answers they are of another.

    Args:
        told_of: returns what Slack says of a user; None where it does not answer.
    """
    acting = _acting(body)
    if acting is None:
        return
    if acting.home or acting.is_among_us:
        context[_ACTOR] = _as_actor(acting.user, (acting.home or tenant.team_id,), tenant)
    else:
        context[_ACTOR] = actor_of_person(acting.user, await told_of(acting.user) or UserSettings(), tenant)


def actor_in(context: AsyncBoltContext) -> str:
    return str(context[_ACTOR])


def actor_of_person(user: str, told: UserSettings, tenant: Tenant) -> str:
    """Return as whom somebody acts, or would act.

    Args:
        told: what Slack says of them.
    """
    if told.is_stranger:
        return f"{user}@{told.team or NOT_TOLD}"
    return _as_actor(user, (told.team, told.organisation), tenant)


def ran_by(event: Mapping[str, Any]) -> str:
    """Return who runs the workflow that runs our step; empty where nobody does, as with a schedule."""
    inputs = event.get("inputs")
    told = inputs.get(RAN_BY) if isinstance(inputs, Mapping) else None
    user = told.get("id") if isinstance(told, Mapping) else None
    return user if isinstance(user, str) else ""


def is_from_outside(actor: str) -> bool:
    return "@" in actor


def check_colleague(context: AsyncBoltContext, actor: str) -> None:
    """Refuse whoever belongs to another company: colleagues answer demands, and only colleagues may ask."""
    if actor.endswith(f"@{NOT_TOLD}"):
        raise CompanyNotKnown("Slack does not say just now whose company you are of; try again in a moment.")
    ours = context.authorize_result and context.authorize_result.team_id
    if is_from_outside(actor) or not ours or context.team_id != ours:
        raise NotAllowed("Only people of this workspace can ask here.")


def _acting(body: Mapping[str, Any]) -> _Acting | None:
    """Return who acts with a payload; None where it is nobody's act, or one that nobody here reads."""
    if body.get("type") == "event_callback":
        is_among_us = body.get("is_ext_shared_channel") is False and body["event"].get("type") != STOPPED
        return _in_event(body["event"], is_among_us=is_among_us)
    if "command" in body:
        return _Acting(body["user_id"], body.get("team_id") or "", is_among_us=False)
    user = body.get("user")
    if not isinstance(user, Mapping) or not user.get("id"):
        return None
    # A form belongs to the team of whoever sends it; a button and a shortcut name ours.
    own = body.get("team") if body.get("type") in ("view_submission", "view_closed") else None
    return _Acting(user["id"], user.get("team_id") or (own or {}).get("id") or "", is_among_us=False)


def _in_event(event: Mapping[str, Any], *, is_among_us: bool) -> _Acting | None:
    if event.get("type") == RUN:
        return _Acting(ran_by(event), "", is_among_us=False) if ran_by(event) else None
    user = event.get("user")
    is_for_us = event.get("type") in _EVENTS or event.get("channel_type") == _DIRECT
    if not is_for_us or not isinstance(user, str) or not user or event.get("bot_id"):
        return None
    return _Acting(user, event.get("user_team") or event.get("source_team") or event.get("team") or "", is_among_us)


def _as_actor(user_id: str, homes: tuple[str, ...], tenant: Tenant) -> str:
    """Return the user's id; for somebody of another company, the id with their home.

    An id with a home is no user here: it may vote for nobody, and the record says who it was.
    """
    told = [home for home in homes if home]
    if any(home in (tenant.team_id, tenant.enterprise_id) for home in told):
        return user_id
    return f"{user_id}@{told[0] if told else NOT_TOLD}"
