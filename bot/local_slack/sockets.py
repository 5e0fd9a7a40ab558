"""Socket Mode: the app's connections, envelopes that go to one of them each, and events that it has to acknowledge."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from aiohttp import WSMsgType, web

from .faults import Faults
from .journal import Activity, Table
from .model import Json, PendingEvent

CONNECTIONS = 10  # what Slack allows one app
EnvelopeType = Literal["events_api", "interactive", "slash_commands"]
Disconnection = Literal["warning", "refresh_requested", "link_disabled", "close", "abort"]


@dataclass(eq=False)
class Connection:
    socket: web.WebSocketResponse
    request: web.Request
    loses_acks: bool = False
    leaving: bool = False  # was told to disconnect; others are preferred
    sent: set[str] = field(default_factory=set)  # envelope ids

    def abort(self) -> None:
        """Drop the connection without a closing handshake, as a broken network does."""
        if self.request.transport is not None:
            self.request.transport.abort()


@dataclass(frozen=True)
class Ack:
    """What came back for an envelope: in time or not, and the payload that was with it."""

    in_time: bool
    payload: Json = field(default_factory=dict)


class Sockets:
    def __init__(self, app_id: str, faults: Faults, activity: Activity, ack_timeout: float) -> None:
        self._app_id = app_id
        self._faults = faults
        self._activity = activity
        self._ack_timeout = ack_timeout  # seconds
        self._connections: list[Connection] = []
        self.opened = 0  # connections, ever
        self._turn = itertools.count()
        self._arrived = asyncio.Condition()
        self._waiting: dict[str, asyncio.Future[Ack]] = {}  # envelope id -> its ack

    @property
    def connected(self) -> int:
        return len(self._connections)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One connection, from its hello to its end."""
        socket = web.WebSocketResponse(heartbeat=10.0, timeout=1.0)
        await socket.prepare(request)
        if len(self._connections) >= CONNECTIONS:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets", **self._debug()})
            await socket.close()
            return socket
        connection = Connection(socket, request)
        await socket.send_json(self._hello())
        self._connections.append(connection)
        self.opened += 1
        async with self._arrived:
            self._arrived.notify_all()
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._receive(connection, frame.data)
        finally:
            self._leave(connection)
        return socket

    async def wait_for_connection(self, more_than: int = 0) -> None:
        """Returns once there is one, and more than this many have been opened since the start."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: bool(self._connections) and self.opened > more_than)

    async def send(
        self, kind: EnvelopeType, payload: Json, *, answers: bool = False, attempt: int = 0, reason: str = ""
    ) -> Ack:
        """Send one envelope over one connection, and wait for its ack (or for the time to run out)."""
        if not self._connections:
            return Ack(in_time=False)
        connection = self._next()
        envelope_id = secrets.token_hex(16)
        envelope: Json = {
            "envelope_id": envelope_id,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": answers,
        }
        if kind == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        self._waiting[envelope_id] = asyncio.get_running_loop().create_future()
        connection.sent.add(envelope_id)
        with self._activity.busy():
            try:
                seconds = await self._transmit(connection, kind, envelope)
                return await asyncio.wait_for(self._waiting[envelope_id], seconds)
            except TimeoutError:
                return Ack(in_time=False)
            finally:
                del self._waiting[envelope_id]
                connection.sent.discard(envelope_id)

    async def disconnect_all(self, how: Disconnection) -> int:
        """Tell every connection to close, or cut it; returns how many there were."""
        leaving = list(self._connections)
        for connection in leaving:
            connection.leaving = True
            if how == "abort":
                connection.abort()
            elif how == "close":
                await connection.socket.close()
            else:
                await connection.socket.send_json({"type": "disconnect", "reason": how, **self._debug()})
        return len(leaving)

    async def close(self) -> None:
        await asyncio.gather(*(connection.socket.close() for connection in self._connections))

    def _next(self) -> Connection:
        staying = [connection for connection in self._connections if not connection.leaving] or self._connections
        return staying[next(self._turn) % len(staying)]

    async def _transmit(self, connection: Connection, kind: EnvelopeType, envelope: Json) -> float:
        """Send it, and return for how many seconds its ack is waited for."""
        struck = {rule.fault.do: rule.fault for rule in self._faults.record_call(kind)}
        if "delay" in struck:
            await asyncio.sleep(struck["delay"].seconds)
        connection.loses_acks = connection.loses_acks or "lose_ack" in struck
        with suppress(ConnectionError):  # it broke as we wrote; the missing ack says so
            for _ in range(2 if "double" in struck else 1):
                await connection.socket.send_str(json.dumps(envelope, ensure_ascii=False))
        if "drop_sent" in struck:
            connection.abort()
        return struck["hurry"].seconds if "hurry" in struck else self._ack_timeout

    def _receive(self, connection: Connection, text: str) -> None:
        if connection.loses_acks:
            connection.abort()
            self._leave(connection)
            return
        answer = json.loads(text)
        waiting = self._waiting.get(answer.get("envelope_id", ""))
        if waiting is not None and not waiting.done():
            waiting.set_result(Ack(in_time=True, payload=answer.get("payload") or {}))

    def _leave(self, connection: Connection) -> None:
        if connection not in self._connections:
            return
        self._connections.remove(connection)
        for envelope_id in connection.sent:
            waiting = self._waiting.get(envelope_id)
            if waiting is not None and not waiting.done():
                waiting.set_result(Ack(in_time=False))

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self._connections) + 1,
            "connection_info": {"app_id": self._app_id},
            **self._debug(),
        }

    def _debug(self) -> Json:
        return {"debug_info": {"host": "local", "build_number": 1, "approximate_connection_time": 18060}}


REDELIVERY_DELAYS = (0.0, 60.0, 300.0)
"""Seconds before each of Slack's retries."""


class Delivery:
    def __init__(
        self, pending: Table[PendingEvent], sockets: Sockets, activity: Activity, delays: Sequence[float]
    ) -> None:
        self._pending = pending
        self._sockets = sockets
        self._activity = activity
        self._delays = tuple(delays)
        self._tasks: set[asyncio.Task[None]] = set()
        self.lost: list[Json] = []  # given up after the last retry

    def enqueue(self, event: PendingEvent) -> None:
        """Store this event and start to deliver it; returns at once."""
        self._pending.put(event)
        self._start(event)

    def resume(self) -> None:
        """Start to deliver what was pending before a restart."""
        for event in self._pending:
            self._start(event)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, event: PendingEvent) -> None:
        task = asyncio.create_task(self._deliver(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, event: PendingEvent) -> None:
        with self._activity.busy():
            for attempt, delay in enumerate((0.0, *self._delays)):
                if delay:
                    await asyncio.sleep(delay)
                await self._sockets.wait_for_connection()
                reason = "timeout" if attempt else ""
                ack = await self._sockets.send("events_api", event.payload, attempt=attempt, reason=reason)
                if ack.in_time:
                    break
            else:
                self.lost.append(event.payload)
            self._pending.drop(event.id)
