"""Sends people an invitation to what was agreed, and what changes it in their calendars when the plan changes or falls.

Whoever wants one is a record: at the next start, what a process had no time for is made up for. A file that is sent
twice changes nothing: calendars know it by its UID and its sequence.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.conversation import Group
from bot.listeners.exports import put_to
from bot.listeners.interaction import Form
from bot.listeners.private_messages import write_to
from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, FORBIDDEN, CallFailed, failure
from bot.posts.slack_calls import Clients
from bot.texts import Texts
from bot.views.kit.export.form import not_invited
from bot.views.negotiation import notices
from bot.views.negotiation.export.invitation import Invited, invitation
from engine.errors import EngineError, StoreError, UnknownStream
from engine.kernel import Event, StreamKey, Tenant, decode, encode
from engine.negotiation.events import ProposalAmended, SeatGivenUp, WordsErased
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import Asked
from engine.runtime.runtime import Listener

log = logging.getLogger(__name__)

KIND: Final = "invited"
"""Of the records, by stream and user."""
CHANGES: Final = (ProposalAmended, SeatGivenUp, WordsErased)
"""After which a plan may be another one, or none."""


async def invite(form: Form, stream: str) -> None:
    """Send whoever has sent a form an invitation, and tell them where that fails."""
    services, client = form.services, form.client
    try:
        await _bring(services, client, StreamKey(form.tenant, stream), form.actor, is_wanted=True)
    except (CallFailed, EngineError, TimeoutError) as error:
        log.warning("%s has no invitation to %s: %s", form.actor, stream, error)
        await write_to(services, client, form.user, not_invited(form.known_texts()))


def heard(services: Services, clients: Clients) -> Listener:
    """Return who tells the calendars of those who were invited what has become of the plan."""

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        if any(isinstance(each, CHANGES) for each in events):
            services.background.spawn(_changed(services, clients, key))

    return listen


async def resume(services: Services, clients: Clients) -> None:
    """Make up for what the last process had no time for."""
    for tenant in await services.store.tenants():
        streams = dict.fromkeys(key.partition("/")[0] for key in await services.store.records(tenant, KIND))
        for stream in streams:
            services.background.spawn(_changed(services, clients, StreamKey(tenant, stream)))


async def _changed(services: Services, clients: Clients, key: StreamKey) -> None:
    try:
        rows = await services.store.records(key.tenant, KIND, f"{key.stream}/")
        if not rows or not await services.one_at_a_time.begin(key.tenant, f"{KIND}/{key.stream}"):
            return
    except StoreError as error:
        log.warning("those who were invited to %s hear of it after the next start: %s", key.stream, error)
        return
    try:
        for each in rows:
            await _told(services, clients, key, each.partition("/")[2])
    finally:
        await services.one_at_a_time.end(key.tenant, f"{KIND}/{key.stream}")


async def _told(services: Services, clients: Clients, key: StreamKey, user: str) -> None:
    try:
        await _bring(services, await clients(key.tenant), key, user, is_wanted=False)
    except UnknownStream:  # it has ended long ago, and was deleted
        await services.store.put_records(key.tenant, KIND, {_name(key, user): None})
    except (CallFailed, EngineError, TimeoutError) as error:
        log.warning("%s hears of a change of %s after the next start: %s", user, key.stream, error)


async def _bring(services: Services, client: AsyncWebClient, key: StreamKey, user: str, *, is_wanted: bool) -> None:
    """Send the invitation, or what changes it, by direct message."""
    tenant = key.tenant
    row = (await services.store.records(tenant, KIND, _name(key, user))).get(_name(key, user))
    state = (await services.gateway.look_up(key)).state
    asked_by = await services.texts.name(client, tenant, state.requester_id)
    texts = await services.texts.of(client, tenant, user)
    before = None if row is None else decode(row, Invited)
    sent = invitation(state, user, asked_by, before, services.now(), texts, is_wanted=is_wanted)
    if sent is None:
        return
    await put_to(client, [sent.file], sent.file.message, user)
    await _remember(services, tenant, _name(key, user), sent.invited)


async def _remember(services: Services, tenant: Tenant, name: str, invited: Invited) -> None:
    await services.store.put_records(tenant, KIND, {name: encode(invited)})


def _name(key: StreamKey, user: str) -> str:
    return f"{key.stream}/{user}"


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
