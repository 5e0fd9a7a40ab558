"""Parts end by one deadline, and one that does not end holds nobody else up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from engine.runtime.parts import Deadline, Parts


class Watch:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Ends:
    """What has begun to end, and what has ended."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.begun: list[str] = []
        self.ended: list[str] = []

    @asynccontextmanager
    async def part(self, name: str, takes: float = 0.0, *, hangs: bool = False) -> AsyncIterator[str]:
        try:
            yield name
        finally:
            await self.end(name, takes, hangs=hangs)

    async def end(self, name: str, takes: float = 0.0, *, hangs: bool = False) -> None:
        self.begun.append(name)
        self.watch.now += takes
        if hangs:
            await asyncio.Event().wait()
        self.ended.append(name)


async def test_parts_end_in_turn_the_last_one_first() -> None:
    ends = Ends(Watch())
    async with Parts(Deadline(5, ends.watch)) as parts:
        assert await parts.enter_async_context(ends.part("store")) == "store"
        parts.push_async_callback(ends.end, "runtime")
        await parts.enter_async_context(ends.part("posts"))

    assert ends.ended == ["posts", "runtime", "store"]


async def test_after_the_deadline_each_part_is_begun_to_end_all_the_same_and_left_behind_where_it_waits(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ends = Ends(Watch())
    async with Parts(Deadline(5, ends.watch)) as parts:
        parts.push_async_callback(ends.end, "store")
        await parts.enter_async_context(ends.part("runtime", hangs=True))
        parts.push_async_callback(ends.end, "posts", hangs=True)
        await parts.enter_async_context(ends.part("Slack", takes=6, hangs=True))

    assert ends.begun == ["Slack", "posts", "runtime", "store"]
    assert ends.ended == ["store"]
    assert [each.split()[0] for each in caplog.messages] == ["Ends.part", "Ends.end", "Ends.part"]


async def test_a_part_that_does_not_hear_that_its_time_is_over_holds_nobody_up() -> None:
    ends, released, was_told = Ends(Watch()), asyncio.Event(), asyncio.Event()

    async def deaf() -> None:
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                was_told.set()

    async with Parts(Deadline(0, ends.watch)) as parts:
        parts.push_async_callback(ends.end, "store")
        parts.push_async_callback(deaf)

    assert was_told.is_set()
    assert ends.ended == ["store"]
    released.set()


async def test_parts_that_speak_with_others_leave_time_to_those_that_keep() -> None:
    ends = Ends(Watch())
    deadline = Deadline(5, ends.watch)
    async with Parts(deadline) as parts:
        parts.push_async_callback(ends.end, "store")
        parts.keep(2)
        parts.push_async_callback(ends.end, "posts", hangs=True)
        parts.push_async_callback(ends.end, "Slack", takes=3)

    assert ends.ended == ["Slack", "store"]
    assert deadline.left() == 2


async def test_the_end_begins_once_with_the_signal_or_with_the_first_part() -> None:
    watch = Watch()
    deadline = Deadline(5, watch)
    watch.now += 60
    assert deadline.left() == 5
    deadline.begin()
    watch.now += 2
    async with Parts(deadline):
        pass
    assert deadline.left() == 3
    assert deadline.left(kept=4) == 0


async def test_what_broke_off_the_block_is_told_though_a_part_is_left_behind() -> None:
    ends = Ends(Watch())

    async def breaks_off() -> None:
        async with Parts(Deadline(0, ends.watch)) as parts:
            await parts.enter_async_context(ends.part("runtime"))
            await parts.enter_async_context(ends.part("Slack", hangs=True))
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await breaks_off()

    assert ends.ended == ["runtime"]


async def test_what_a_part_raises_at_its_end_is_told() -> None:
    async def fails() -> None:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        async with Parts(Deadline(5, Watch())) as parts:
            parts.push_async_callback(fails)


async def test_a_block_that_is_cancelled_ends_its_parts() -> None:
    ends, is_there = Ends(Watch()), asyncio.Event()

    async def serve() -> None:
        async with Parts(Deadline(5, ends.watch)) as parts:
            await parts.enter_async_context(ends.part("store"))
            is_there.set()
            await asyncio.Event().wait()

    serving = asyncio.create_task(serve())
    await is_there.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving

    assert ends.ended == ["store"]
