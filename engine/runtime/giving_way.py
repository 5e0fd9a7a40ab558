"""How long a runtime waits that has lost a stream's next commit against another one, before it decides anew."""

import asyncio
import random
from typing import Final

FIRST: Final = 0.002
"""Seconds. It is decided anew at once after the first time."""
LONGEST: Final = 0.1
"""Seconds: a person who waits is answered within three of them."""


async def give_way(tried: int) -> None:
    """Wait a time that is nobody else's, so that two do not meet again and again.

    Args:
        tried: how often it has lost before.
    """
    longest = min(LONGEST, FIRST * 2**tried) if tried else 0.0
    await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - no secret
