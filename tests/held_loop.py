"""Watches that nothing holds an event loop: while one callback computes, no vote is acknowledged and nobody is heard.

A thread looks at the stack of the loop's thread a hundred times a second. What counts is the processor's time that the
loop's thread spends in one callback, so that a busy machine, on which it waits for its turn, raises no alarm.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

LONGEST: Final = 0.05
"""Seconds that a callback may take."""
EVERY: Final = 0.01
"""Seconds between two looks."""
ROOT: Final = Path(__file__).parents[1]
LOOPS: Final = ("/asyncio/runners.py", "/asyncio/base_events.py", "/asyncio/events.py")
"""Files whose frames are the loop itself."""


@dataclass(frozen=True, slots=True)
class Hold:
    seconds: float
    where: str
    """The innermost call of our own when it was last seen, and the callback that it is part of."""

    def __str__(self) -> str:
        return f"{1000 * self.seconds:.0f} ms by {self.where}"


class HeldLoop:
    """
    Args:
        tell: is told of each hold once it is over.
        thread: by its identity, the one whose loop it is; the one that makes this, when left out.
    """

    def __init__(
        self, tell: Callable[[Hold], None], *, longest: float = LONGEST, every: float = EVERY, thread: int | None = None
    ) -> None:
        self._tell = tell
        self._longest = longest
        self._every = every
        self._thread = thread or threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._ended = threading.Event()
        self._watching = threading.Thread(target=self._watch, name="held-loop", daemon=True)

    def start(self) -> None:
        self._watching.start()

    def end(self) -> None:
        self._ended.set()
        self._watching.join()

    def _watch(self) -> None:
        callback: FrameType | None = None
        began = before = time.clock_gettime(self._clock)
        hold: Hold | None = None
        while not self._ended.wait(self._every):
            now = time.clock_gettime(self._clock)
            stack = _callback(sys._current_frames().get(self._thread))
            if not stack or stack[0] is not callback:
                if hold is not None:
                    self._tell(hold)
                callback, began, hold = stack[0] if stack else None, before, None
            if stack and now - began >= self._longest:
                hold = Hold(now - began, _told(stack))
            before = now
        if hold is not None:
            self._tell(hold)


def _callback(frame: FrameType | None) -> list[FrameType]:
    """Return the frames of the callback that runs, its own first; none where the loop waits, or there is none."""
    stack: list[FrameType] = []
    while frame is not None and not frame.f_code.co_filename.endswith(LOOPS):
        stack.append(frame)
        frame = frame.f_back
    is_run = frame is not None and frame.f_code.co_name in ("_run", "run", "run_until_complete", "run_forever")
    return stack[::-1] if is_run else []


def _told(stack: list[FrameType]) -> str:
    own = [each for each in stack if each.f_code.co_filename.startswith(str(ROOT)) and "/.venv/" not in _file(each)]
    inner = (own or stack)[-1]
    called = f"{inner.f_code.co_qualname} ({Path(_file(inner)).name}:{inner.f_lineno})"
    return f"{called}, in {stack[0].f_code.co_qualname}"


def _file(frame: FrameType) -> str:
    return frame.f_code.co_filename


@contextmanager
def held_loop(longest: float = LONGEST) -> Iterator[list[Hold]]:
    """Yield the holds of this thread's loop inside of the block, each once it is over."""
    holds: list[Hold] = []
    watch = HeldLoop(holds.append, longest=longest)
    watch.start()
    try:
        yield holds
    finally:
        watch.end()


def worst(holds: Iterable[Hold]) -> list[Hold]:
    """Return the longest hold of each callback, the longest first."""
    found: dict[str, Hold] = {}
    for each in sorted(holds, key=lambda hold: -hold.seconds):
        found.setdefault(each.where.rpartition(", in ")[2], each)
    return [*found.values()]
