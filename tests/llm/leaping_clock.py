"""A clock on which waiting takes no time."""

from engine.kernel import Millis
from engine.runtime.clock import Monotonic

NOON = 1_800_000_000_000


class LeapingClock:
    """Leaps to whatever is waited for, and records how long the wait would have been."""

    def __init__(self) -> None:
        self._passed: Millis = 0
        self._set_by: Millis = 0
        self.waited: list[Millis] = []

    def now(self) -> Millis:
        return NOON + self._passed + self._set_by

    def monotonic(self) -> Monotonic:
        return Monotonic(self._passed)

    def after(self, millis: float) -> Monotonic:
        return Monotonic(self._passed + max(0, round(millis)))

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self.now()) / 1000)

    async def until(self, due: Monotonic) -> None:
        self.waited.append(max(0, due - self._passed))
        self._passed = max(due, self._passed)

    def passes(self, millis: Millis) -> None:
        self._passed += millis

    def is_set_by(self, millis: Millis) -> None:
        """Somebody sets the wall clock, back or forward."""
        self._set_by += millis
