"""Keeps the API's limits together over several processes: they are of the key, and not of whoever uses it."""

import logging
from collections.abc import Mapping
from typing import Final, Protocol

from engine.errors import StoreError
from engine.kernel import Millis
from engine.llm.ledger import NO_TENANT
from engine.runtime.clock import Clock, Monotonic
from engine.store.sharing import Sharing

log = logging.getLogger(__name__)

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
