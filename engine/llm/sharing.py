"""Budgets and pace that several processes keep together, through what their store shares."""

import logging
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, Protocol

from engine.errors import StoreError
from engine.kernel import Millis
from engine.llm.ledger import NO_TENANT
from engine.runtime.clock import Clock, Monotonic
from engine.runtime.membership import Membership
from engine.store.sharing import Lacking, Purse, Sharing

log = logging.getLogger(__name__)


# ── budgets ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# What may be spent by several processes together: each call reserves from the store what all of them draw on.


LOOK_EVERY: Final[Millis] = 1_000
"""How often it is looked whether calls of other processes have ended, while one waits for what they may leave."""
DAY: Final[Millis] = 86_400_000
TRIES: Final = 5
"""Of writing down what a call has cost."""


class SharedPurses:
    def __init__(self, membership: Membership, clock: Clock) -> None:
        self._membership = membership
        self._clock = clock
        self._filled: set[Purse] = set()
        """Of `_day`: later, others may have forgotten what was in them."""
        self._day = 0

    async def reserve(self, purses: Sequence[Purse], before: Sequence[Decimal], amount: Decimal) -> Lacking | None:
        """Reserve as much in each purse, or in none.

        Args:
            before: what each had spent before anything was paid from it: from the ledger, as this process has read it.
        """
        sharing = self._membership.sharing
        if (today := self._clock.now() // DAY) != self._day:
            self._day = today
            self._filled.clear()
        for purse, spent in zip(purses, before, strict=True):
            if purse not in self._filled:
                await sharing.fill_in(purse.tenant, purse.name, spent)
                self._filled.add(purse)
        return await sharing.reserve(purses, amount, self._membership.name)

    async def pay(self, purses: Sequence[Purse], reserved: Decimal, cost: Decimal) -> None:
        """Count what a call has cost. An answer that was paid for does not depend on its bookkeeping."""
        for _ in range(TRIES):
            try:
                await self._membership.sharing.pay(purses, reserved, cost, self._membership.name)
            except StoreError as error:
                log.warning("what a call has cost is not counted yet: %s", error)
                await self._clock.until(self._clock.after(LOOK_EVERY))
            else:
                return
        log.error("what a call has cost, %s US dollars, is in the ledger alone", cost)


# ── pace ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
# Keeps the API's limits together over several processes: they are of the key, and not of whoever uses it.


MINUTE: Final[Millis] = 60_000
"""What a full bucket holds: as much as is refilled in this time."""

Limits = Mapping[str, float]
"""By kind, how much of it there may be in a minute."""


class Counted(Protocol):
    """What a call counts towards the limits."""

    def of(self, kind: str) -> int: ...


class SharedPace:
    """Books what each call counts towards each limit, in one line for all processes. Without the store each process
    goes by its own buckets, and by what the API says is left."""

    def __init__(self, sharing: Sharing, clock: Clock) -> None:
        self._sharing = sharing
        self._clock = clock

    async def book(self, model: str, cost: Counted, limits: Limits) -> Monotonic:
        """Book a call; return when it may be made."""
        waits = [0.0]
        for kind, limit in limits.items():
            each, count = MINUTE / limit, min(cost.of(kind), round(limit))
            waits.append(await self._booked(model, kind, each, count) + each * count - MINUTE)
        return self._clock.after(max(waits))

    async def correct(self, model: str, about: Counted, spent: Counted, limits: Limits) -> None:
        """Count what a call has cost in place of what was booked for it; less gives others their turns sooner."""
        for kind, limit in limits.items():
            more = spent.of(kind) - about.of(kind)
            if kind != "requests" and more:
                await self._booked(model, kind, MINUTE / limit, more)

    async def hold(self, model: str, seconds: float, limits: Limits) -> None:
        """Let nobody call for a while: the API has asked for that."""
        for kind, limit in limits.items():
            await self._booked(model, kind, MINUTE / limit, 0, after=1_000 * seconds + MINUTE)

    async def _booked(self, model: str, kind: str, each: float, count: int, after: float = 0.0) -> float:
        try:
            return await self._sharing.book(NO_TENANT, f"{model}/{kind}", each=each, count=count, after=after)
        except StoreError as error:
            log.warning("other processes do not know of a call of %s: %s", model, error)
            return 0.0
