"""Tells Slack how each thread stands, where the workspace shows that of agents; where it does not, nothing is missing.

What each stream of a thread wants is stored, and what Slack was told: several streams share a thread, and a start after
a kill tells what is not told yet, and nothing twice.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from bot.posts.failures import CallFailed, Refused, Throttled
from bot.posts.rate_limits import SESSION, Lane, RateLimits, Ticket
from bot.posts.slack_calls import SlackCalls
from bot.posts.threads import Spot, record_of
from bot.posts.unknown_posts import RestoredTenants
from bot.posts.waiting import Waiting
from bot.views.kit.session import SessionStatus, together
from engine.errors import StoreError
from engine.kernel import Millis, StreamKey, Tenant, Validated
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "session"
"""The kind of the records: ``channel/ts of what begins the thread/stream`` is what a stream wants; without a stream,
what Slack was told."""

RANK: Final = 3
"""It waits behind all posts, which say more."""
FIRST_PAUSE: Final[Millis] = 1_000
LONGEST_PAUSE: Final[Millis] = 300_000
MOST_KNOWN: Final = 10_000
"""Streams of which it is kept in memory what they have said last; of others, it is read again."""

OF_THE_THREAD: Final = frozenset(
    {
        *("channel_not_found", "not_in_channel", "user_not_in_channel", "is_archived", "is_inactive"),
        *("thread_not_found", "message_not_found", "invalid_thread_ts", "restricted_action"),
    }
)
"""Refusals that say nothing about other threads. With any other, the workspace has no sessions for us."""


class _Said(Validated):
    status: SessionStatus
    why: str = ""
    """Slack's code, where Slack has refused it for good."""


class Wish(NamedTuple):
    """What a stream says about its thread."""

    spot: Spot
    status: SessionStatus


@dataclass(slots=True)
class AgentSessions:
    """What all streams share."""

    store: Store
    calls: SlackCalls
    rate_limits: RateLimits
    waiting: Waiting
    restored: RestoredTenants
    known: dict[StreamKey, Wish] = field(default_factory=dict)
    """What each stream has said last, as far as it is told; the longest ago first."""
    lacking: set[Tenant] = field(default_factory=set)
    """Workspaces that have no sessions for us; they are asked again after the next start."""
    confirmed: set[tuple[Tenant, Spot]] = field(default_factory=set)
    """Threads of which Slack was told since the start, in tenants whose store was restored: what their store says of
    the others may be of before."""
    turns: WeakValueDictionary[tuple[Tenant, Spot], asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """The streams of a thread speak in turn."""

    def is_told(self, key: StreamKey, wish: Wish) -> bool:
        """Return whether nothing is left to say."""
        return not all(wish.spot) or key.tenant in self.lacking or self.known.get(key) == wish

    def remember(self, key: StreamKey, wish: Wish) -> None:
        self.known.pop(key, None)
        if len(self.known) == MOST_KNOWN:
            del self.known[next(iter(self.known))]
        self.known[key] = wish


class AgentSession:
    """What one stream says; it is kept like a conversation of posts.

    Args:
        wanted: returns what is to be said by now; None for nothing.
        changed: set once it is told.
    """

    def __init__(
        self, key: StreamKey, sessions: AgentSessions, wanted: Callable[[], Wish | None], changed: asyncio.Event
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_calling = False
        self.is_closing = False
        self.is_shown = False
        self._key = key
        self._sessions = sessions
        self._wanted = wanted
        self._changed = changed
        self._failures = 0

    async def catch_up(self) -> None:
        """Return once Slack was told, or cannot be."""
        while not self.is_closing:
            wish = self._wanted()
            if wish is None or self._sessions.is_told(self._key, wish):
                self.is_shown = True
                self._changed.set()
                return
            self.noticed.clear()
            try:
                if await self._is_to_be_told(wish):
                    await self._tell_in_turn()
                else:
                    self._sessions.remember(self._key, wish)
            except StoreError as error:
                log.warning("how %s stands waits for the store: %s", self._key.stream, error)
                await self._sessions.waiting.pause(FIRST_PAUSE)

    async def _tell_in_turn(self) -> None:
        """Tell Slack what is wanted once the rates allow it."""
        sessions, tenant = self._sessions, self._key.tenant
        lane = Lane(tenant, SESSION)
        ticket = sessions.rate_limits.join(lane, RANK, self.noticed)
        try:
            await self._granted(ticket)
            wish = self._wanted()
            if wish is None or not ticket.granted:
                return
            turn = sessions.turns.setdefault((tenant, wish.spot), asyncio.Lock())
            async with turn, sessions.rate_limits.place(lane):
                self.is_calling = True
                await self._tell(wish)
        except Throttled as failed:
            sessions.rate_limits.hold(lane, sessions.waiting.clock.after(1000 * failed.seconds))
        except CallFailed as failed:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._failures, 20))
            self._failures += 1
            log.warning("how %s stands waits %d ms: %s", self._key.stream, pause, failed.why)
            self.is_calling = False
            await sessions.waiting.until_or_event(sessions.waiting.clock.after(pause), self.noticed)
        finally:
            self.is_calling = False
            if not ticket.granted:
                ticket.leave()

    async def _granted(self, ticket: Ticket) -> None:
        while not ticket.granted and not self.is_closing:
            await self._sessions.waiting.for_event(self.noticed)
            self.noticed.clear()

    async def _is_to_be_told(self, wish: Wish) -> bool:
        """Store what the stream wants; return whether Slack has to be told anything."""
        rows = await self._rows(wish.spot)
        own = record_of(wish.spot, self._key.stream)
        if own not in rows or rows[own].status is not wish.status:
            await self._put(own, _Said(status=wish.status))
            rows[own] = _Said(status=wish.status)
        told = rows.get(record_of(wish.spot, ""))
        if told is None or told.status is not _wanted_by_all(rows, wish.spot):
            return True
        sessions, tenant = self._sessions, self._key.tenant
        return (tenant, wish.spot) not in sessions.confirmed and await sessions.restored.find(tenant) is not None

    async def _tell(self, wish: Wish) -> None:
        """
        Raises:
            CallFailed
        """
        if not await self._is_to_be_told(wish):
            return
        status = _wanted_by_all(await self._rows(wish.spot), wish.spot)
        why = ""
        try:
            await self._sessions.calls.session(self._key.tenant, wish.spot, status)
        except Refused as refused:
            if refused.why not in OF_THE_THREAD:
                log.info("%s has no agent sessions: %s", self._key.tenant.team_id, refused.why)
                self._sessions.lacking.add(self._key.tenant)
                return
            why = refused.why
        self._failures = 0
        await self._put(record_of(wish.spot, ""), _Said(status=status, why=why))
        if await self._sessions.restored.find(self._key.tenant) is not None:
            self._sessions.confirmed.add((self._key.tenant, wish.spot))

    async def _rows(self, spot: Spot) -> dict[str, _Said]:
        rows = await self._sessions.store.records(self._key.tenant, KIND, record_of(spot, ""))
        return {name: _Said.model_validate_json(row) for name, row in rows.items()}

    async def _put(self, record: str, said: _Said) -> None:
        row = said.model_dump_json(exclude_defaults=True)
        await self._sessions.store.put_records(self._key.tenant, KIND, {record: row})


def _wanted_by_all(rows: Mapping[str, _Said], spot: Spot) -> SessionStatus:
    """Return how a thread stands, by what each of its streams wants."""
    return together(said.status for record, said in rows.items() if record != record_of(spot, ""))
