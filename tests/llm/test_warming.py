"""One of several questions that begin alike is asked ahead, and nobody waits for it in vain."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel import Millis
from engine.llm.warming import GATHERING, KEPT, Warming
from engine.runtime.clock import JumpingClock

from .leaping_clock import NOON

SHARED = "The rules. " * 400
SHORT = "Few rules."
HAIKU = "claude-haiku-5-5"
LATEST = 10_000


class Calls:
    """Questions that ask for their turn, on a clock that stands still."""

    def __init__(self, worth: int = 5_000) -> None:
        self.clock = JumpingClock(NOON)
        self.warming = Warming(self.clock, worth)
        self.made: list[int] = []
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._begins: dict[int, Callable[[], None]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def asks(self, count: int, *shared: str, schema: str = "one", model: str = HAIKU) -> None:
        first, parts = len(self._tasks), shared or (SHARED,)
        self._tasks += [asyncio.create_task(self._call(first + each, parts, schema, model)) for each in range(count)]
        await self.settles()

    async def _call(self, number: int, shared: Sequence[str], schema: str, model: str) -> None:
        async with self.warming.turn(model, {"title": schema}, shared, self.clock.after(LATEST)) as begins:
            self.made.append(number)
            if begins is not None:
                self._begins[number] = begins
            self._answers[number] = asyncio.get_running_loop().create_future()
            await self._answers[number]

    async def begins(self, number: int) -> None:
        self._begins[number]()
        await self.settles()

    async def answered(self, number: int, error: Exception | None = None) -> None:
        if error is None:
            self._answers[number].set_result(None)
        else:
            self._answers[number].set_exception(error)
        await self.settles()

    async def passes(self, millis: Millis) -> None:
        self.clock.jump(self.clock.now() + millis)
        await self.settles()

    async def settles(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def ends(self) -> None:
        for each in self._tasks:
            each.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await each


@pytest.fixture
def calls() -> Calls:
    return Calls()


async def test_the_others_go_once_the_first_is_answered(calls: Calls) -> None:
    await calls.asks(10)
    assert calls.made == [0]
    await calls.answered(0)
    assert sorted(calls.made) == [*range(10)]
    await calls.ends()


async def test_the_others_go_once_the_first_begins_to_be_answered(calls: Calls) -> None:
    await calls.asks(10)
    await calls.begins(0)
    assert sorted(calls.made) == [*range(10)]
    await calls.answered(0, OSError())
    await calls.asks(10)
    assert len(calls.made) == 20
    await calls.ends()


@pytest.mark.parametrize(("own", "waits"), [("A plan. " * 20, False), ("A plan. " * 400, True)], ids=["little", "much"])
async def test_nobody_waits_where_little_was_not_kept_already(calls: Calls, own: str, waits: bool) -> None:
    await calls.asks(10, SHARED, "Another plan")
    await calls.answered(0)
    await calls.asks(10, SHARED, own)
    await calls.passes(GATHERING)
    assert len(calls.made) == (11 if waits else 20)
    await calls.ends()


async def test_what_is_kept_is_waited_for_by_nobody(calls: Calls) -> None:
    await calls.asks(10)
    await calls.answered(0)
    await calls.asks(10)
    assert len(calls.made) == 20
    await calls.passes(KEPT)
    await calls.asks(10)
    assert len(calls.made) == 21
    await calls.ends()


async def test_too_few_do_not_wait_for_long(calls: Calls) -> None:
    await calls.asks(3)
    assert calls.made == [0]
    await calls.passes(GATHERING)
    assert calls.made == [0, 1, 2]
    await calls.ends()


async def test_enough_may_come_one_after_the_other(calls: Calls) -> None:
    await calls.asks(3)
    await calls.asks(7)
    await calls.passes(GATHERING)
    assert calls.made == [0]
    await calls.ends()


async def test_where_the_first_fails_all_others_go_at_once(calls: Calls) -> None:
    await calls.asks(10)
    await calls.answered(0, OSError())
    assert sorted(calls.made) == [*range(10)]
    await calls.ends()


async def test_a_first_that_takes_too_long_holds_up_nobody(calls: Calls) -> None:
    await calls.asks(10)
    await calls.passes(LATEST)
    assert len(calls.made) == 10
    await calls.ends()


@pytest.mark.parametrize(
    "begin",
    [
        pytest.param(lambda calls: calls.asks(10, SHORT), id="too short to be kept"),
        pytest.param(lambda calls: calls.asks(10, ""), id="nothing in common"),
        pytest.param(lambda calls: calls.asks(10, model="claude-haiku-4-5"), id="a model that keeps longer ones only"),
    ],
)
async def test_nobody_waits_where_nothing_is_kept(calls: Calls, begin: Callable[[Calls], object]) -> None:
    await begin(calls)  # type: ignore[misc]
    assert len(calls.made) == 10
    await calls.ends()


async def test_a_model_s_name_may_end_in_a_date(calls: Calls) -> None:
    await calls.asks(10, model=f"{HAIKU}-20261101")
    assert calls.made == [0]
    await calls.ends()


async def test_another_answer_is_another_beginning(calls: Calls) -> None:
    await calls.asks(10)
    await calls.asks(10, schema="another")
    assert calls.made == [0, 10]
    await calls.ends()


async def test_it_can_be_switched_off() -> None:
    calls = Calls(worth=0)
    await calls.asks(10)
    assert len(calls.made) == 10
    await calls.ends()


async def test_one_that_is_cancelled_holds_up_nobody(calls: Calls) -> None:
    await calls.asks(10)
    calls._tasks[0].cancel()
    await calls.settles()
    assert sorted(calls.made) == [*range(10)]
    await calls.ends()


@given(st.lists(st.one_of(st.integers(1, 6), st.sampled_from(["answer", "begin", "fail", "late"])), max_size=12))
def test_in_any_order_everybody_gets_a_turn(steps: list[int | str]) -> None:
    async def plays() -> None:
        calls, asked = Calls(), 0
        open_calls: list[int] = []
        for step in steps:
            open_calls = [each for each in calls.made if not calls._answers[each].done()]
            match step:
                case int():
                    await calls.asks(step)
                    asked += step
                case "late":
                    await calls.passes(LATEST)
                case "begin":
                    for each in {*open_calls} & calls._begins.keys():
                        await calls.begins(each)
                case _ if open_calls:
                    await calls.answered(open_calls[0], OSError() if step == "fail" else None)
        await calls.passes(LATEST)
        assert sorted(calls.made) == [*range(asked)]
        await calls.ends()

    asyncio.run(plays())
