"""When what has failed is tried again, in one conversation."""

from dataclasses import dataclass
from typing import Final

from bot.posts.difference import LookAgain, Step
from engine.kernel import Millis
from engine.runtime.clock import Clock, Monotonic

FIRST_PAUSE: Final[Millis] = 1_000
LONGEST_PAUSE: Final[Millis] = 300_000


@dataclass(slots=True)
class _Failing:
    """A post whose last call has failed."""

    not_before: Monotonic
    failures: int = 0


class Retries:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failing: dict[str, _Failing] = {}

    def failed(self, step: Step) -> Millis:
        """Return how long the next try waits."""
        failing = self._failing.setdefault(_name(step), _Failing(self._clock.monotonic()))
        pause: Millis = min(LONGEST_PAUSE, FIRST_PAUSE << min(failing.failures, 20))
        failing.failures += 1
        failing.not_before = self._clock.after(pause)
        return pause

    def succeeded(self, step: Step) -> None:
        self._failing.pop(_name(step), None)

    def due(self, step: Step) -> Monotonic | None:
        """Return from when on it may be tried again; None where nothing has failed."""
        failing = self._failing.get(_name(step))
        return failing.not_before if failing else None


def _name(step: Step) -> str:
    """Return what fails together: a look for what stands there twice holds up nothing else of its post."""
    return f"{step.post.key} again" if isinstance(step, LookAgain) else step.post.key
