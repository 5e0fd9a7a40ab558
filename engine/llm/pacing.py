"""Keeps to the pace that the API allows, and gives each tenant, and each of its demands, their fair share of it.

Requests, input tokens and output tokens a minute are limited, for each model by itself. How many there may be is
learned: every reply says what the limit is and what is left, and a refusal for the pace (429) says how long to wait.
Until the API has said so, only the number of calls at once is bounded; it is halved by each such refusal, and grows
again with each reply.

Source of the headers: Anthropic, "Rate limits" (``anthropic-ratelimit-*``, ``retry-after``). The API refills its
buckets all the time, so they are refilled here in the same way.
"""

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from engine.kernel import Millis
from engine.llm.breaker import HeldUp
from engine.llm.sharing import MINUTE, SharedPace
from engine.runtime.clock import Clock, Monotonic, until_or_event

# ── a fair line ───────────────────────────────────────────────────────────────────────────────────────────────────────
# Who waits, in the order of their turns: tenants take turns, and so do the demands of each tenant.
#
# However much one tenant asks, whoever comes first in another one waits for one turn of each tenant at most.


Waiter = TypeVar("Waiter")


class Whose(NamedTuple):
    tenant: str
    """Whatever names it; empty for what is nobody's."""
    demand: str


class FairLine(Generic[Waiter]):
    def __init__(self) -> None:
        self._tenants: OrderedDict[str, OrderedDict[str, deque[Waiter]]] = OrderedDict()
        """Whose turn it is comes first, on both levels; without those that have nothing waiting."""

    def __len__(self) -> int:
        return sum(len(line) for demands in self._tenants.values() for line in demands.values())

    def __bool__(self) -> bool:
        return bool(self._tenants)

    def __iter__(self) -> Iterator[tuple[Whose, Waiter]]:
        """Yield everybody, in no order that matters."""
        for tenant, demands in self._tenants.items():
            for demand, line in demands.items():
                for each in line:
                    yield Whose(tenant, demand), each

    def add(self, whose: Whose, waiter: Waiter, *, again: bool = False) -> None:
        """Let somebody wait; who has had a turn in vain lets one of its demand go first, not all."""
        line = self._tenants.setdefault(whose.tenant, OrderedDict()).setdefault(whose.demand, deque())
        line.insert(1 if again else len(line), waiter)

    def remove(self, whose: Whose, waiter: Waiter) -> bool:
        """Let somebody go; return whether they were there."""
        demands = self._tenants.get(whose.tenant, OrderedDict())
        line = demands.get(whose.demand, deque())
        if waiter not in line:
            return False
        line.remove(waiter)
        if not line:
            del demands[whose.demand]
        if not demands:
            del self._tenants[whose.tenant]
        return True

    @property
    def first(self) -> Waiter:
        """Whose turn it is; there must be somebody."""
        demands = next(iter(self._tenants.values()))
        return next(iter(demands.values()))[0]

    def take(self) -> Waiter:
        """Let go whose turn it is; the next turns are other tenants', and within the tenant other demands'."""
        tenant, demands = next(iter(self._tenants.items()))
        demand, line = next(iter(demands.items()))
        waiter = line[0]
        self.remove(Whose(tenant, demand), waiter)
        if demand in demands:
            demands.move_to_end(demand)
        if tenant in self._tenants:
            self._tenants.move_to_end(tenant)
        return waiter

    def in_turn(self) -> Iterator[tuple[Whose, Waiter]]:
        """Yield everybody in the order of their turns, should nobody else come."""
        tenants = deque((tenant, deque(_in_rotation(demands))) for tenant, demands in self._tenants.items())
        while tenants:
            tenant, waiting = tenants.popleft()
            demand, waiter = waiting.popleft()
            yield Whose(tenant, demand), waiter
            if waiting:
                tenants.append((tenant, waiting))


def _in_rotation(demands: OrderedDict[str, deque[Waiter]]) -> Iterator[tuple[str, Waiter]]:
    lines = deque((demand, iter(line)) for demand, line in demands.items())
    while lines:
        demand, line = lines.popleft()
        for waiter in line:
            yield demand, waiter
            lines.append((demand, line))
            break


# ── pace ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


AT_ONCE: Final = 64
"""Calls under way at a time, of one model."""

FIRST_HOLD: Final = 1.0
"""Seconds for which nobody calls after a refusal that says nothing of its own; doubled by each in a row."""
LONGEST_HOLD: Final = 60.0
MOST_DOUBLED: Final = 10
"""Times; it is longer than the longest by then."""

KINDS: Final = ("requests", "input-tokens", "output-tokens")
"""What is limited, as the headers name it."""

MOVING: Final = 120_000
"""Milliseconds after a reply in which the line is taken to move on: whoever waits in it then will have their turn."""

LONGEST_WAIT: Final = 600_000
"""Milliseconds for one turn, however well the line moves."""


class TooSlow(Exception):
    """No turn comes in time."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call counts towards the limits: known before it only about, and exactly after it."""

    input_tokens: int
    output_tokens: int

    def of(self, kind: str) -> int:
        match kind:
            case "requests":
                return 1
            case "input-tokens":
                return self.input_tokens
            case _:
                return self.output_tokens


class _Bucket:
    """What is left of one limit."""

    def __init__(self) -> None:
        self.limit = math.inf
        """A minute."""
        self._level = math.inf
        self._at: int = 0

    def learn(self, limit: float, left: float, at: Monotonic) -> None:
        self.limit, self._level, self._at = limit, min(left, limit), at

    def level(self, at: Monotonic) -> float:
        if math.isinf(self.limit):
            return math.inf
        return min(self.limit, self._level + self.limit * (at - self._at) / MINUTE)

    def take(self, amount: float, at: Monotonic) -> None:
        """Less than nothing may be left: what was taken too much has to be refilled first."""
        self._level, self._at = min(self.limit, self.level(at) - amount), at

    def ready(self, amount: float, at: Monotonic) -> Monotonic:
        """When so much will be left; where that is more than the limit, when it is full."""
        missing = min(amount, self.limit) - self.level(at)
        return at if missing <= 0 else Monotonic(at + math.ceil(missing * MINUTE / self.limit))

    def expected(self, amount: float, at: Monotonic) -> Monotonic:
        """About when so much, which many take together, will have been left."""
        missing = amount - self.level(at)
        return at if missing <= 0 else Monotonic(at + math.ceil(missing * MINUTE / self.limit))


@dataclass(slots=True, eq=False)
class _Waiter:
    cost: Cost
    until: Monotonic
    """How long to wait, unless the line moves."""
    latest: Monotonic
    """How long to wait where it does."""
    turn: asyncio.Future[bool]
    """Whether it is its turn; False where that came too late."""


class Turn:
    """One call that is under way."""

    def __init__(self, lane: "_Lane", cost: Cost, waited: Millis) -> None:
        self._lane = lane
        self.cost = cost
        self.waited = waited
        """For how long it waited in a line that moved."""
        self.held = 0.0
        """Seconds for which nobody calls after it."""

    def answered(self, headers: Mapping[str, str], spent: Cost) -> None:
        """Take what a reply says of the limits, and what it has really cost."""
        self._lane.correct(self.cost, spent)
        self.cost = spent
        self._lane.learn(headers)
        self._lane.grow()

    def refused(self, headers: Mapping[str, str], seconds: float) -> None:
        """Take a refusal for the pace.

        Args:
            seconds: for which the API asks to wait; 0 where it does not say.
        """
        self._lane.correct(self.cost, Cost(0, 0))
        self.cost = Cost(0, 0)
        self._lane.learn(headers)
        self.held = self._lane.slow_down(seconds)


class Watcher(Protocol):
    """Who wants to know how the lines move."""

    def joined(self, demand: str) -> None:
        """Somebody has to wait."""

    def moved(self) -> None:
        """A line moves on."""

    def stopped(self) -> None:
        """A line stands still for a while."""


class Pace:
    """Args:
    at_once: calls of one model that this process makes at a time.
    shared: what processes that use the same key keep together; None for one.
    """

    def __init__(self, clock: Clock, at_once: int = AT_ONCE, shared: SharedPace | None = None) -> None:
        self._clock = clock
        self._shared = shared
        self._at_once = at_once
        self._lanes: dict[str, _Lane] = {}
        self._watchers: list[Watcher] = []
        self.held_up = HeldUp(clock)

    def watch(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    @asynccontextmanager
    async def turn(
        self,
        model: str,
        demand: str,
        cost: Cost,
        until: Monotonic,
        waiting: AbstractContextManager[None] | None = None,
        tenant: str = "",
        *,
        again: bool = False,
    ) -> AsyncIterator[Turn]:
        """Wait for a turn to call, and keep it during the call.

        Args:
            demand: what the call is for. Demands take turns, however many calls each wants to make.
            cost: about what it will cost.
            until: how long to wait; longer while others in the line are answered.
            waiting: entered for as long as it waits.
            tenant: whose demand it is. Tenants take turns, however many demands each has.
            again: whether the API has refused it as too much: one of its demand goes before it then, and not all.
        """
        if model not in self._lanes:
            self._lanes[model] = _Lane(self._clock, self._at_once, self._watchers)
        lane, joined = self._lanes[model], self._clock.monotonic()
        with self.held_up.waiting(demand), waiting or nullcontext():
            await lane.join(Whose(tenant, demand), cost, until, again=again)
            try:
                await self._wait_for_others(model, cost, lane, max(until, self._clock.after(LONGEST_WAIT)))
            except BaseException:
                lane.correct(cost, Cost(0, 0))
                lane.leave()
                raise
        waited = self._clock.monotonic() - joined
        turn = Turn(lane, cost, waited if lane.moves_until > self._clock.monotonic() else 0)
        try:
            yield turn
        finally:
            lane.leave()
            if self._shared is not None:
                await self._shared.correct(model, cost, turn.cost, lane.limits)
                if turn.held:
                    await self._shared.hold(model, turn.held, lane.limits)

    async def _wait_for_others(self, model: str, cost: Cost, lane: "_Lane", until: Monotonic) -> None:
        """Wait until the call fits beside those of other processes, where there are any."""
        if self._shared is None:
            return
        due = await self._shared.book(model, cost, lane.limits)
        if due > until:
            await self._shared.correct(model, cost, Cost(0, 0), lane.limits)
            raise TooSlow
        await self._clock.until(due)

    @property
    def waiting(self) -> int:
        return sum(each.waiting for each in self._lanes.values())

    @property
    def under_way(self) -> int:
        return sum(each.under_way for each in self._lanes.values())

    def expected(self) -> dict[str, Monotonic]:
        """Return about when each demand that waits will have had all of its turns."""
        found: dict[str, Monotonic] = {}
        for lane in self._lanes.values():
            for demand, at in lane.expected():
                found[demand] = max(at, found.get(demand, at))
        return found

    @property
    def seconds_expected(self) -> float:
        """About how long it takes until all that waits has had its turn; 0 where nothing waits."""
        now = self._clock.monotonic()
        return max((at - now for at in self.expected().values()), default=0) / 1000

    def seconds_held(self, model: str) -> float:
        """For how long nobody calls a model, since the API has asked for that; 0 where it has not."""
        return self._lanes[model].seconds_held if model in self._lanes else 0.0


class _Lane:
    """The calls of one model."""

    def __init__(self, clock: Clock, at_once: int, watchers: Sequence[Watcher]) -> None:
        self._clock = clock
        self._watchers = watchers
        self._most = at_once
        self._allowed: float = at_once
        """Calls at once, by what the API has put up with."""
        self.under_way = 0
        self._buckets = {kind: _Bucket() for kind in KINDS}
        self._held_until = Monotonic(0)
        self._refusals = 0
        """In a row."""
        self._answered: Monotonic | None = None
        """When the last reply came."""
        self._line: FairLine[_Waiter] = FairLine()
        self._changed = asyncio.Event()
        self._granting: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        return len(self._line)

    @property
    def moves_until(self) -> Monotonic:
        """Until when it is taken to move on, unless another reply comes."""
        return Monotonic(0 if self._answered is None else self._answered + MOVING)

    @property
    def limits(self) -> Mapping[str, float]:
        """What the API has said may be called in a minute, by kind."""
        return {kind: bucket.limit for kind, bucket in self._buckets.items() if not math.isinf(bucket.limit)}

    @property
    def seconds_held(self) -> float:
        return max(0, self._held_until - self._clock.monotonic()) / 1000

    async def join(self, whose: Whose, cost: Cost, until: Monotonic, *, again: bool) -> None:
        """Return once it is this call's turn."""
        latest = max(until, self._clock.after(LONGEST_WAIT))
        waiter = _Waiter(cost, until, latest, asyncio.get_running_loop().create_future())
        self._line.add(whose, waiter, again=again)
        self._grant()
        if not waiter.turn.done():
            for each in self._watchers:
                each.joined(whose.demand)
        try:
            if not await waiter.turn:
                raise TooSlow
        except asyncio.CancelledError:
            self._give_back(whose, waiter)
            raise

    def leave(self) -> None:
        self.under_way -= 1
        self._look_again()

    def correct(self, about: Cost, spent: Cost) -> None:
        """Count what a call has cost instead of what it was thought to."""
        now = self._clock.monotonic()
        for kind in KINDS[1:]:
            self._buckets[kind].take(spent.of(kind) - about.of(kind), now)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Take what the API says is left; what is under way may not be counted in it yet."""
        now, flying = self._clock.monotonic(), self.under_way - 1
        for kind, bucket in self._buckets.items():
            limit = _number(headers, f"anthropic-ratelimit-{kind}-limit")
            left = _number(headers, f"anthropic-ratelimit-{kind}-remaining")
            if limit is None or left is None or limit <= 0:
                continue
            known = bucket.level(now)
            may_be = left - flying if kind == "requests" else left
            bucket.learn(limit, may_be if math.isinf(known) or flying == 0 else min(known, may_be), now)

    def grow(self) -> None:
        self._refusals = 0
        self._answered = self._clock.monotonic()
        self._allowed = min(self._most, self._allowed + 1)
        for each in self._watchers:
            each.moved()

    def slow_down(self, seconds: float) -> float:
        """Let nobody call for so long, or for longer each time where the API says nothing; return the seconds."""
        now = self._clock.monotonic()
        if self._held_until <= now:  # else others were refused in the same moment
            self._refusals += 1
            self._allowed = max(1, self._allowed / 2)
        own = min(FIRST_HOLD * 2.0 ** min(self._refusals - 1, MOST_DOUBLED), LONGEST_HOLD)
        self._held_until = max(self._held_until, self._clock.after(1000 * (seconds or own)))
        for each in self._watchers:
            each.stopped()
        return seconds or own

    def expected(self) -> Iterator[tuple[str, Monotonic]]:
        """Yield each demand that waits with about when one of its turns comes, in the order of the turns."""
        now, sums = self._clock.monotonic(), dict.fromkeys(KINDS, 0)
        for whose, waiter in self._line.in_turn():
            for kind in KINDS:
                sums[kind] += waiter.cost.of(kind)
            ready = (bucket.expected(sums[kind], now) for kind, bucket in self._buckets.items())
            yield whose.demand, max(now, self._held_until, *ready)

    def _give_back(self, whose: Whose, waiter: _Waiter) -> None:
        """Let somebody go who was cancelled, in the line or when it was their turn already."""
        if waiter.turn.done() and not waiter.turn.cancelled() and waiter.turn.result():
            self.correct(waiter.cost, Cost(0, 0))
            self.leave()
        elif self._line.remove(whose, waiter):
            self._look_again()

    def _grant(self) -> None:
        """Give turns to whoever may call now; see to it that the others get theirs."""
        while self._line and self._ready() <= (now := self._clock.monotonic()):
            waiter = self._line.take()
            self.under_way += 1
            for kind, bucket in self._buckets.items():
                bucket.take(waiter.cost.of(kind), now)
            waiter.turn.set_result(True)
        if self._line and self._granting is None:
            self._granting = asyncio.create_task(self._grant_later())

    async def _grant_later(self) -> None:
        try:
            while self._line:
                self._changed.clear()
                ends = min(self._ends(each) for _, each in self._line)
                await until_or_event(self._clock, min(ends, self._ready()), self._changed)
                self._send_away()
                self._grant()
        finally:
            self._granting = None

    def _send_away(self) -> None:
        """Tell those whose time is over."""
        now = self._clock.monotonic()
        late = [(whose, each) for whose, each in self._line if self._ends(each) <= now]
        for whose, waiter in late:
            self._line.remove(whose, waiter)
            waiter.turn.set_result(False)

    def _ends(self, waiter: _Waiter) -> Monotonic:
        """When somebody's time in the line is over."""
        return max(waiter.until, min(waiter.latest, self.moves_until))

    def _ready(self) -> Monotonic:
        """When the next in line may call; `NEVER` while too many calls are under way."""
        if self.under_way >= max(1, int(self._allowed)):
            return NEVER
        cost, now = self._line.first.cost, self._clock.monotonic()
        return max(self._held_until, *(bucket.ready(cost.of(kind), now) for kind, bucket in self._buckets.items()))

    def _look_again(self) -> None:
        self._changed.set()
        self._grant()


NEVER: Final = Monotonic(1 << 62)
"""Not before something else has ended."""


def _number(headers: Mapping[str, str], name: str) -> float | None:
    try:
        number = float(headers.get(name, ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
