"""How long the questions of each demand have waited for their turn: time in which nobody could be asked."""

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from engine.kernel import Millis, StreamKey
from engine.runtime.clock import Clock, Monotonic

MOST_KNOWN: Final = 10_000
"""Demands; of those that have waited the longest ago, it is forgotten."""


@dataclass(slots=True)
class _Waits:
    since: Monotonic
    """When the first of those that wait now began to."""
    waiting: int = 0
    """Questions, now."""
    before: Millis = 0
    """Altogether, without those that wait now."""


def demand_of(key: StreamKey) -> str:
    """Return what a stream is known as where demands take turns."""
    return f"{key.tenant} {key.stream}"


class HeldUp:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._demands: OrderedDict[str, _Waits] = OrderedDict()

    @contextmanager
    def waiting(self, demand: str) -> Iterator[None]:
        """Count the time within as waited. Where several wait at once, it passes once."""
        waits = self._demands.pop(demand, None) or _Waits(self._clock.monotonic())
        self._demands[demand] = waits
        if len(self._demands) > MOST_KNOWN:
            self._demands.popitem(last=False)
        if not waits.waiting:
            waits.since = self._clock.monotonic()
        waits.waiting += 1
        try:
            yield
        finally:
            waits.waiting -= 1
            if not waits.waiting:
                waits.before += self._clock.monotonic() - waits.since

    def millis(self, demand: str) -> Millis:
        """Return for how long any question of a demand has waited, up to now."""
        waits = self._demands.get(demand)
        if waits is None:
            return 0
        return waits.before + (self._clock.monotonic() - waits.since if waits.waiting else 0)
