"""A demand mentions a user group of Slack: its members are asked first, and whoever asked is told so."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.conversation import Group
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, FORBIDDEN, failure
from bot.texts import Texts
from bot.views.negotiation import notices
from engine.kernel import Tenant
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import Asked

log = logging.getLogger(__name__)

LONGEST_CALL: Final = 1.0
"""Seconds. Slack waits three for the whole answer; a demand without its group is better than none."""
MOST_GROUPS: Final = 3
MOST_PEOPLE: Final = 100
"""How many people of all groups may be asked, the first ones at once and the others for what is left open then."""


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
    """
    if not groups:
        return Named()
    directory = await services.settings.directory(tenant)
    most = services.settings.policy(RULEBOOK.protocol, directory.settings).max_candidates
    people: dict[str, Asked] = {}
    told = []
    known, others = groups[:MOST_GROUPS], groups[MOST_GROUPS:]
    for group, members in zip(known, await asyncio.gather(*(_members(client, each) for each in known)), strict=True):
        if isinstance(members, _Untold):
            told.append(notices.unknown_group(group.name, texts, is_forbidden=members.is_forbidden))
            continue
        found = {user: each for user in members if user != asking and (each := directory.of_user(user))}
        asked, later, beyond = 0, 0, 0
        for agent_id, entry in found.values():
            if entry.profile is None:
                continue
            place = [*people].index(agent_id) if agent_id in people else len(people)
            if place >= MOST_PEOPLE:
                beyond += 1
                continue
            asked, later = (asked + 1, later) if place < most else (asked, later + 1)
            people.setdefault(
                agent_id,
                Asked(
                    agent_id=agent_id,
                    display_name=entry.profile.user_name,
                    user_id=entry.profile.slack_user,
                    reason=notices.asked_by_group(group.name, texts),
                    match_type="explicit",
                    confidence=1.0,
                ),
            )
        left_out = len({*members} - {asking}) - len(found)
        told.append(notices.group_is_asked(group.name, asked, later, left_out, beyond, texts))
    if others:
        told.append(notices.too_many_groups([each.name for each in others], MOST_GROUPS, texts))
    return Named(tuple(people.values()), "\n".join(told))


class _Untold(NamedTuple):
    """Slack does not say who is in a group."""

    is_forbidden: bool
    """Whether we may not ask."""


async def _members(client: AsyncWebClient, group: Group) -> Sequence[str] | _Untold:
    try:
        async with asyncio.timeout(LONGEST_CALL):
            answer = await client.usergroups_users_list(usergroup=group.id)
    except (*CALL_ERRORS, AttributeError) as error:  # the last: what slack_sdk makes of a reply that is text
        log.info("nobody knows who is in %s: %r", group.id, error)
        return _Untold(isinstance(error, SlackApiError) and failure(error).why in FORBIDDEN)
    users = answer.get("users")
    return [str(each) for each in users] if isinstance(users, list) else _Untold(is_forbidden=False)
