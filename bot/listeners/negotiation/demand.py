"""Somebody asks by writing to ToWow: what they need begins a negotiation, and their agenda is told on request."""

import asyncio
from collections.abc import Sequence
from typing import Final

from bot.listeners.conversation import Conversation, Utterance
from bot.listeners.gateway import PATIENCE
from bot.listeners.negotiation.intake import begin, why_not
from bot.listeners.negotiation.invitations import members_of
from bot.listeners.negotiation.volunteering import offers_help
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.home_part import COUNTED, MOST
from bot.views.kit.prompts import Prompt
from bot.views.negotiation import notices
from bot.views.negotiation.agenda import agenda
from bot.views.negotiation.demand.demand_form import prompts
from engine.errors import Refusal
from engine.kernel import StreamKey, Tenant
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.projections.inbox import demands_of, open_votes_of

STATUS: Final = frozenset({"status", "my votes", "my demands", "状态", "我的投票", "我的需求"})


async def _take(utterance: Utterance) -> str | None:
    if asks_for_status(utterance.text):
        return await status_of(utterance)
    place = await utterance.place()
    utterance.check_colleague()
    named = await members_of(
        utterance.services, utterance.client, utterance.tenant, utterance.groups, utterance.actor, utterance.texts
    )
    begun = await begin(
        utterance.services,
        utterance.tenant,
        cause=utterance.cause,
        by=utterance.actor,
        text=utterance.text,
        place=place,
        ask_first=named.people,
    )
    return (named.told or None) if begun.is_new else None


def _refused(refusal: Refusal, utterance: Utterance) -> str:
    return why_not(refusal, utterance.text, utterance.texts)


def asks_for_status(text: str) -> bool:
    return text.strip(" \t\n?!.？！。").casefold() in STATUS


async def status_of(utterance: Utterance) -> str:
    """Say where the person can still vote, and how their demands stand."""
    utterance.check_colleague()
    services, tenant, user = utterance.services, utterance.tenant, utterance.actor

    async def read(stream: str) -> Negotiation:
        return await services.gateway.read(StreamKey(tenant, stream), RULEBOOK)

    async with asyncio.timeout(PATIENCE):
        votes = await open_votes_of(services.store, tenant, user)
        demands = await demands_of(services.store, tenant, user, MOST + COUNTED + 1)
        streams = list(dict.fromkeys(each.stream for each in votes))[:MOST]
        return agenda(
            [await read(each) for each in streams],
            [await read(each.stream) for each in demands[:MOST]],
            user,
            max(0, len(demands) - MOST),
            utterance.texts,
        )


async def suggested(services: Services, tenant: Tenant, user: str, texts: Texts) -> Sequence[Prompt]:
    """Suggest what the person may say next."""
    votes = await open_votes_of(services.store, tenant, user)
    demands = await demands_of(services.store, tenant, user, 1)
    return prompts(sum(len(each.agent_ids) for each in votes), bool(demands), texts)


CONVERSATION: Final = Conversation(
    _take,
    _refused,
    notices.usage,
    suggested=suggested,
    aside=offers_help,
    reply=notices.replies_change_nothing,
)
"""Whatever no other protocol claims is a demand."""
