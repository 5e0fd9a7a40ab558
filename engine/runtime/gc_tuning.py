"""How often Python looks for garbage in cycles."""

import gc
from typing import Final

YOUNG: Final = 50_000
"""Objects made before the youngest are looked through; Python's own 700 suits small programs."""


def relax() -> None:
    """For a process that lives long and makes many small frozen objects, which hardly ever form cycles.

    With the default, a quarter of the CPU of 200 negotiations at once goes into looking. Call it once, when
    everything is imported.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
