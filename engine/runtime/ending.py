"""Ends the process on SIGINT and SIGTERM: in order where the event loop hears it, and by force where it hangs."""

import asyncio
import atexit
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

from engine.runtime.parts import Deadline

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
GRACE: Final = 5.0
"""Seconds in which the loop has to hear a signal."""
LATE: Final = 0.5
"""Seconds beyond the deadline in which the loop and the interpreter have to end."""
BY_FORCE: Final = 1
"""The exit code."""

BACKSTOP: Final = 0.5
"""Seconds more until `faulthandler` ends the process, where not even a signal's handler can run."""

_ENDING: Final = threading.Lock()


@contextmanager
def ended_by_signals(
    end: Callable[[], None], deadline: Deadline, grace: float = GRACE, backstop: float = BACKSTOP
) -> Iterator[None]:
    """Call ``end`` in the running loop on the first signal, with which the deadline begins.

    A second signal ends the process at once, and so does the time: of a loop that does not hear the first one, or of
    what does not finish, be it only a thread after the block. Nothing is lost by that: what was acknowledged is on
    disk.

    Args:
        grace: seconds.
        backstop: seconds more until the process is ended where it cannot even run a signal's handler.
    """
    ending = _Ending(asyncio.get_running_loop(), end, deadline, grace, backstop)
    before = {each: signal.signal(each, ending.heard) for each in SIGNALS}
    alarm: Any = signal.signal(signal.SIGALRM, ending.late) if hasattr(signal, "SIGALRM") else None
    try:
        yield
    finally:
        if not ending.has_begun:
            for each, handler in before.items():
                signal.signal(each, handler)
            if alarm is not None:
                signal.signal(signal.SIGALRM, alarm)


class _Ending:
    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        end: Callable[[], None],
        deadline: Deadline,
        grace: float,
        backstop: float,
    ) -> None:
        self._loop = loop
        self._end = end
        self._deadline = deadline
        self._grace = grace
        self._backstop = backstop
        self.has_begun = False

    def heard(self, number: int, _: FrameType | None) -> None:
        """Handle a signal, between any two steps of whatever computes."""
        if self.has_begun:
            _by_force(f"a second {signal.Signals(number).name}")
        self.has_begun = True
        self._deadline.begin()
        # Threads have ended by then. The interpreter's own end takes the handler away, but not the alarm.
        atexit.register(_stop_timers)
        self._start_timers(min(self._grace, self._deadline.left() + LATE))
        with contextlib.suppress(RuntimeError):  # the loop is closed already
            self._loop.call_soon_threadsafe(self._begin)

    def late(self, _: int, __: FrameType | None) -> None:
        _by_force("it did not end in time: the event loop hangs, or something does not finish")

    def _begin(self) -> None:
        self._start_timers(self._deadline.left() + LATE)
        self._end()

    def _start_timers(self, seconds: float) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, seconds)
        with contextlib.suppress(AttributeError, OSError, ValueError):  # stderr is no file
            faulthandler.dump_traceback_later(seconds + self._backstop, exit=True)


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
