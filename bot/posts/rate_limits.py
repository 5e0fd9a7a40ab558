"""Limits how often Slack is called: calls of each method in each workspace wait in a line of their own.

Besides, only so many calls of a workspace are under way at a time. A rate holds in this process alone, or together with
the others that share the store.
"""

import asyncio
import logging
import math
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, Protocol

from bot.posts.waiting import FIRST_PAUSE, Waiting
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.runtime.clock import Clock, Monotonic
from engine.store.sharing import Sharing

log = logging.getLogger(__name__)

BLOCK: Final = 5
"""A process books so many turns at a time that as many processes can book at once before any has to wait."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` calls at once, then ``per_minute`` on average."""

    per_minute: float
    burst: int
    per_channel: "Rate | None" = None
    """A further limit for each channel."""


class Pace(Protocol):
    def free_at(self, now: Monotonic) -> Monotonic:
        """Return when the next turn comes, as far as that is known."""

    def is_to_book(self, now: Monotonic) -> bool:
        """Return whether `book` must come before the next turn."""

    async def book(self, wanted: int) -> None:
        """
        Args:
            wanted: how many turns are waited for.

        Raises:
            StoreError
        """

    def take(self, now: Monotonic) -> None:
        """Use a turn that has come."""

    def hold(self, until: Monotonic) -> None:
        """Allow no call before then, and no burst right after it."""

    async def tell(self, until: Monotonic) -> None:
        """Have others hold, too.

        Raises:
            StoreError
        """

    def is_fresh(self, now: Monotonic) -> bool:
        """Return whether nothing is lost if it is forgotten."""


class OwnPace:
    """Of one process that has the limit to itself. Its state is the time until which the average rate is used up."""

    def __init__(self, rate: Rate) -> None:
        self._each = 60_000 / rate.per_minute
        self._allowance = (rate.burst - 1) * self._each
        self._booked = 0.0

    def free_at(self, now: Monotonic) -> Monotonic:
        return max(now, Monotonic(math.ceil(self._booked - self._allowance)))

    def is_to_book(self, now: Monotonic) -> bool:
        return False

    async def book(self, wanted: int) -> None:
        """There is nobody to ask."""

    def take(self, now: Monotonic) -> None:
        self._booked = max(self._booked, now) + self._each

    def hold(self, until: Monotonic) -> None:
        self._booked = max(self._booked, until + self._allowance)

    async def tell(self, until: Monotonic) -> None:
        """There is nobody else."""

    def is_fresh(self, now: Monotonic) -> bool:
        return self._booked <= now


class _Turn(NamedTuple):
    """When a call may be made: not before, and not after. One that is not used in time is lost."""

    start: Monotonic
    end: Monotonic


class SharedPace:
    """Of all processes together. Each books a few turns at a time, so that most calls ask nobody.

    In the store, a line is booked until some time. A turn that is booked from a time t on may be used from ``t -
    allowance`` to t: with so many turns between any two times, no rate is exceeded, whoever uses them. So that a turn
    does not end as soon as it is booked, it is booked a little ahead. A process that ends loses what it has booked.

    Args:
        line: its name among the tenant's.
    """

    def __init__(self, rate: Rate, clock: Clock, sharing: Sharing, tenant: Tenant, line: str) -> None:
        self._clock = clock
        self._sharing = sharing
        self._tenant = tenant
        self._line = line
        self._burst = rate.burst
        each = 60_000 / rate.per_minute
        # Where no two calls may be made at once, a turn that lasts for a while takes the time of two.
        self._each, self._allowance = (each, (rate.burst - 1) * each) if rate.burst > 1 else (2 * each, each)
        self._turns: deque[_Turn] = deque()

    def free_at(self, now: Monotonic) -> Monotonic:
        self._drop_late(now)
        return max(now, self._turns[0].start) if self._turns else now

    def is_to_book(self, now: Monotonic) -> bool:
        self._drop_late(now)
        return not self._turns

    async def book(self, wanted: int) -> None:
        count = min(max(wanted, self._burst // BLOCK), max(1, self._burst // 2))
        ahead = min(count * self._each, self._allowance)
        before = self._clock.monotonic()
        first = await self._sharing.book(self._tenant, self._line, each=self._each, count=count, after=ahead)
        after = self._clock.monotonic()
        ends = [first + number * self._each for number in range(count)]
        self._turns.extend(
            _Turn(Monotonic(math.ceil(after + end - self._allowance)), Monotonic(math.floor(before + end)))
            for end in ends
        )

    def take(self, now: Monotonic) -> None:
        self._turns.popleft()

    def hold(self, until: Monotonic) -> None:
        self._turns.clear()

    async def tell(self, until: Monotonic) -> None:
        pause = max(0, until - self._clock.monotonic()) + self._allowance
        await self._sharing.book(self._tenant, self._line, each=self._each, count=0, after=pause)

    def is_fresh(self, now: Monotonic) -> bool:
        return self.is_to_book(now)

    def _drop_late(self, now: Monotonic) -> None:
        while self._turns and self._turns[0].end < now:
            self._turns.popleft()


POST: Final = "chat.postMessage"
UPDATE: Final = "chat.update"
REPLIES: Final = "conversations.replies"
HISTORY: Final = "conversations.history"
OPEN: Final = "conversations.open"
PERSON: Final = "users.info"
UNDISTURBED: Final = "dnd.teamInfo"
PUBLISH: Final = "views.publish"
SESSION: Final = "agents.sessions.setStatus"
REACT: Final = "reactions.add"
UNREACT: Final = "reactions.remove"
COMPLETE: Final = "functions.completeSuccess"
FAIL: Final = "functions.completeError"
RESPOND: Final = "response_url"
"""No method: a message that was clicked may be changed five times through the click, which counts for no limit."""


SLACK_RATES: Final[Mapping[str, Rate]] = {
    # "One a second in each channel, while also maintaining a workspace-wide limit", which Slack gives no number for.
    POST: Rate(240, 40, per_channel=Rate(60, 4)),
    UPDATE: Rate(50, 20),
    REPLIES: Rate(50, 10),
    HISTORY: Rate(50, 10),
    OPEN: Rate(50, 20),
    PERSON: Rate(100, 20),
    UNDISTURBED: Rate(20, 10),
    PUBLISH: Rate(100, 20),
    SESSION: Rate(50, 20),
    REACT: Rate(50, 20),
    UNREACT: Rate(20, 10),
    COMPLETE: Rate(50, 20),
    FAIL: Rate(50, 20),
}
"""Slack's published limits."""

DISTRIBUTED_RATES: Final[Mapping[str, Rate]] = {**SLACK_RATES, REPLIES: Rate(1, 1), HISTORY: Rate(1, 1)}
"""Of an app that others install and that is not in Slack's Marketplace."""
DISTRIBUTED_PAGE: Final = 15
"""Messages that such an app may read at a time."""

UNLIMITED: Final[Mapping[str, Rate]] = {}
"""For the local workspace. An answer of 429 is obeyed even so."""


AT_ONCE: Final = 8
"""Calls under way at a time in one workspace. When two hundred threads change at once, a click would wait behind all of
their calls, here and in Slack. Eight at a time make more calls than Slack's rates allow, unless each takes a second."""


class Lane(NamedTuple):
    """What a call counts towards."""

    tenant: Tenant
    method: str
    channel: str = ""


class Ticket:
    """A place in the line of a method; ``granted`` once its holder may call.

    A holder that needs it no longer calls `leave`. A granted turn counts as a call, even if none is made.
    """

    def __init__(self, lane: Lane, rank: int, wake: asyncio.Event, line: "_Line") -> None:
        self.lane = lane
        self.rank = rank
        self.wake = wake
        self.granted = False
        self._line = line

    @property
    def is_paced(self) -> bool:
        """Whether there is a rate that makes it wait, and not Slack's word alone."""
        return self._line.is_paced

    def leave(self) -> None:
        self._line.leave(self)


class RateLimits:
    """
    Args:
        sharing: with whom the limits are shared; None where this process has them to itself.
    """

    def __init__(self, rates: Mapping[str, Rate], waiting: Waiting, sharing: Sharing | None = None) -> None:
        self._rates = rates
        self._waiting = waiting
        self._sharing = sharing
        self._lines: dict[tuple[Tenant, str], _Line] = {}
        self._places: dict[Tenant, asyncio.Semaphore] = {}
        self._barred: set[Tenant] = set()

    def place(self, lane: Lane) -> AbstractAsyncContextManager[None]:
        """Wait for a place of this workspace, and keep it during a call. A call through a click needs none."""
        if lane.method == RESPOND:
            return nullcontext()
        return self._places.setdefault(lane.tenant, asyncio.Semaphore(AT_ONCE))

    def join(self, lane: Lane, rank: int, wake: asyncio.Event) -> Ticket:
        """Return a ticket that is granted at once, or later, and then sets ``wake``.

        Args:
            rank: lower ranks go first; equal ranks go in the order in which they came.
        """
        line = self._line(lane)
        ticket = Ticket(lane, rank, wake, line)
        line.join(ticket)
        return ticket

    def hold(self, lane: Lane, until: Monotonic) -> None:
        """Make every call of this method in this workspace wait until then: Slack has answered "too many"."""
        self._line(lane).hold(until)

    def bar(self, tenant: Tenant) -> None:
        """Make every call in this workspace wait until we are let in again."""
        self._barred.add(tenant)

    def let_in(self, tenant: Tenant) -> None:
        """Go on with whatever has waited."""
        self._barred.discard(tenant)
        for (whose, _), line in self._lines.items():
            if whose == tenant:
                line.go_on()

    def close(self) -> None:
        """Grant nothing any more."""
        for line in self._lines.values():
            line.close()

    def _line(self, lane: Lane) -> "_Line":
        key = (lane.tenant, lane.method)
        if key not in self._lines:
            is_barred = partial(self._barred.__contains__, lane.tenant)
            self._lines[key] = _Line(self._rates.get(lane.method), self._waiting, partial(self._pace, *key), is_barred)
        return self._lines[key]

    def _pace(self, tenant: Tenant, method: str, rate: Rate, channel: str = "") -> Pace:
        if self._sharing is None:
            return OwnPace(rate)
        line = f"{method}/{channel}" if channel else method
        return SharedPace(rate, self._waiting.clock, self._sharing, tenant, line)


class _Line:
    """The tickets of all calls that wait for one method in one workspace."""

    MOST_CHANNELS: Final = 1_000
    """Whose rates are kept in memory; more of them only while they are in use."""

    def __init__(
        self, rate: Rate | None, waiting: Waiting, pace: Callable[..., Pace], is_barred: Callable[[], bool]
    ) -> None:
        self._rate = rate
        self._waiting = waiting
        self._new_pace = pace
        self._is_barred = is_barred
        self._pace = pace(rate) if rate else None
        self._channels: dict[str, Pace] = {}
        self._held: Monotonic | None = None
        self._tickets: list[Ticket] = []
        self._changed = asyncio.Event()
        self._caller: asyncio.Task[None] | None = None
        """Grants tickets while there are any."""

    @property
    def is_paced(self) -> bool:
        return self._pace is not None

    def join(self, ticket: Ticket) -> None:
        now = self._waiting.clock.monotonic()
        is_known = not any(pace.is_to_book(now) for pace in self._paces(ticket))
        if not self._is_barred() and is_known and self._due(ticket, now) <= now and not self._overtakes(ticket, now):
            self._take(ticket, now)
            return
        self._tickets.append(ticket)
        self._changed.set()
        if self._caller is None:
            self._caller = self._waiting.activity.spawn(self._grant_in_turn())

    def leave(self, ticket: Ticket) -> None:
        if not ticket.granted:
            self._tickets.remove(ticket)
            self._changed.set()

    def hold(self, until: Monotonic) -> None:
        self._held = until if self._held is None else max(until, self._held)
        for pace in (*([self._pace] if self._pace else []), *self._channels.values()):
            pace.hold(self._held)
        if self._pace is not None:
            self._waiting.activity.spawn(self._tell(self._pace, self._held))
        self._changed.set()

    def go_on(self) -> None:
        self._changed.set()

    def close(self) -> None:
        if self._caller is not None:
            self._caller.cancel()

    async def _grant_in_turn(self) -> None:
        try:
            while self._tickets:
                self._changed.clear()
                if self._is_barred():
                    await self._waiting.for_event(self._changed)
                    continue
                now = self._waiting.clock.monotonic()
                ticket, due = self._next(now)
                if due > now:
                    await self._waiting.until_or_event(due, self._changed)
                    continue
                if any(pace.is_to_book(now) for pace in self._paces(ticket)):
                    await self._book(ticket, now)
                    continue
                self._tickets.remove(ticket)
                self._take(ticket, now)
                ticket.wake.set()
        finally:
            self._caller = None

    async def _book(self, ticket: Ticket, now: Monotonic) -> None:
        """Book turns for a ticket, and for those that wait for the same: first in the workspace, and once that has come
        in the channel, so that neither ends before the other comes."""
        pace, *_ = (each for each in self._paces(ticket) if each.is_to_book(now))
        alike = self._tickets if pace is self._pace else [each for each in self._tickets if each.lane == ticket.lane]
        try:
            await pace.book(len(alike))
        except StoreError as error:
            log.warning("calls wait for the store, in which their turns are booked: %s", error)
            await self._waiting.pause(FIRST_PAUSE)

    async def _tell(self, pace: Pace, until: Monotonic) -> None:
        try:
            await pace.tell(until)
        except StoreError as error:
            log.warning("other processes find out by themselves that Slack was called too often: %s", error)

    def _overtakes(self, ticket: Ticket, now: Monotonic) -> bool:
        """Return whether an earlier ticket could be granted now as well."""
        return any(each.rank <= ticket.rank and self._due(each, now) <= now for each in self._tickets)

    def _next(self, now: Monotonic) -> tuple[Ticket, Monotonic]:
        dues = [(self._due(each, now), each.rank, number) for number, each in enumerate(self._tickets)]
        due, _, number = min(dues)
        return self._tickets[number], due

    def _due(self, ticket: Ticket, now: Monotonic) -> Monotonic:
        return max((now, self._held or now, *(pace.free_at(now) for pace in self._paces(ticket))))

    def _take(self, ticket: Ticket, now: Monotonic) -> None:
        for pace in self._paces(ticket):
            pace.take(now)
        ticket.granted = True

    def _paces(self, ticket: Ticket) -> list[Pace]:
        if self._rate is None or self._pace is None:
            return []
        if self._rate.per_channel is None:
            return [self._pace]
        return [self._pace, self._channel(ticket.lane.channel, self._rate.per_channel)]

    def _channel(self, channel: str, rate: Rate) -> Pace:
        if channel not in self._channels:
            if len(self._channels) >= self.MOST_CHANNELS:
                now = self._waiting.clock.monotonic()
                self._channels = {name: each for name, each in self._channels.items() if not each.is_fresh(now)}
            self._channels[channel] = self._new_pace(rate, channel)
            if self._held is not None and self._held > self._waiting.clock.monotonic():
                self._channels[channel].hold(self._held)
        return self._channels[channel]
