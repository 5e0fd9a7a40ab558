"""A negotiation's events, as they happen."""

from aiohttp import web

from bot.api.context import Call
from bot.api.events import follow
from bot.api.negotiation.demands import any_negotiation, check_readable
from engine.negotiation.rules import RULEBOOK


async def stream(call: Call) -> web.StreamResponse:
    state = await any_negotiation(call, call.path["demand_id"])
    check_readable(call, state, call.path["demand_id"])
    return await follow(call, state.channel_id, call.reader(RULEBOOK.protocol, state))
