"""Keeps to one rate: in this process alone, or together with the others that share the store."""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from engine.kernel import Tenant
from engine.runtime.clock import Clock, Monotonic
from engine.store.sharing import Sharing

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
