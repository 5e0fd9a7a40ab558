"""What every call works with: the served workspace, the caller's rights, and a wake-up when a stream changes."""

import asyncio
import contextlib
import hashlib
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.api.event_connections import EventConnections
from bot.api.feeds import PAUSE, Feeds
from bot.api.metrics import Meter
from bot.api.part import NOBODY, ApiPart, Reader, parts_of
from bot.api.problems import RequestRefused
from bot.api.tokens import Scope, Token
from bot.listeners.services import Services
from bot.posts.failures import CallFailed
from bot.posts.slack_calls import Clients
from engine.errors import InvalidInput, NotAllowed, StoreError
from engine.kernel import Millis, StreamKey, Tenant
from engine.runtime.clock import Clock, Monotonic

if TYPE_CHECKING:
    from bot.protocol_row import Protocol

MINUTE: Final[Millis] = 60_000


@dataclass(slots=True)
class _Bucket:
    calls: float
    """How many calls may still be made."""
    at: Monotonic


class Rates:
    """
    Args:
        per_minute: for each token, on average; so many may come at once, too.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def wait(self, token: str) -> float:
        """Take one call from a token's bucket.

        Returns:
            0 where there was one; else the seconds until there is.
        """
        now = self._clock.monotonic()
        bucket = self._buckets.setdefault(token, _Bucket(self._per_minute, now))
        fresh = (now - bucket.at) * self._per_minute / MINUTE
        bucket.calls, bucket.at = min(self._per_minute, bucket.calls + fresh), now
        if bucket.calls < 1:
            return (1 - bucket.calls) * 60 / self._per_minute
        bucket.calls -= 1
        return 0.0


class WrongTokens:
    """Counts calls with a token that nobody has. The log has a line at the first and then at most once a minute, with
    how many there were: whoever guesses is seen, and does not fill it.
    """

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._untold = 0
        self._next_line: Monotonic | None = None

    def note(self, address: str) -> None:
        """
        Args:
            address: where it came from.
        """
        self._meter.wrong_tokens.inc()
        self._untold += 1
        now = self._clock.monotonic()
        if self._next_line is None or now >= self._next_line:
            log.warning("%d calls had a token that nobody has, the last one from %s", self._untold, address)
            self._untold, self._next_line = 0, self._clock.after(MINUTE)


log = logging.getLogger(__name__)

A_MOMENT: Final = 2.0
"""Seconds that a call waits, just after the start, for Slack to say which workspace it is."""

IDEMPOTENCY_KEY: Final = re.compile(r"[!-~]{1,200}")


Whose = Callable[[str], Awaitable[Tenant | None]]


class ServedWorkspace(NamedTuple):
    """A workspace that this ToWow serves."""

    tenant: Tenant
    feeds: Feeds


class ApiContext:
    """
    Args:
        clients: what calls Slack in a tenant's workspace, to look up whether somebody may begin something in a channel.
        whose: returns the workspace of an id, or without one the only one there is; None where there is no such one.
            Raises `CallFailed`.
        has_many: whether there are many workspaces, so that each token says of which it is.
        is_connected: whether Slack can reach us.
        clock: the time of connections and rates: the machine's, also where the clock of streams jumps.
        patience: seconds that an answer may wait for a stream to get somewhere.
    """

    def __init__(
        self,
        services: Services,
        clients: Clients,
        whose: Whose,
        is_connected: Callable[[], Awaitable[bool]],
        meter: Meter,
        clock: Clock,
        protocols: "Sequence[Protocol]",
        *,
        per_minute: int,
        patience: float,
        has_many: bool = False,
    ) -> None:
        self.services = services
        self.gateway = services.gateway
        self.parts: Mapping[str, ApiPart] = parts_of(protocols)
        """By protocol."""
        self.store = services.store
        self.clients = clients
        self.is_connected = is_connected
        self.meter = meter
        self.readers = EventConnections(clock, meter, has_many=has_many)
        self.wrong_tokens = WrongTokens(clock, meter)
        self.rates = Rates(per_minute, clock)
        self.patience = patience
        self.is_draining = False
        """Whether this process ends soon, so that nothing more is to be sent to it."""
        self._descriptions = [each.descriptions for each in protocols]
        self._whose = whose
        self._clock = clock
        self._has_many = has_many
        self._workspace: ServedWorkspace | None = None
        """The only one there is."""
        self._served: dict[Tenant, ServedWorkspace] = {}
        self._reading: set[asyncio.Task[None]] = set()
        self._arrived = asyncio.Event()
        self._waiting: dict[StreamKey, set[asyncio.Event]] = {}

    async def workspace(self, team_id: str = "") -> ServedWorkspace:
        """Return the workspace of an id, or without one the only one there is."""
        if self._has_many:
            return await self._one_of_many(team_id)
        only = await self._only()
        if team_id not in ("", only.tenant.team_id):
            raise _not_installed()
        return only

    async def _one_of_many(self, team_id: str) -> ServedWorkspace:
        try:
            tenant = await self._whose(team_id)
            if tenant is None:
                raise _not_installed()
            if tenant not in self._served:
                feeds = self._feeds(tenant)
                await feeds.start()
                if tenant not in self._served:  # somebody else may have been faster
                    self._served[tenant] = ServedWorkspace(tenant, feeds)
                    reading = asyncio.create_task(feeds.read())
                    self._reading.add(reading)
                    reading.add_done_callback(self._reading.discard)
        except (CallFailed, StoreError) as error:
            log.warning("the HTTP interface cannot say who is called: %s", error)
            raise RequestRefused(
                HTTPStatus.SERVICE_UNAVAILABLE, "It cannot be read just now; try again soon.", {"Retry-After": "5"}
            ) from error
        return self._served[tenant]

    def _feeds(self, tenant: Tenant) -> Feeds:
        count = self.meter.count_event
        return Feeds(self.store, tenant, self._clock, count, self._descriptions, self.parts)

    async def _only(self) -> ServedWorkspace:
        if self._workspace is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), A_MOMENT)
        if self._workspace is None:
            raise RequestRefused(
                HTTPStatus.SERVICE_UNAVAILABLE, "Slack has not said yet whose workspace this is; try again soon.",
                {"Retry-After": "5"},
            )  # fmt: skip
        return self._workspace

    async def serve(self) -> None:
        """Find out which workspace it is, if there is one, and then read its events, for ever."""
        if self._has_many:
            return  # whoever calls says which
        while self._workspace is None:
            try:
                tenant = await self._whose("")
                if tenant is None:
                    return
                feeds = self._feeds(tenant)
                await feeds.start()
            except (CallFailed, StoreError) as error:
                log.warning("the HTTP interface waits for Slack: %s", error)
                await self._clock.until(self._clock.after(PAUSE))
            else:
                self._workspace = ServedWorkspace(tenant, feeds)
                self._arrived.set()
        await self._workspace.feeds.read()

    def drain(self) -> None:
        """Say at ``/readyz`` that this process ends soon, and end what reads events: its readers connect elsewhere."""
        self.is_draining = True
        self.readers.close()

    def notice(self, key: StreamKey) -> None:
        """Note that something was committed to a stream."""
        for moved in self._waiting.get(key, ()):
            moved.set()
        served = self._workspace or self._served.get(key.tenant)
        if served is not None:
            served.feeds.notice(key)

    async def close(self) -> None:
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)

    @contextmanager
    def changes(self, key: StreamKey, moved: asyncio.Event | None = None) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever something is committed to this stream, which need not have begun.

        Args:
            moved: that event; a new one without.
        """
        moved = moved or asyncio.Event()
        self._waiting.setdefault(key, set()).add(moved)
        try:
            yield moved
        finally:
            self._waiting[key].discard(moved)
            if not self._waiting[key]:
                del self._waiting[key]


def _not_installed() -> RequestRefused:
    return RequestRefused(HTTPStatus.FORBIDDEN, "ToWow is not installed in the workspace of this token.", code="E012")


@dataclass(frozen=True, slots=True)
class Call:
    """One request of somebody who may make it; ``body`` and ``query`` are validated."""

    request: web.Request
    context: ApiContext
    token: Token
    workspace: ServedWorkspace
    body: Any = None
    query: Any = None

    @property
    def path(self) -> Mapping[str, str]:
        return self.request.match_info

    def now(self) -> Millis:
        return self.context.services.now()

    async def slack(self) -> AsyncWebClient:
        """Return the client that calls Slack in the caller's workspace."""
        return await self.context.clients(self.workspace.tenant)

    def cause(self, what: str) -> str:
        """Return the cause of this call's command: a call repeated with the same ``Idempotency-Key`` is done once.

        Raises:
            RequestRefused: the key cannot be kept.
        """
        key = self.request.headers.get("Idempotency-Key")
        if key is None:
            key = secrets.token_hex(12)
        elif not IDEMPOTENCY_KEY.fullmatch(key):
            raise RequestRefused(
                HTTPStatus.BAD_REQUEST, "An Idempotency-Key has 1 to 200 visible ASCII characters.", code="E001"
            )
        return f"http:{self.token.name}:{what}:{key}"

    def cause_with_body(self, what: str) -> str:
        """Return the cause, where the same key with another body is another call."""
        said = hashlib.sha256(self.body.model_dump_json().encode()).hexdigest()[:12] if self.body else ""
        return f"{self.cause(what)}:{said}"

    def acts_for(self, user_id: str | None, field: str) -> str:
        """Return who asks, or decides about what they asked for: the token's user, else whoever the program names.

        Args:
            user_id: whom it names in this ``field``.

        Raises:
            NotAllowed: the token is somebody else's.
            InvalidInput: nobody said who asks.
        """
        if self.token.user and user_id not in (None, self.token.user):
            raise NotAllowed(f"This token asks for {self.token.user} alone; leave {field} out.")
        if by := self.token.user or user_id:
            return by
        raise InvalidInput(f"Say in {field} who asks: this token is bound to nobody.")

    @property
    def is_somebody(self) -> bool:
        """Whether the token is a person's or an admin's. Any other one is told no words of people."""
        return bool(self.token.user) or Scope.ADMIN in self.token.scopes

    def may_read(self, protocol: str, state: Any) -> bool:
        """Whether they may read a stream: a token of one person's reads what that person takes part in."""
        user = self.token.user
        if not user or Scope.ADMIN in self.token.scopes:
            return True
        part = self.context.parts.get(protocol)
        return part is not None and part.takes_part(state, user)

    def reader(self, protocol: str, state: Any) -> Reader:
        """Return what the caller may read of a stream's private texts. An unbound token reads none."""
        if Scope.ADMIN in self.token.scopes:
            return Reader(is_told_all=True)
        user, part = self.token.user, self.context.parts.get(protocol)
        return part.reader(state, user) if user and part is not None else NOBODY
