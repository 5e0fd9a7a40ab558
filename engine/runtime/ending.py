"""Ends the process on SIGINT and SIGTERM: in order where the event loop hears it, and by force where it hangs."""

import asyncio
import contextlib
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
GRACE: Final = 5.0
"""Seconds in which the loop has to hear a signal."""
LONGEST: Final = 20.0
"""Seconds in which everything has to be finished then. It takes three as a rule, and more on a busy machine."""
BY_FORCE: Final = 1
"""The exit code."""

_ENDING: Final = threading.Lock()
_BACKSTOP: Final = 1.0
"""Seconds more until `faulthandler` ends the process, where not even a signal's handler can run."""


@contextmanager
def ended_by_signals(end: Callable[[], None], grace: float = GRACE, longest: float = LONGEST) -> Iterator[None]:
    """Call ``end`` in the running loop on the first signal.

    A second signal ends the process at once, and so does the time: of a loop that does not hear the first one, or of
    what does not finish. Nothing is lost by that: what was acknowledged is on disk.

    Args:
        grace: seconds.
        longest: seconds.
    """
    ending = _Ending(asyncio.get_running_loop(), end, grace, longest)
    before = {each: signal.signal(each, ending.heard) for each in SIGNALS}
    alarm: Any = signal.signal(signal.SIGALRM, ending.late) if hasattr(signal, "SIGALRM") else None
    try:
        yield
    finally:
        _stop_timers()
        for each, handler in before.items():
            signal.signal(each, handler)
        if alarm is not None:
            signal.signal(signal.SIGALRM, alarm)


class _Ending:
    def __init__(self, loop: asyncio.AbstractEventLoop, end: Callable[[], None], grace: float, longest: float) -> None:
        self._loop = loop
        self._end = end
        self._grace = grace
        self._longest = longest
        self._is_ending = False

    def heard(self, number: int, _: FrameType | None) -> None:
        """Handle a signal, between any two steps of whatever computes."""
        if self._is_ending:
            _by_force(f"a second {signal.Signals(number).name}")
        self._is_ending = True
        _start_timers(self._grace)
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._begin)

    def late(self, _: int, __: FrameType | None) -> None:
        _by_force("it did not end in time: the event loop hangs, or something does not finish")

    def _begin(self) -> None:
        _start_timers(self._longest)
        self._end()


def _start_timers(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
    with contextlib.suppress(AttributeError, OSError, ValueError):  # stderr is no file
        faulthandler.dump_traceback_later(seconds + _BACKSTOP, exit=True)


def _stop_timers() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
    faulthandler.cancel_dump_traceback_later()


def _by_force(why: str) -> None:
    if not _ENDING.acquire(blocking=False):
        return  # a signal came while this is being said
    with contextlib.suppress(OSError, ValueError):
        os.write(2, f"towow: ended by force: {why}. What was acknowledged is on disk.\n".encode())
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
    os._exit(BY_FORCE)
