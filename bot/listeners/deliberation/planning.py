"""Begins deliberations: of a goal that somebody writes, and of what was agreed in another stream."""

from collections.abc import Sequence
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.conversation import Conversation, Utterance, with_colon, without_word
from bot.listeners.handing_over import handed_over, takes_up
from bot.listeners.intake import Begun, begin_from, why_not_there
from bot.listeners.interaction import Interaction
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.deliberation import notices
from bot.views.deliberation.forms import prompts
from bot.views.kit.handover import PLAN_IT
from bot.views.kit.prompts import Prompt
from engine.deliberation.commands import OpenDeliberation
from engine.deliberation.errors import InvalidBrief
from engine.deliberation.opening.briefs import brief_of, written_brief
from engine.deliberation.policy import DEFAULT, PREFIX, Policy
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.terms import LONGEST_GOAL, Brief
from engine.errors import NotAllowed, Refusal
from engine.facts.asked import local_day
from engine.kernel import Place, Tenant

WORDS: Final = frozenset({"plan", "规划", "计划"})


def register(app: AsyncApp, services: Services) -> None:
    takes_up(app, services, PLAN_IT, _plan_it, notices.refused)


async def begin(
    services: Services,
    tenant: Tenant,
    *,
    cause: str,
    by: str,
    brief: Brief,
    place: Place,
    policy: Policy = DEFAULT,
    conversation_id: str = "",
) -> Begun:
    """Begin a deliberation, once for each cause; one that goes on from a stream is that stream's only one.

    Args:
        by: somebody who may ask.
        place: where it is shown; without a channel, nowhere.
    """

    def opening(stream: str) -> OpenDeliberation:
        return OpenDeliberation(
            command_id=cause,
            at=services.now(),
            session_id=stream,
            by=by,
            brief=brief,
            policy=policy,
            place=place,
            conversation_id=conversation_id,
        )

    return await begin_from(
        services, tenant, RULEBOOK, PREFIX, cause=cause, origin=brief.origin, place=place, command=opening
    )


async def _take(utterance: Utterance) -> str | None:
    services, tenant = utterance.services, utterance.tenant
    place = await utterance.place()
    utterance.check_colleague()
    goal = without_word(utterance.text, WORDS)
    if len(goal) > LONGEST_GOAL:
        # Not shortened: what is cut off without a word may be what matters.
        raise InvalidBrief(f"That has {len(goal)} characters; {LONGEST_GOAL} are the most. Say it in fewer words.")
    time_zone = await services.texts.time_zone(tenant, utterance.actor)
    brief = written_brief(
        goal, today=local_day(services.now(), time_zone), time_zone=time_zone, locale=utterance.texts.language
    )
    await begin(services, tenant, cause=utterance.cause, by=utterance.actor, brief=brief, place=place)
    return None


async def _plan_it(by: Interaction, stream: str, cause: str) -> str:
    """Have the agreed plan argued out, or say where that is done already."""
    handed, zone = await handed_over(by, stream, NotAllowed("Whoever asked, or an admin, has the plan argued out."))
    texts = await by.texts()
    brief = brief_of(handed, now=by.now(), time_zone=zone, locale=texts.language)
    begun = await begin(by.services, by.tenant, cause=cause, by=handed.requester_id, brief=brief, place=handed.place)
    return "" if begun.is_new else notices.planned_already(texts)


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return why_not_there(refusal, utterance.texts) or notices.refused(refusal, utterance.texts)


async def _suggested(services: Services, tenant: Tenant, user: str, texts: Texts) -> Sequence[Prompt]:
    return prompts(texts)


CONVERSATION: Final = Conversation(
    _take,
    _refused,
    notices.usage,
    first_words=with_colon(WORDS),
    command_words=WORDS,
    suggested=_suggested,
)
"""``/towow plan ...``, and ``plan: ...`` wherever ToWow is written to: “Plan a party” is a demand."""
