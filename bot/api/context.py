"""What every call needs: whose workspace it is, who may do what in it, and who is told when something moves."""

import asyncio
import contextlib
import hashlib
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.api.feeds import PAUSE, Feeds
from bot.api.metrics import Meter
from bot.api.problems import Declined
from bot.api.rates import Rates
from bot.api.readers import Readers
from bot.api.tokens import Scope, Token
from bot.listeners.gateway import CommandGateway
from bot.posts.failures import CallFailed
from engine.errors import Refusal, StoreError, UnknownChannel, UnknownDemand
from engine.kernel import Millis, StreamKey, Tenant
from engine.negotiation.state import Negotiation
from engine.runtime.clock import Clock
from engine.store.port import Store

log = logging.getLogger(__name__)

A_MOMENT: Final = 2.0
"""Seconds that a call waits, just after the start, until it is known whose workspace it is."""

ID: Final = re.compile(r"(d|collab)-([a-z0-9]{8})")
IDEMPOTENCY_KEY: Final = re.compile(r"[!-~]{1,200}")


class Here(NamedTuple):
    """The workspace that this ToWow serves."""

    tenant: Tenant
    feeds: Feeds


class ApiContext:
    """
    Args:
        slack: by which it is found out whether somebody may begin a demand in a channel.
        whose: whose workspace it is; raises `CallFailed` while Slack has not said.
        is_connected: whether Slack can reach us.
        clock: the time of connections and rates, which is not that of negotiations where that one jumps.
        patience: seconds that an answer waits for a demand to be understood.
    """

    def __init__(
        self,
        gateway: CommandGateway,
        store: Store,
        slack: AsyncWebClient,
        whose: Callable[[], Awaitable[Tenant]],
        is_connected: Callable[[], Awaitable[bool]],
        meter: Meter,
        clock: Clock,
        *,
        per_minute: int,
        patience: float,
    ) -> None:
        self.gateway = gateway
        self.store = store
        self.slack = slack
        self.is_connected = is_connected
        self.meter = meter
        self.readers = Readers(clock, meter)
        self.rates = Rates(per_minute, clock)
        self.patience = patience
        self._whose = whose
        self._clock = clock
        self._here: Here | None = None
        self._arrived = asyncio.Event()
        self._waiting: dict[StreamKey, set[asyncio.Event]] = {}

    async def here(self) -> Here:
        """
        Raises:
            Declined: Slack has not said yet whose workspace it is.
        """
        if self._here is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), A_MOMENT)
        if self._here is None:
            raise Declined(
                HTTPStatus.SERVICE_UNAVAILABLE, "Slack has not said yet whose workspace this is; try again soon.",
                {"Retry-After": "5"},
            )  # fmt: skip
        return self._here

    async def serve(self) -> None:
        """For ever: finds out whose workspace it is, and then reads its events."""
        while self._here is None:
            try:
                tenant = await self._whose()
                feeds = Feeds(self.store, tenant, self._clock, self.meter.saw)
                await feeds.start()
            except (CallFailed, StoreError) as error:
                log.warning("the HTTP interface waits for Slack: %s", error)
                await self._clock.until(self._clock.now() + PAUSE)
            else:
                self._here = Here(tenant, feeds)
                self._arrived.set()
        await self._here.feeds.read()

    def notice(self, key: StreamKey) -> None:
        """Something was committed."""
        for moved in self._waiting.get(key, ()):
            moved.set()
        if self._here is not None:
            self._here.feeds.notice(key)

    @contextmanager
    def moves(self, key: StreamKey) -> Iterator[asyncio.Event]:
        """Set whenever something is committed to this stream."""
        moved = asyncio.Event()
        self._waiting.setdefault(key, set()).add(moved)
        try:
            yield moved
        finally:
            self._waiting[key].discard(moved)
            if not self._waiting[key]:
                del self._waiting[key]


@dataclass(frozen=True, slots=True)
class Call:
    """One request of somebody who may make it; ``body`` and ``query`` are what the route takes, read."""

    request: web.Request
    context: ApiContext
    token: Token
    here: Here
    body: Any = None
    query: Any = None

    @property
    def path(self) -> Mapping[str, str]:
        return self.request.match_info

    def now(self) -> Millis:
        return self.context.gateway.now()

    def cause(self, what: str) -> str:
        """Whoever names a call with ``Idempotency-Key`` can repeat it, and it is done once.

        Raises:
            Declined: the key cannot be kept.
        """
        key = self.request.headers.get("Idempotency-Key")
        if key is None:
            key = secrets.token_hex(12)
        elif not IDEMPOTENCY_KEY.fullmatch(key):
            raise Declined(
                HTTPStatus.BAD_REQUEST, "An Idempotency-Key has 1 to 200 visible ASCII characters.", code="E001"
            )
        return f"http:{self.token.name}:{what}:{key}"

    def cause_of_this(self, what: str) -> str:
        """... and the same key with another body is another call."""
        said = hashlib.sha256(self.body.model_dump_json().encode()).hexdigest()[:12] if self.body else ""
        return f"{self.cause(what)}:{said}"

    async def negotiation(self, name: str) -> Negotiation:
        """By the id of its demand or of its channel.

        Raises:
            UnknownDemand, UnknownChannel, StoreError, TimeoutError
        """
        state = await self.any_negotiation(name)
        if not self.may_read(state):
            raise _unknown(name)
        return state

    async def any_negotiation(self, name: str) -> Negotiation:
        """... whether or not they may read it: the rules say whose hand it needs."""
        found = ID.fullmatch(name)
        if found is None:
            raise _unknown(name)
        try:
            return await self.context.gateway.look_up(StreamKey(self.here.tenant, f"collab-{found[2]}"))
        except UnknownChannel:
            raise _unknown(name) from None

    def may_read(self, state: Negotiation) -> bool:
        """A token of one person's reads what that person is part of."""
        user = self.token.user
        if not user or Scope.ADMIN in self.token.scopes or user == state.requester_id:
            return True
        was_found = any(user == each.user_id for each in state.joined.values())
        return was_found or any(user in state.hands(agent_id) for agent_id in state.invited)


def _unknown(name: str) -> Refusal:
    """What is not theirs to know is not there."""
    if name.startswith("collab-"):
        return UnknownChannel("There is no such channel here; its id looks like collab-abcd2345.")
    return UnknownDemand("There is no such demand here; its id looks like d-abcd2345.")
