"""Keeps the event loop free while an answer needs the encoder of sentences, which is slow to load and to run."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

from engine.llm.encoder import NotKnownYet, only_known

Result = TypeVar("Result")

AT_ONCE: Final = 2
"""Threads. Python runs one of them at a time, so that more would do no more, and leave the event loop a smaller part; a
second one goes on where the first one reads a file or multiplies matrices.
"""

_PLACES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]] = WeakKeyDictionary()


async def without_blocking(work: Callable[[], Result]) -> Result:
    """Return what the work returns: at once where it needs no encoder, else from a thread while others have a turn.

    Args:
        work: without effects, since it may be done twice.
    """
    try:
        return only_known(work)
    except NotKnownYet:
        return await left_behind(work)


async def left_behind(work: Callable[[], Result]) -> Result:
    """Return what the work returns, from a thread for which nobody waits when the process ends: asyncio waits for those
    of its own pool, and to load the encoder takes longer than an end may.

    Args:
        work: without effects.

    Raises:
        Exception: what the work has raised.
    """
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    done: asyncio.Future[Result] = loop.create_future()
    places = _PLACES.setdefault(loop, asyncio.Semaphore(AT_ONCE))
    await places.acquire()

    def settle(result: Result | None, error: Exception | None) -> None:
        places.release()
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failed = None, None
        try:
            result = context.run(work)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            failed = error
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name="left behind", daemon=True).start()
    return await done
