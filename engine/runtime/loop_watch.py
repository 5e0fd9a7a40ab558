"""Notices that the event loop stands still, and logs where: nothing else in the process could.

While one callback computes, no vote is acknowledged and no signal is heard. A thread looks whether the loop still
ticks, and logs the stack of the loop's thread where it does not. Where a computation does not even let another thread
run, as a regular expression does not, `faulthandler` writes that stack by itself, without the log's form.
"""

import asyncio
import faulthandler
import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

log = logging.getLogger(__name__)

STILL: Final = 5.0
"""Seconds without a tick after which the loop is said to stand still."""
TICKS: Final = 4
"""In that time."""
UNHEARD: Final = 3
"""Times that long without the thread being able to say so."""
FRAMES: Final = 20
"""Of the stack, the innermost ones."""


class LoopWatch:
    """
    Args:
        still: seconds.
    """

    def __init__(self, still: float = STILL) -> None:
        self._still = still
        self._ticked = time.monotonic()
        self._ended = threading.Event()
        self._loop_thread = threading.get_ident()
        self._next: asyncio.TimerHandle | None = None
        self._can_dump = _has_file(sys.stderr)

    def start(self) -> None:
        self._tick()
        threading.Thread(target=self._watch, name="loop-watch", daemon=True).start()

    def end(self) -> None:
        self._ended.set()
        if self._next is not None:
            self._next.cancel()
        if self._can_dump:
            faulthandler.cancel_dump_traceback_later()

    def _tick(self) -> None:
        self._ticked = time.monotonic()
        self._next = asyncio.get_running_loop().call_later(self._still / TICKS, self._tick)
        if self._can_dump:
            faulthandler.dump_traceback_later(self._still * UNHEARD)

    def _watch(self) -> None:
        since: float | None = None
        """Since when it stands still, once that was logged."""
        while not self._ended.wait(self._still / TICKS):
            ticked = self._ticked
            if since is None and time.monotonic() - ticked >= self._still:
                since = ticked
                log.error("the event loop has stood still for %.1f s, %s", time.monotonic() - ticked, self._where())
            elif since is not None and ticked > since:
                log.warning("the event loop goes on, after it stood still for %.1f s", ticked - since)
                since = None

    def _where(self) -> str:
        """Return where the loop's thread is, the innermost call first, in one line."""
        frame = sys._current_frames().get(self._loop_thread)
        stack = traceback.extract_stack(frame)[-FRAMES:] if frame is not None else []
        calls = [f"{each.name} ({each.filename}:{each.lineno})" for each in reversed(stack)]
        return f"at {' < '.join(calls)}" if calls else "nobody knows where"


@contextmanager
def watched_loop(still: float = STILL) -> Iterator[None]:
    """Watch the running loop inside of the block."""
    watch = LoopWatch(still)
    watch.start()
    try:
        yield
    finally:
        watch.end()


def _has_file(stream: object) -> bool:
    """Whether `faulthandler` can write there, which takes a file of the system's."""
    try:
        stream.fileno()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False
    return True
