"""Who is acting: read from the signed payload, and never from what a button carries."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.context.async_context import AsyncBoltContext

from engine.errors import NotAllowed
from engine.kernel import Tenant


def tenant_of(context: AsyncBoltContext) -> Tenant:
    """Return the workspace that the signed payload names."""
    return Tenant(context.team_id or "", context.enterprise_id or "")


def actor_of_click(body: Mapping[str, Any], tenant: Tenant) -> str:
    """Return who clicked, or who sent a form."""
    return _actor(body["user"]["id"], body["user"].get("team_id"), tenant)


def actor_of_message(event: Mapping[str, Any], tenant: Tenant) -> str:
    """Return who wrote a message."""
    return _actor(event["user"], event.get("user_team") or event.get("source_team") or event.get("team"), tenant)


def actor_of_person(told: Mapping[str, Any], tenant: Tenant) -> str:
    """Return as whom somebody would act who was chosen from a list.

    Args:
        told: the person, as Slack's ``users.info`` describes them.
    """
    home = str(told.get("team_id") or "")
    return f"{told['id']}@{home}" if told.get("is_stranger") else _actor(told["id"], home, tenant)


def is_from_outside(actor: str) -> bool:
    """Whether the actor belongs to another company."""
    return "@" in actor


def check_colleague(context: AsyncBoltContext, actor: str) -> None:
    """Refuse whoever belongs to another company: colleagues answer demands, and only colleagues may ask.

    Raises:
        NotAllowed
    """
    ours = context.authorize_result and context.authorize_result.team_id
    if is_from_outside(actor) or not ours or context.team_id != ours:
        raise NotAllowed("Only people of this workspace can ask here.")


def _actor(user_id: str, home: str | None, tenant: Tenant) -> str:
    """Return the user's id; for somebody of another company, the id with their home.

    An id with a home is no user here: it may vote for nobody, and the record says who it was.
    """
    return user_id if not home or home in (tenant.team_id, tenant.enterprise_id) else f"{user_id}@{home}"
