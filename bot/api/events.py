"""Events over HTTP: a stream's, as they happen, and the latest of all streams."""

import socket
from typing import Final

from aiohttp import web

from bot.api.context import Call
from bot.api.event_connections import BUFFER
from bot.api.feeds import Envelopes, MakeFraming
from bot.api.part import NOBODY, Reader
from bot.api.problems import EventsUnavailable
from bot.api.schemas import RecentAsked, RecentEvents, StreamAsked
from engine.errors import StoreError, UnknownStream
from engine.kernel import StreamKey

HEADERS: Final = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache",
    "Connection": "keep-alive",
    "X-Accel-Buffering": "no",  # a proxy that gathers what it passes on would hold events back
}


async def follow(
    call: Call, stream: str, reader: Reader = NOBODY, framing: MakeFraming = Envelopes
) -> web.StreamResponse:
    """Send what has happened in a stream since the event that is named, and then what happens, until the reader goes.

    Whether they may read it is checked before, and ``reader`` says how much. The call's query is `StreamAsked`, or it
    has none.
    """
    asked: StreamAsked = call.query or StreamAsked()
    last = call.request.headers.get("Last-Event-ID", "").strip() or asked.last_event_id
    response = web.StreamResponse(headers=HEADERS)
    with call.context.readers.connected(call.request, call.workspace.tenant, token=call.token.name) as connection:
        try:
            async with call.workspace.feeds.following(stream, connection.wake, reader, framing) as feed:
                _bound(call.request)
                await response.prepare(call.request)
                await call.context.readers.send(connection, response, feed, feed.after(last))
        except StoreError as error:
            raise EventsUnavailable from error
        except ConnectionResetError:
            pass  # the reader left, or was dropped
    return response


def _bound(request: web.Request) -> None:
    """Bound what waits for a slow reader: here, and in the system."""
    if request.transport is not None:
        request.transport.set_write_buffer_limits(high=BUFFER)
        connection = request.transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)


async def recent(call: Call) -> RecentEvents:
    asked: RecentAsked = call.query
    known: dict[str, Reader | None] = {}

    async def reader_of(stream: str) -> Reader | None:
        if stream not in known:
            try:
                found = await call.context.gateway.look_up(StreamKey(call.workspace.tenant, stream))
            except UnknownStream:
                return None
            may_read = call.may_read(found.protocol, found.state)
            known[stream] = call.reader(found.protocol, found.state) if may_read else None
        return known[stream]

    async def nobody(_: str) -> Reader:
        return NOBODY

    try:
        found = await call.workspace.feeds.recent(asked.count, reader_of if call.is_somebody else nobody)
    except StoreError as error:
        raise EventsUnavailable from error
    return RecentEvents(count=len(found), events=tuple(found))
