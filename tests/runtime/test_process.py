"""What a process that lives long does beside its work."""

import asyncio
import contextlib
import gc
import weakref

from engine.runtime.activity import Activity
from engine.runtime.event_loop import run
from engine.runtime.gc_tuning import tidy


class Knot:
    """Holds itself, so that only looking for garbage ends it."""

    def __init__(self) -> None:
        self.itself = self


def test_the_loop_returns_what_was_run_in_it() -> None:
    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    assert run(answer()) == 42


async def test_what_is_garbage_is_collected_when_nothing_is_under_way() -> None:
    gc.collect()
    knot = weakref.ref(Knot())
    gc.collect(0)  # it has been looked at once too early
    gone = asyncio.Event()
    other = Knot()
    weakref.finalize(other, gone.set)
    gc.collect(1)
    del other
    tidying = asyncio.create_task(tidy(Activity(), pause=0, rest=0))

    async with asyncio.timeout(10):
        await gone.wait()

    tidying.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tidying
    assert knot() is None


async def test_pieces_are_looked_through_while_something_is() -> None:
    activity = Activity()
    with activity.busy():
        tidying = asyncio.create_task(tidy(activity, pause=0, rest=0))
        gone = asyncio.Event()
        knot = Knot()
        weakref.finalize(knot, gone.set)
        del knot
        kept = [[number] for number in range(20_000)]
        async with asyncio.timeout(10):
            await gone.wait()
        tidying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await tidying
    assert len(kept) == 20_000
