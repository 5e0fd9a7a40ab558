"""Keeps the event loop free while an answer needs the encoder of sentences, which is slow to load and to run."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from engine.llm.encoder import NotKnownYet, only_known

Result = TypeVar("Result")


async def without_blocking(work: Callable[[], Result]) -> Result:
    """Return what the work returns: at once where it needs no encoder, else from a thread while others have a turn.

    Args:
        work: without effects, since it may be done twice.
    """
    try:
        return only_known(work)
    except NotKnownYet:
        return await asyncio.to_thread(work)
