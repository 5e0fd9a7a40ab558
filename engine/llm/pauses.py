"""Which streams wait for a model, why, and until about when.

People are told so. What is told is told again only where it was wrong by a minute: the times are estimates.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from engine.kernel import Millis, StreamKey
from engine.llm.breaker import CircuitBreaker, demand_of
from engine.llm.pacing import Pace
from engine.llm.port import ModelStanding, Pause, PauseCause
from engine.runtime.clock import Clock, Monotonic, wall_time

Tell = Callable[[StreamKey], None]
"""Takes a stream of which something else is true now."""

SHORTEST: Final[Millis] = 10_000
"""Whoever waits less is not told."""
LOOK_EVERY: Final[Millis] = 1_000
"""How often it is estimated anew, at most, while a line moves on as it was thought to."""
MINUTE: Final[Millis] = 60_000


class Pauses:
    """
    Args:
        pace: tells when who has had their turns.
        breaker: tells when calls are made again.
    """

    def __init__(self, clock: Clock, pace: Pace, breaker: CircuitBreaker) -> None:
        self._clock = clock
        self._pace = pace
        self._breaker = breaker
        self._tell: Tell = _nobody_listens
        self._waiting: dict[StreamKey, Counter[PauseCause]] = {}
        """How many questions of each stream wait, by why; without those that do not."""
        self._keys: dict[str, StreamKey] = {}
        """Of the streams that wait, by what the pace knows them as."""
        self._again: dict[StreamKey, Monotonic] = {}
        """When the last of a stream's questions that failed is asked again."""
        self._told: dict[StreamKey, Pause] = {}
        self._expected: Mapping[str, Monotonic] = {}
        self._look_at = Monotonic(0)
        """When to estimate anew."""
        pace.watch(self)
        breaker.watch(self.stopped)

    def listen(self, tell: Tell) -> None:
        """Let somebody know of each stream that begins to wait, ends it, or waits longer than was told."""
        self._tell = tell

    def of(self, key: StreamKey) -> Pause | None:
        return self._told.get(key)

    def standing(self) -> ModelStanding:
        """Return how the model stands for all streams together."""
        until = [self._breaker.again_at] if self._breaker.is_open else [*self._pace.expected().values()]
        return ModelStanding(
            waiting=self._pace.waiting + self._breaker.waiting,
            is_silent=self._breaker.is_open,
            until=self._minute(max(until)) if until else 0,
        )

    @contextmanager
    def waiting(self, key: StreamKey | None, cause: PauseCause, until: Monotonic | None = None) -> Iterator[None]:
        """Count a question of a stream as waiting, within.

        Args:
            until: when its wait ends, where it does not end with the breaker's or with its turn.
        """
        if key is None:
            yield
            return
        self._waiting.setdefault(key, Counter())[cause] += 1
        self._keys[demand_of(key)] = key
        if until is not None:
            self._again[key] = max(until, self._again.get(key, until))
        if cause is PauseCause.SILENT:
            self._look_at_stream(key)
        try:
            yield
        finally:
            self._ended(key, cause)

    def _ended(self, key: StreamKey, cause: PauseCause) -> None:
        waiting = self._waiting[key]
        waiting[cause] -= 1
        if waiting.total():
            self._look_at_stream(key)
            return
        del self._waiting[key], self._keys[demand_of(key)]
        self._again.pop(key, None)
        if self._told.pop(key, None) is not None:
            self._tell(key)

    # ── what the pace says ────────────────────────────────────────────────────────────────────────────────────────

    def joined(self, demand: str) -> None:
        key = self._keys.get(demand)
        if key is not None:
            if demand not in self._expected or self._clock.monotonic() >= self._look_at:
                self._estimate()
            self._look_at_stream(key)

    def moved(self) -> None:
        """A line has moved on, or is about to."""
        if self._waiting and self._clock.monotonic() >= self._look_at:
            self.stopped()

    def stopped(self) -> None:
        """A line stands still for a while."""
        self._estimate()
        for key in [*self._waiting]:
            self._look_at_stream(key)

    # ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _estimate(self) -> None:
        self._expected = self._pace.expected()
        self._look_at = self._clock.after(LOOK_EVERY)

    def _look_at_stream(self, key: StreamKey) -> None:
        told, pause = self._told.get(key), self._pause(key)
        if pause is None or (told is not None and _is_near(told, pause)):
            return
        self._told[key] = pause
        self._tell(key)

    def _pause(self, key: StreamKey) -> Pause | None:
        """Return what is true now; None where it is not worth telling."""
        cause = PauseCause.SILENT if self._waiting[key][PauseCause.SILENT] else PauseCause.BUSY
        now = self._clock.monotonic()
        if cause is PauseCause.SILENT:
            due = max(self._breaker.again_at, self._again.get(key, now))
        else:
            due = self._expected.get(demand_of(key), now)
        if key not in self._told and due - now < SHORTEST:
            return None
        return Pause(cause, self._minute(due))

    def _minute(self, due: Monotonic) -> Millis:
        return -(-wall_time(self._clock, due) // MINUTE) * MINUTE


def _is_near(told: Pause, pause: Pause) -> bool:
    return told.cause is pause.cause and 0 <= told.until - pause.until <= MINUTE


def _nobody_listens(_: StreamKey) -> None:
    """For where nobody is told."""


SEEN: Final = 8
"""Calls of one prompt that are remembered."""

LONGEST: Final = 300.0
"""Seconds that a call may take, however slow the model is."""

UNANSWERED: Final = 120.0
"""Seconds beyond which calls that were given up make no call longer: whoever hangs is not waited for ever longer."""


class Patience:
    """
    Args:
        setting: seconds for each call, whatever else is known; None where nobody has said.
    """

    def __init__(self, setting: float | None = None) -> None:
        self._setting = setting
        self._seen: dict[tuple[str, str], deque[tuple[float, bool]]] = {}

    def seconds(self, model: str, prompt: str, usual: float) -> float:
        """Return the prompt's own time, or twice what the model took lately. Of a call that was given up only a lower
        bound is known: it counts where more were given up than answered, since some calls hang with any
        model.

        Args:
            usual: what the prompt's header says.
        """
        if self._setting is not None:
            return self._setting
        seen = self._seen.get((model, prompt), ())
        answered = [took for took, is_answered in seen if is_answered]
        given_up = [took for took, is_answered in seen if not is_answered]
        limit = max(usual, 2 * max(answered, default=0.0))
        if len(given_up) > len(answered):
            limit = max(limit, min(UNANSWERED, 2 * max(given_up)))
        return min(LONGEST, limit)

    def longest(self, left: float) -> float:
        """Return how long a call may take of which more and more is answered, where so many seconds are left."""
        return min(LONGEST, left) if self._setting is None else min(self._setting, left)

    def took(self, model: str, prompt: str, seconds: float, *, is_answered: bool) -> None:
        """Remember how long a call took: until its reply, or until nobody waited for it any more."""
        self._seen.setdefault((model, prompt), deque(maxlen=SEEN)).append((seconds, is_answered))
