"""Somebody wants to know where they can still vote, and how what they asked for stands."""

import asyncio
from typing import Final

from bot.listeners.conversation import Utterance
from bot.listeners.gateway import PATIENCE
from bot.views.kit.home_part import COUNTED, MOST
from bot.views.negotiation.agenda import agenda
from engine.kernel import StreamKey
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation
from engine.projections.inbox import demands_of, open_votes_of

STATUS: Final = frozenset({"status", "my votes", "my demands", "状态", "我的投票", "我的需求"})


def asks_for_status(text: str) -> bool:
    return text.strip(" \t\n?!.？！。").casefold() in STATUS


async def status_of(utterance: Utterance) -> str:
    """
    Raises:
        NotAllowed, StoreError, TimeoutError
    """
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
