"""Looks again whether people can when agreed plans need them, once a calendar or somebody's own days may say otherwise.

It only looks: what comes of it, if anything, a plan is told as a command. What a process had no time for is made up for
at the next start.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from engine.directory.messages import LimitConfirmed, LimitsRead, ProfileLoaded, ProfileReset, ProfileSaved
from engine.errors import EngineError, UnknownStream
from engine.facts.asked import local_day
from engine.kernel import Event, Millis, StreamKey, Tenant, decode
from engine.negotiation.afterwards.commitments import PROMISE, Promise
from engine.negotiation.afterwards.conflicts import findings, is_news
from engine.negotiation.commands import RecordAvailability
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.runtime.runtime import Listener
from engine.times.availability import ReadCalendar

log = logging.getLogger(__name__)

A_DAY: Final[Millis] = 86_400_000
"""What is over here may not be over everywhere."""


OF_LIMITS: Final = (ProfileLoaded, ProfileSaved, LimitsRead, LimitConfirmed, ProfileReset)
"""After which somebody may hold to something else."""


def availability(services: Services) -> Callable[[Tenant, str], None]:
    """Return who looks again at what a user has promised, since their calendar may be another one."""

    def changed(tenant: Tenant, user: str) -> None:
        services.background.spawn(_look_at_user(services, tenant, user))

    return changed


def heard(services: Services, _: Clients) -> Listener:
    """Return who looks again at what those have promised who have said otherwise when they can."""

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        changed = {each.agent_id for each in events if isinstance(each, OF_LIMITS)}
        if changed:
            services.background.spawn(_look_at_agents(services, key.tenant, changed))

    return listen


async def resume(services: Services) -> None:
    """Look at all that is promised.

    Raises:
        StoreError
    """
    for tenant in await services.store.tenants():
        promised = _promised(services, (await services.store.records(tenant, PROMISE)).values())
        if promised:
            services.background.spawn(_look(services, tenant, promised))


async def _look_at_user(services: Services, tenant: Tenant, user: str) -> None:
    try:
        rows = await services.store.records(tenant, PROMISE, f"{user}/")
    except EngineError as error:
        log.warning("what %s has promised is looked at later: %s", user, error)
        return
    await _look(services, tenant, _promised(services, rows.values()))


async def _look_at_agents(services: Services, tenant: Tenant, agent_ids: set[str]) -> None:
    try:
        directory = await services.settings.directory(tenant)
        found = {each: directory.entry(each).profile for each in agent_ids}
        users = {profile.slack_user if profile else "" for profile in found.values()}
        # Whoever asked decides for those who are linked to nobody.
        begins = [f"{user}/" for user in users] if "" not in users else [""]
        rows = [row for each in begins for row in (await services.store.records(tenant, PROMISE, each)).values()]
    except (EngineError, TimeoutError) as error:
        log.warning("what %s have promised is looked at later: %s", ", ".join(sorted(agent_ids)), error)
        return
    await _look(services, tenant, _promised(services, rows, agent_ids))


def _promised(services: Services, rows: Iterable[str], among: set[str] | None = None) -> list[str]:
    """Return the streams of what is promised and not over; where agent ids are given, by one of these."""
    today = local_day(services.now() - A_DAY, "UTC")
    found = (decode(each, Promise) for each in rows)
    return [*dict.fromkeys(
        each.stream for each in found
        if (not each.last or each.last >= today) and (among is None or among.intersection(each.agent_ids))
    )]  # fmt: skip


async def _look(services: Services, tenant: Tenant, streams: Sequence[str]) -> None:
    for each in streams:
        try:
            await _look_at(services, StreamKey(tenant, each))
        except UnknownStream:
            continue  # it has ended long ago, and was deleted
        except (EngineError, TimeoutError) as error:
            log.warning("whether people can when %s needs them is looked at later: %s", each, error)


async def _look_at(services: Services, key: StreamKey) -> None:
    """Tell a plan who can when it needs them, where that is news.

    Raises:
        EngineError, TimeoutError
    """
    committed = await services.gateway.look_up(key)
    state: Negotiation = committed.state
    directory = await services.settings.directory(key.tenant)
    seats = state.final.final_proposal.assignments if state.final else ()
    entries = {each.agent_id: directory.entry(each.agent_id).profile for each in seats}
    profiles = {agent_id: profile for agent_id, profile in entries.items() if profile is not None}
    users = {each.slack_user: agent_id for agent_id, each in profiles.items() if each.slack_user}
    known = await services.calendars.known(key.tenant, users) if services.calendars else {}
    busy = {
        users[user]: ReadCalendar(each.spans_without(state.demand_id), each.until // 1000)
        for user, each in known.items()
    }
    at = services.now()
    found = await asyncio.to_thread(findings, state, profiles, busy, at)
    if is_news(state, found):
        command = RecordAvailability(command_id=f"availability:{committed.version}:{at}", at=at, findings=found)
        await services.gateway.send(key, RULEBOOK, command)
