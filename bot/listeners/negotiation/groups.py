"""A demand mentions a user group of Slack: its members are asked first, and whoever asked is told so."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.conversation import Group
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS
from bot.texts import Texts
from bot.views.negotiation import notices
from engine.kernel import Tenant
from engine.negotiation.terms import Asked

log = logging.getLogger(__name__)

LONGEST_CALL: Final = 1.0
"""Seconds. Slack waits three for the whole answer; a demand without its group is better than none."""
MOST_GROUPS: Final = 3
MOST_ASKED: Final = 20
"""Members that are asked, at most."""


class Named(NamedTuple):
    people: tuple[Asked, ...] = ()
    told: str = ""
    """What whoever asked is told of it; empty where no group is mentioned."""


async def members_of(
    services: Services, client: AsyncWebClient, tenant: Tenant, groups: Sequence[Group], asking: str, texts: Texts
) -> Named:
    """Find out whom the groups mean that somebody has mentioned.

    Args:
        asking: who asks, and so is not asked.

    Raises:
        StoreError, TimeoutError
    """
    if not groups:
        return Named()
    directory = await services.settings.directory(tenant)
    people: dict[str, Asked] = {}
    told = []
    for group in groups[:MOST_GROUPS]:
        members = await _members(client, group)
        if members is None:
            told.append(notices.unknown_group(group.name, texts))
            continue
        found = [each for user in members if (each := directory.of_user(user)) and user != asking]
        for agent_id, entry in found:
            if entry.profile is not None:
                people[agent_id] = Asked(
                    agent_id=agent_id,
                    display_name=entry.profile.user_name,
                    user_id=entry.profile.slack_user,
                    reason=notices.asked_by_group(group.name, texts),
                    match_type="explicit",
                    confidence=1.0,
                )
        left_out = len([each for each in members if each != asking]) - len(found)
        told.append(notices.group_is_asked(group.name, len(found), left_out, texts))
    return Named(tuple(people.values())[:MOST_ASKED], "\n".join(told))


async def _members(client: AsyncWebClient, group: Group) -> Sequence[str] | None:
    """Return the users of a group; None where Slack does not say it, or does not let us ask."""
    try:
        async with asyncio.timeout(LONGEST_CALL):
            answer = await client.usergroups_users_list(usergroup=group.id)
    except (*CALL_ERRORS, AttributeError) as error:  # the last: what slack_sdk makes of a reply that is text
        log.info("nobody knows who is in %s: %r", group.id, error)
        return None
    users = answer.get("users")
    return [str(each) for each in users] if isinstance(users, list) else None
