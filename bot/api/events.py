"""Events over HTTP: as they happen, and the latest."""

import socket
from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.problems import NoEvents
from bot.api.readers import BUFFER
from bot.api.schemas import RecentAsked, RecentEvents, StreamAsked
from engine.errors import StoreError, UnknownChannel
from engine.kernel import StreamKey

HEADERS: Final = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    "Connection": "keep-alive",
    "X-Accel-Buffering": "no",  # a proxy that gathers what it passes on would hold events back
}


async def stream(call: Call) -> web.StreamResponse:
    """What has happened since the event that is named, and from then on what happens, until the reader goes."""
    state = await call.negotiation(call.path["demand_id"])
    asked: StreamAsked = call.query
    last = call.request.headers.get("Last-Event-ID", "").strip() or asked.last_event_id
    response = web.StreamResponse(headers=HEADERS)
    with call.context.readers.one_more(call.request) as reader:
        try:
            following = call.here.feeds.following(state.channel_id, reader.wake)
            async with following as feed:
                _bound(call.request)
                await response.prepare(call.request)
                await call.context.readers.tell(reader, response, feed, feed.after(last))
        except StoreError as error:
            raise NoEvents from error
        except ConnectionResetError:
            pass  # gone, or dropped
    return response


def _bound(request: web.Request) -> None:
    """However slowly somebody reads, what waits for them is bounded: here, and in the system."""
    if request.transport is not None:
        request.transport.set_write_buffer_limits(high=BUFFER)
        connection = request.transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)


async def recent(call: Call) -> RecentEvents:
    asked: RecentAsked = call.query
    known: dict[str, bool] = {}

    async def shown(stream: str) -> bool:
        if stream not in known:
            try:
                state = await call.context.gateway.look_up(StreamKey(call.here.tenant, stream))
            except UnknownChannel:
                return False
            known[stream] = call.may_read(state)
        return known[stream]

    async def everything(_: str) -> bool:
        return True

    try:
        found = await call.here.feeds.recent(asked.count, shown if call.token.user else everything)
    except StoreError as error:
        raise NoEvents from error
    return RecentEvents(count=len(found), events=tuple(found))
