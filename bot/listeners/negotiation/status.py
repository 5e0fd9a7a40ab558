"""Somebody wants to know where they can still vote, and how what they asked for stands."""

import asyncio
from typing import Final

from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.gateway import PATIENCE, CommandGateway, tenant_of
from bot.listeners.negotiation.intake import check_actor
from bot.texts import Texts
from bot.views.kit.home_part import MOST
from bot.views.negotiation.agenda import agenda
from engine.kernel import StreamKey

STATUS: Final = frozenset({"status", "my votes", "my demands", "状态", "我的投票", "我的需求"})


def asks_for_status(text: str) -> bool:
    return text.strip(" \t\n?!.？！。").casefold() in STATUS


async def status_of(gateway: CommandGateway, context: AsyncBoltContext, by: str, texts: Texts) -> str:
    """
    Raises:
        NotAllowed, StoreError, TimeoutError
    """
    check_actor(context, by)
    tenant = tenant_of(context)
    async with asyncio.timeout(PATIENCE):
        votes, demands = await gateway.agenda_of(tenant, by)
        streams = list(dict.fromkeys(each.stream for each in votes))[:MOST]
        return agenda(
            [await gateway.look_up(StreamKey(tenant, each)) for each in streams],
            [await gateway.look_up(StreamKey(tenant, each.stream)) for each in demands[:MOST]],
            by,
            max(0, len(demands) - MOST),
            texts,
        )
