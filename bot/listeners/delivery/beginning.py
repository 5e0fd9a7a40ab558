"""Begins deliveries: of a goal that somebody writes, and of what was agreed in another stream."""

import asyncio
from collections.abc import Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.conversation import Conversation, Utterance, with_colon, without_word
from bot.listeners.delivery.registry import policy_of, roles_of
from bot.listeners.handing_over import handed_over, takes_up
from bot.listeners.intake import Begun, begin_from, why_not_there
from bot.listeners.interaction import Interaction
from bot.listeners.services import Services
from bot.views.delivery import notices
from bot.views.kit.handover import CARRY_OUT
from engine.delivery.commands import OpenDelivery
from engine.delivery.planning.briefs import brief_of, brief_of_goal
from engine.delivery.planning.reading import scheduled
from engine.delivery.policy import PREFIX
from engine.delivery.rules import RULEBOOK
from engine.delivery.terms import Brief, Task
from engine.directory.profile import Profile
from engine.errors import NotAllowed, Refusal
from engine.facts.asked import local_day
from engine.kernel import HandedPerson, Place, Tenant
from engine.times.availability import ReadCalendar

WORDS: Final = frozenset({"deliver", "交付", "执行"})


def register(app: AsyncApp, services: Services) -> None:
    takes_up(app, services, CARRY_OUT, _carry_out, notices.refused)


async def begin(
    services: Services,
    tenant: Tenant,
    *,
    cause: str,
    by: str,
    brief: Brief,
    place: Place,
    tasks: tuple[Task, ...] = (),
    conversation_id: str = "",
) -> Begun:
    """Begin a delivery, once for each cause; one that goes on from a stream is that stream's only one.

    Who may work besides people, and by which figures, is read from the registry and the scheduler's configuration.

    Args:
        by: somebody who may ask.
        place: where it is shown; without a channel, nowhere.
        tasks: where somebody has written the plan down.
    """
    roles, policy = roles_of(services.workers.registry()), policy_of(services)
    brief = brief if tasks else await _scheduled(services, tenant, brief)

    def opening(stream: str) -> OpenDelivery:
        return OpenDelivery(
            command_id=cause,
            at=services.now(),
            session_id=stream,
            by=by,
            brief=brief,
            tasks=tasks,
            roles=roles,
            policy=policy,
            place=place,
            conversation_id=conversation_id,
        )

    return await begin_from(
        services, tenant, RULEBOOK, PREFIX, cause=cause, origin=brief.origin, place=place, command=opening
    )


async def _scheduled(services: Services, tenant: Tenant, brief: Brief) -> Brief:
    """Return the brief with the days on which its tasks are done, as far as these follow from when people can."""
    if not any(each.hours for each in brief.tasks):
        return brief
    directory = await services.settings.directory(tenant)
    profiles: dict[str, Profile] = {}
    for each in brief.people:
        found = directory.of_user(each.user_id) if each.user_id else None
        profile = found[1].profile if found else directory.entry(each.person_id).profile
        if profile is not None:
            profiles[each.person_id] = profile
    users = {each.slack_user: who for who, each in profiles.items() if each.slack_user}
    known = await services.calendars.known(tenant, users) if services.calendars else {}
    busy = {users[user]: ReadCalendar(each.spans, each.until // 1000) for user, each in known.items()}
    return await asyncio.to_thread(scheduled, brief, profiles, busy, services.now())


async def goal_brief(services: Services, tenant: Tenant, goal: str, by: str, mentioned: Sequence[str] = ()) -> Brief:
    """Return what somebody wants to have carried out: they, and whoever the goal names, can be given tickets.

    Args:
        mentioned: users whom the goal mentions by a name that may be known to Slack alone.
    """
    time_zone = await services.texts.time_zone(tenant, by)
    directory = await services.settings.directory(tenant)
    known = [
        HandedPerson(person_id=each.slack_user, user_id=each.slack_user, name=each.user_name)
        for each in (entry.profile for entry in directory.people.values())
        if each is not None and each.slack_user
    ]
    today, locale = local_day(services.now(), time_zone), services.texts.locale(tenant, by)
    return brief_of_goal(goal, by=by, today=today, time_zone=time_zone, known=known, locale=locale, mentioned=mentioned)


async def _take(utterance: Utterance) -> str | None:
    services, tenant = utterance.services, utterance.tenant
    place = await utterance.place()
    utterance.check_colleague()
    brief = await goal_brief(
        services, tenant, without_word(utterance.text, WORDS), utterance.actor, utterance.mentioned
    )
    await begin(services, tenant, cause=utterance.cause, by=utterance.actor, brief=brief, place=place)
    return None


async def _carry_out(by: Interaction, stream: str, cause: str) -> str:
    """Make tickets of the plan, or say where that is done already."""
    handed, zone = await handed_over(by, stream, NotAllowed("Whoever asked, or an admin, has the plan carried out."))
    locale = by.services.texts.locale(by.tenant, handed.requester_id)
    brief = brief_of(handed, now=by.now(), time_zone=zone, locale=locale)
    begun = await begin(by.services, by.tenant, cause=cause, by=handed.requester_id, brief=brief, place=handed.place)
    return "" if begun.is_new else notices.begun_already(await by.texts())


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return why_not_there(refusal, utterance.texts) or notices.refused(refusal, utterance.texts)


CONVERSATION: Final = Conversation(
    _take,
    _refused,
    notices.usage,
    first_words=with_colon(WORDS),
    command_words=WORDS,
)
"""``/towow deliver ...``, and ``deliver: ...`` wherever ToWow is written to."""
