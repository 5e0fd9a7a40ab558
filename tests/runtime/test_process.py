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
    assert await is_collected(Activity(), rest=0)


async def test_nobody_waits_for_a_look_while_something_is_under_way() -> None:
    activity = Activity()
    with activity.busy():
        assert not await is_collected(activity, rest=0)
    assert await is_collected(activity, rest=0)


async def test_a_process_that_is_always_busy_is_looked_through_in_the_end() -> None:
    activity = Activity()
    with activity.busy():
        assert await is_collected(activity, rest=0, patience=0)


async def is_collected(activity: Activity, **times: float) -> bool:
    """Whether a knot goes within fifty turns of whoever tidies."""
    tidying = asyncio.create_task(tidy(activity, pause=0, **times))
    knot = weakref.ref(Knot())
    for _ in range(50):
        await asyncio.sleep(0)
        if knot() is None:
            break
    tidying.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await tidying
    gc.unfreeze()
    return knot() is None
