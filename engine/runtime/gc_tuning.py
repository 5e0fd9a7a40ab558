"""When Python looks for garbage in cycles: a little at a time, and through everything when nothing is under way."""

import asyncio
import gc
import time
from typing import Final

from engine.runtime.activity import Activity

YOUNG: Final = 50_000
"""Objects made before Python looks through the youngest by itself; its own 700 suits small programs."""

PIECE: Final = 5_000
"""Objects made before `tidy` looks through them: that takes a few milliseconds, and fifty thousand take fifty."""

PAUSE: Final = 0.1
"""Seconds between two looks of `tidy`."""

REST: Final = 30.0
"""Seconds at least between two times that everything is looked through."""


def relax() -> None:
    """For a process that lives long and makes many small frozen objects, which hardly ever form cycles.

    With the default, a quarter of the CPU of 200 negotiations at once goes into looking. Call it once, when
    everything is imported.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 1_000, 1_000)


async def tidy(activity: Activity, pause: float = PAUSE, rest: float = REST) -> None:
    """Collect garbage until it is cancelled, so that nobody waits for long while it is looked for.

    What was looked through in pieces grows old; it is looked through once more when nothing is under way.
    """
    looked_through = time.monotonic()
    while True:
        await asyncio.sleep(pause)
        young, _, old = gc.get_count()
        if activity.is_idle and old and time.monotonic() - looked_through >= rest:
            gc.collect()
            looked_through = time.monotonic()
        elif young >= PIECE:
            gc.collect(1)
