"""Looks again whether people can when agreed plans need them, once a calendar or somebody's own days may say otherwise.

It only looks: what comes of it, if anything, a plan is told as a command. What a process had no time for is made up for
at the next start.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.away import be_away
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.negotiation.intake import read_negotiation
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from bot.views.directory import notices
from bot.views.directory.calendar_form import FIRST, away_form, read_days
from bot.views.kit.data_words import wanted_words
from bot.views.kit.modals import read_metadata
from bot.views.negotiation.button_values import CANNOT, CannotButton
from bot.views.negotiation.names import asked_on
from bot.views.negotiation.voting.participant_card import own_part
from engine.directory.messages import LimitConfirmed, LimitsRead, ProfileLoaded, ProfileReset, ProfileSaved
from engine.directory.rules import check_profile
from engine.errors import EngineError, Refusal, UnknownStream
from engine.facts.asked import local_day
from engine.facts.data import Days
from engine.facts.holding import Part, holds
from engine.kernel import Event, Millis, StreamKey, Tenant, decode
from engine.negotiation.afterwards.commitments import PROMISE, Promise
from engine.negotiation.afterwards.conflicts import findings, is_news
from engine.negotiation.commands import CastVote, RecordAvailability
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType
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


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, CANNOT, _open, notices.refused)
    on_form(app, services, CANNOT, _say, notices.refused, beside(FIRST))


async def _open(click: Click) -> None:
    button, texts = CannotButton.read(click.value), await click.texts()
    check_profile(await click.directory(), click.actor, button.agent_id, as_admin=False)
    await click.open_above(away_form(CANNOT, button.value(), texts, (button.first, button.last)))


async def _say(form: Form) -> None:
    button, texts = read_metadata(form.view, CannotButton), form.known_texts()
    first, last = read_days(form.view, texts)
    await be_away(form, button.agent_id, (first, last))
    state, away = await read_negotiation(form, button.stream), Days(first=first, last=last, allowed=False)
    if not _is_then(state, button, away):
        return
    vote = CastVote(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        agent_id=button.agent_id,
        round=button.round,
        digest=button.digest,
        feedback_type=FeedbackType.NEGOTIATE,
        text=wanted_words(away, texts, asked_on(state)),
        change=away,
    )
    with suppress(Refusal):  # that they are away is kept, though it comes too late for this version
        await form.services.gateway.send(form.key(button.stream), RULEBOOK, vote)


def _is_then(state: Negotiation, button: CannotButton, away: Days) -> bool:
    opened = state.current
    if opened is None or (opened.number, opened.digest) != (button.round, button.digest):
        return False
    part = own_part(state, state.proposals[opened.version - 1], button.agent_id)
    return part is not None and holds(away, Part(when=part.when)).status == "broken"
