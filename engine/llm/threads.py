"""Keeps the event loop free while an answer needs the encoder of sentences, which is slow to load and to run."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
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


async def left_behind(work: Callable[[], Result]) -> Result:
    """Return what the work returns, from a thread for which nobody waits when the process ends.

    Raises:
        Exception: what the work has raised.
    """
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: Exception | None) -> None:
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
