"""Whose hand it is: from the signed payload, and never from what a button carries."""

from collections.abc import Mapping
from typing import Any

from engine.kernel import Tenant


def actor_of_click(body: Mapping[str, Any], tenant: Tenant) -> str:
    """Of a click, or of a form that was sent."""
    return _actor(body["user"]["id"], body["user"].get("team_id"), tenant)


def actor_of_message(event: Mapping[str, Any], tenant: Tenant) -> str:
    return _actor(event["user"], event.get("user_team") or event.get("source_team") or event.get("team"), tenant)


def actor_of_person(told: Mapping[str, Any], tenant: Tenant) -> str:
    """Of somebody who was chosen from a list, as Slack describes them: whose hand it would be if they clicked."""
    home = str(told.get("team_id") or "")
    return f"{told['id']}@{home}" if told.get("is_stranger") else _actor(told["id"], home, tenant)


def is_from_outside(actor: str) -> bool:
    return "@" in actor


def _actor(user_id: str, home: str | None, tenant: Tenant) -> str:
    """The user; of somebody of another company with their home, which is no user here: it may vote for nobody, and
    what is on record says who it was."""
    return user_id if not home or home in (tenant.team_id, tenant.enterprise_id) else f"{user_id}@{home}"
