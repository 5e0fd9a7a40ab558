"""The connections that read server-sent events. One that does not keep up is dropped."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.api.feeds import Feed
from bot.api.metrics import Meter
from bot.api.open_file_limit import open_file_limit
from bot.api.problems import RequestRefused
from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

MOST: Final = 5_000
OF_ONE_LINK: Final = 50
"""Of whoever has links to pages: open tabs."""
SHARE: Final = 80
"""Percent of all that one token may have, and one tenant where there are many."""
OTHERS: Final = 256
"""Files and connections that are left for everything else."""
HEARTBEAT: Final[Millis] = 10_000
"""Between two comments that keep a silent connection open."""

PATIENCE: Final[Millis] = 10_000
"""How long a write may wait for its reader."""

BUFFER: Final = 64 * 1024
"""Bytes that are buffered for one reader in this process, and so many again in the system."""

CHUNK: Final = 100
"""Events sent in one write."""

RECONNECT: Final = b"retry: 3000\n\n"
"""Milliseconds: seed 000, ADR-005."""
SIGN_OF_LIFE: Final = b": still here\n\n"
GOING_AWAY: Final = b"retry: 500\n: this ToWow ends; connect again\n\n"
"""Milliseconds: another process may go on, or this one is back soon."""


@dataclass(slots=True, eq=False)
class EventConnection:
    """One connection."""

    request: web.Request
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    is_due: bool = False
    """Whether a comment must be sent, to keep the connection open."""
    waits_since: Monotonic | None = None
    """When the pending write began."""

    def drop(self) -> None:
        """Abort the connection. The client can reconnect, and say which event was its last."""
        if self.request.transport is not None:
            self.request.transport.abort()


class EventConnections:
    """
    Args:
        clock: the time of connections, which is not that of negotiations where that one jumps.
        has_many: whether there are many tenants, so that one may not have all of them.
    """

    def __init__(self, clock: Clock, meter: Meter, *, has_many: bool = False) -> None:
        self.most = min(MOST, open_file_limit() - OTHERS)
        self._has_many = has_many
        self._clock = clock
        self._meter = meter
        self._readers: set[EventConnection] = set()
        self._of_one: Counter[str] = Counter()
        """By whose they are."""
        self._any = asyncio.Event()
        self._closing = False

    def __len__(self) -> int:
        return len(self._readers)

    @property
    def is_closing(self) -> bool:
        """Whether every connection is to end."""
        return self._closing

    def __iter__(self) -> Iterator[EventConnection]:
        return iter(tuple(self._readers))

    @contextmanager
    def connected(
        self, request: web.Request, tenant: Tenant, *, token: str = "", link: str = ""
    ) -> Iterator[EventConnection]:
        """
        Args:
            token: by whose name it was asked for; or
            link: who was given the link to a page.

        Raises:
            RequestRefused: there are as many as there may be, altogether or of theirs.
        """
        if self._closing:
            raise RequestRefused(
                HTTPStatus.SERVICE_UNAVAILABLE, "This ToWow ends; connect again.", {"Retry-After": "1"}
            )
        if len(self._readers) >= self.most:
            raise RequestRefused(
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"{self.most:,} read events already; come back in a while.",
                {"Retry-After": "30"},
            )
        theirs = dict(self._bounds(tenant, token, link))
        for whose, most in theirs.items():
            if self._of_one[whose] >= most:
                raise RequestRefused(
                    HTTPStatus.TOO_MANY_REQUESTS,
                    f"{most:,} read events already by this token, this link or in this workspace; end one of them.",
                    {"Retry-After": "30"},
                )
        reader = EventConnection(request)
        self._readers.add(reader)
        self._of_one.update(theirs.keys())
        self._meter.readers.inc()
        self._any.set()
        try:
            yield reader
        finally:
            self._readers.discard(reader)
            self._of_one.subtract(theirs.keys())
            self._of_one += Counter()  # of whom there are none is forgotten
            self._meter.readers.dec()

    def _bounds(self, tenant: Tenant, token: str, link: str) -> Iterator[tuple[str, int]]:
        """Yield who may have how many of them."""
        part = max(1, self.most * SHARE // 100)
        if link:
            yield f"link {tenant} {link}", min(OF_ONE_LINK, part)
        else:
            yield f"token {token}", part
        if self._has_many:
            yield f"tenant {tenant}", part

    async def send(self, reader: EventConnection, response: web.StreamResponse, feed: Feed, place: int) -> None:
        """Send every frame from this index on, until nothing follows any more, or the reader goes or is dropped."""
        await self.write(reader, response, RECONNECT)
        while not self._closing:
            reader.wake.clear()
            if place < len(feed.frames):
                frames = feed.frames[place : place + CHUNK]
                place += len(frames)
                await self.write(reader, response, b"".join(each.data for each in frames))
                self._meter.sent.inc(len(frames))
            elif (end := feed.framing.end) is not None:
                await self.write(reader, response, end)
                return
            elif reader.is_due:
                await self.write(reader, response, SIGN_OF_LIFE)
            else:
                await reader.wake.wait()
        await self.write(reader, response, GOING_AWAY)

    async def write(self, reader: EventConnection, response: web.StreamResponse, data: bytes) -> None:
        """Send bytes as they are; a reader that does not take them in time is dropped."""
        reader.waits_since, reader.is_due = self._clock.monotonic(), False
        await response.write(data)
        reader.waits_since = None

    async def look_after_all(self) -> None:
        """Send heartbeats, and drop slow readers, for ever: one timer for all."""
        while True:
            await self._any.wait()  # no timer runs while nobody reads
            await self._clock.until(self._clock.after(HEARTBEAT))
            for each in self:
                self._look_after(each)
            if not self._readers:
                self._any.clear()

    def _look_after(self, reader: EventConnection) -> None:
        if reader.waits_since is None:
            reader.is_due = True
            reader.wake.set()
        elif self._clock.monotonic() - reader.waits_since >= PATIENCE:
            self._meter.dropped.inc()
            reader.drop()

    def close(self) -> None:
        self._closing = True
        for each in self._readers:
            each.wake.set()
            if each.waits_since is not None:
                each.drop()
