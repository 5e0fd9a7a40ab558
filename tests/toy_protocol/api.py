"""Lunches over HTTP."""

from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.events import follow
from bot.api.part import ApiPart
from bot.api.route import EVENT_STREAM, PREFIX, Route
from bot.api.schemas import ApiModel, StreamAsked
from bot.api.tokens import Scope
from engine.errors import UnknownStream
from engine.kernel import StreamKey

from .rules import EVENTS, RULEBOOK, Lunch


class LunchTold(ApiModel):
    status: str
    restaurant: str
    dishes: dict[str, str]
    """By user."""


async def lunch(call: Call) -> LunchTold:
    state = await _lunch(call)
    return LunchTold(status=state.status, restaurant=state.restaurant, dishes=dict(state.dishes))


async def stream(call: Call) -> web.StreamResponse:
    return await follow(call, (await _lunch(call)).stream)


async def _lunch(call: Call) -> Lunch:
    """
    Raises:
        UnknownStream: there is none, or it is not theirs to read.
    """
    name = call.path["stream"]
    state = await call.context.gateway.read(StreamKey(call.workspace.tenant, name), RULEBOOK)
    if not call.may_read(RULEBOOK.protocol, state):
        raise UnknownStream(f"There is nothing called {name} here.")
    return state


def takes_part(state: Lunch, user: str) -> bool:
    return user == state.by or user in state.dishes


ROUTES: Final = (
    Route(
        "GET", f"{PREFIX}/lunches/{{stream}}", lunch, "How a lunch stands",
        Scope.READ, (LunchTold,), refusals=(UnknownStream,),
    ),
    Route(
        "GET", f"{PREFIX}/events/lunches/{{stream}}/stream", stream, "Server-sent events of a lunch",
        Scope.READ, query=StreamAsked, refusals=(UnknownStream,), media=EVENT_STREAM, event_types=tuple(EVENTS),
    ),
)  # fmt: skip

PART: Final = ApiPart(ROUTES, takes_part)
