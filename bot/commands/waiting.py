"""Says on stderr what a command waits for, so that no terminal stands still in silence."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Final

QUIET: Final = 3.0
"""Seconds after which something is said."""
AGAIN: Final = 15.0
"""Seconds after which it is said again, though nothing has changed."""


_asking: Final = Event()


@contextmanager
def asking() -> Iterator[None]:
    """Wait for a person while it is entered, who sees that by themselves."""
    _asking.set()
    try:
        yield
    finally:
        _asking.clear()


@contextmanager
def telling_of(what: Callable[[], str]) -> Iterator[None]:
    """Say while it is entered what is waited for, also where that holds up the whole process.

    Args:
        what: is waited for just now; nothing is said while it is empty.
    """
    is_over = Event()

    def tell() -> None:
        told, told_at = "", 0.0
        while not is_over.wait(QUIET):
            now, said = monotonic(), what()
            if said and not _asking.is_set() and (said != told or now - told_at >= AGAIN):
                sys.stderr.write(f"towow: waiting for {said}\n")
                sys.stderr.flush()
                told, told_at = said, now

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@asynccontextmanager
async def telling(stands: Callable[[], Awaitable[str]], *, asks_a_model: bool) -> AsyncIterator[None]:
    """Say so while it is entered. Without a model nothing is waited for.

    Args:
        stands: says what is waited for; nothing while no model is.
    """
    if not asks_a_model:
        yield
        return
    task = asyncio.create_task(_tell(stands))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _tell(stands: Callable[[], Awaitable[str]]) -> None:
    loop = asyncio.get_running_loop()
    began, told, told_at = loop.time(), "", 0.0
    while True:
        await asyncio.sleep(QUIET)
        now, said = loop.time(), await stands()
        if said and (said != told or now - told_at >= AGAIN):
            sys.stderr.write(f"towow: waiting for the model, {now - began:.0f} s: {said}\n")
            sys.stderr.flush()
            told, told_at = said, now
