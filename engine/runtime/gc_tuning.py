"""When Python looks for garbage in cycles: when nothing is under way, and else seldom.

What ToWow makes hardly ever forms cycles, and goes when nobody holds it any more. While 200 negotiations run, each look
would take longer the more there is: with Python's defaults a quarter of the CPU, and whoever clicks waits for it.
"""

import asyncio
import gc
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from engine.runtime.activity import Activity

YOUNG: Final = 200_000
"""Objects made before Python looks through the youngest by itself, where nobody has put them aside for so long."""

PAUSE: Final = 0.1
"""Seconds between two times that `tidy` puts aside what has been made."""

REST: Final = 600.0
"""Seconds at least between two times that everything is looked through, which takes a few tenths of one."""

PATIENCE: Final = 3_600.0
"""Seconds after which everything is looked through though something is always under way."""


def relax() -> None:
    """For a process that lives long. Call it once, when everything is imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 1_000, 1_000)


async def tidy(activity: Activity, pause: float = PAUSE, rest: float = REST, patience: float = PATIENCE) -> None:
    """Collect garbage until it is cancelled, when nobody waits for anything.

    Until then, what has been made is put aside, where Python does not look: that costs nothing, however much it is.
    """
    looked_through = time.monotonic()
    while True:
        await asyncio.sleep(pause)
        since = time.monotonic() - looked_through
        if since >= patience or (since >= rest and activity.is_idle):
            gc.unfreeze()
            gc.collect()
            looked_through = time.monotonic()
        gc.freeze()


Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Like `asyncio.run`, on uvloop where it is installed (the extra ``fast``)."""
    fast = _uvloop()
    # Not while the absence of uvloop is handled: every traceback would begin with it.
    result: Result = fast.run(main) if fast else asyncio.run(main)
    return result


def _uvloop() -> Any:
    try:
        import uvloop
    except ImportError:  # it is optional, and there is none for every platform
        return None
    return uvloop
