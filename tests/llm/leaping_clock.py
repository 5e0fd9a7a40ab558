"""A clock on which waiting takes no time."""

from engine.kernel import Millis

NOON = 1_800_000_000_000


class LeapingClock:
    """Leaps to whatever is waited for, and records how long the wait would have been."""

    def __init__(self) -> None:
        self._now: Millis = NOON
        self.waited: list[Millis] = []

    def now(self) -> Millis:
        return self._now

    def seconds_until(self, due: Millis) -> float:
        return max(0.0, (due - self._now) / 1000)

    async def until(self, due: Millis) -> None:
        self.waited.append(max(0, due - self._now))
        self._now = max(due, self._now)

    def passes(self, millis: Millis) -> None:
        self._now += millis
