"""A negotiation's events, as they happen."""

from aiohttp import web

from bot.api.context import Call
from bot.api.events import follow
from bot.api.negotiation.lookup import negotiation


async def stream(call: Call) -> web.StreamResponse:
    state = await negotiation(call, call.path["demand_id"])
    return await follow(call, state.channel_id)
