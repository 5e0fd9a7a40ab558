"""The pace of calls, and whose turn it is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.llm.pacing import AT_ONCE, FIRST_HOLD, Cost, FairLine, Pace, TooSlow, Turn, Whose
from engine.runtime.clock import JumpingClock, Monotonic
from tests.examples import examples

BIG, ONE_CALL = "T_BIG", "T_SMALL"


async def test_the_first_demand_of_a_tenant_does_not_wait_behind_two_hundred_of_another_one() -> None:
    pace, began, ends = Pace(JumpingClock(0), at_once=4), [], asyncio.Event()

    async def ask(tenant: str, demand: str) -> None:
        async with pace.turn("haiku", demand, Cost(1, 1), Monotonic(3_600_000), tenant=tenant):
            began.append(tenant)
            await (ends.wait() if len(began) <= 4 else asyncio.sleep(0))

    async with asyncio.TaskGroup() as asking:
        for number in range(200):
            asking.create_task(ask(BIG, f"{BIG} collab-{number}"))
        await asyncio.sleep(0)
        assert pace.waiting == 196
        asking.create_task(ask(ONE_CALL, f"{ONE_CALL} collab-1"))
        await asyncio.sleep(0)
        ends.set()

    assert ONE_CALL in began[4:6]
    assert len(began) == 201


def test_demands_take_turns_within_their_tenant() -> None:
    line: FairLine[str] = FairLine()
    for tenant, demand, count in (("a", "1", 3), ("a", "2", 1), ("b", "1", 2)):
        for number in range(count):
            line.add(Whose(tenant, demand), f"{tenant}{demand}-{number}")

    assert [line.take() for _ in range(len(line))] == ["a1-0", "b1-0", "a2-0", "b1-1", "a1-1", "a1-2"]
    assert not line


def test_who_was_refused_as_too_much_lets_one_of_its_demand_go_first() -> None:
    line: FairLine[str] = FairLine()
    for demand, name in (("1", "first"), ("1", "second"), ("1", "third"), ("2", "another")):
        line.add(Whose("a", demand), name)
    refused = line.take()

    line.add(Whose("a", "1"), refused, again=True)

    assert [line.take() for _ in range(4)] == ["another", "second", "first", "third"]


def test_who_was_refused_as_too_much_is_the_next_where_nobody_of_its_demand_waits() -> None:
    line: FairLine[str] = FairLine()
    line.add(Whose("a", "1"), "first")
    line.add(Whose("a", "1"), line.take(), again=True)
    assert line.take() == "first"


waits = st.tuples(st.sampled_from("abc"), st.sampled_from("123"))


@given(st.lists(st.one_of(waits, st.none()), max_size=40), st.integers(0, examples(10)))
def test_turns_come_as_they_were_foretold_and_nobody_waits_for_more_than_one_turn_of_each_other(
    happenings: list[tuple[str, str] | None], start: int
) -> None:
    line: FairLine[int] = FairLine()
    for number, each in enumerate(happenings, start):
        if each is not None:
            line.add(Whose(*each), number)
        elif line:
            line.take()
    foretold = [(whose, waiter) for whose, waiter in line.in_turn()]

    assert sorted(waiter for _, waiter in line) == sorted(waiter for _, waiter in foretold)
    assert [line.take() for _ in foretold] == [waiter for _, waiter in foretold]
    turns = [whose.tenant for whose, _ in foretold]
    for tenant in set(turns):
        own = [place for place, each in enumerate(turns) if each == tenant]
        for one, next_one in pairwise(own):
            between, later = turns[one + 1 : next_one], turns[next_one + 1 :]
            assert all(between.count(other) <= 1 for other in between)
            assert {*later} - {tenant} <= {*between}


NOON = 1_800_000_000_000
SMALL = Cost(100, 100)


class Calls:
    """Who asks for a turn, and in which order they got it."""

    def __init__(self, clock: JumpingClock, at_once: int = AT_ONCE) -> None:
        self.clock = clock
        self.pace = Pace(clock, at_once)
        self.began: list[str] = []
        self.turns: dict[str, Turn] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self._ends: dict[str, asyncio.Event] = {}

    async def ask(self, *names: str, cost: Cost = SMALL, within: float = 3_600) -> None:
        """Each name begins with its demand: ``a-1``."""
        for name in names:
            until = Monotonic(self.clock.monotonic() + round(1_000 * within))
            self._ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._call(name, cost, until))
        await self.settle()

    async def _call(self, name: str, cost: Cost, until: Monotonic) -> None:
        async with self.pace.turn("haiku", name.partition("-")[0], cost, until) as turn:
            self.began.append(name)
            self.turns[name] = turn
            await self._ends[name].wait()

    async def end(self, *names: str) -> None:
        for name in names:
            self._ends[name].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    async def passes(self, seconds: float) -> None:
        self.clock.jump(self.clock.now() + round(1_000 * seconds))
        await self.settle()


@pytest.fixture
async def calls() -> AsyncIterator[Calls]:
    calls = Calls(JumpingClock(NOON))
    yield calls
    for task in calls.tasks.values():
        task.cancel()
    await asyncio.gather(*calls.tasks.values(), return_exceptions=True)
    assert calls.pace.waiting == 0


def limits(requests: int, left: int, tokens: int = 1_000_000, tokens_left: int = 1_000_000) -> dict[str, str]:
    return {
        "anthropic-ratelimit-requests-limit": str(requests),
        "anthropic-ratelimit-requests-remaining": str(left),
        "anthropic-ratelimit-input-tokens-limit": str(tokens),
        "anthropic-ratelimit-input-tokens-remaining": str(tokens_left),
    }


def names(demand: str, count: int) -> list[str]:
    return [f"{demand}-{number}" for number in range(count)]


async def test_until_anything_is_known_only_so_many_call_at_once(calls: Calls) -> None:
    await calls.ask(*names("a", AT_ONCE + 5))
    assert len(calls.began) == AT_ONCE
    await calls.end("a-0", "a-1")
    assert len(calls.began) == AT_ONCE + 2


async def test_demands_take_turns_however_much_one_of_them_asks(calls: Calls) -> None:
    calls.pace = Pace(calls.clock, 1)
    await calls.ask("first-1", *names("greedy", 6), "b-1", "b-2", "c-1")
    for _ in range(9):
        await calls.end(calls.began[-1])
    assert calls.began == [
        "first-1", "greedy-0", "b-1", "c-1", "greedy-1", "b-2", "greedy-2", "greedy-3", "greedy-4", "greedy-5",
    ]  # fmt: skip


async def test_what_the_api_allows_a_minute_is_kept_to(calls: Calls) -> None:
    await calls.ask("a-first")
    calls.turns["a-first"].answered(limits(60, 0), SMALL)
    await calls.end("a-first")
    await calls.ask(*names("a", 100))
    assert len(calls.began) == 1
    for second in range(1, 21):
        await calls.passes(1)
        assert len(calls.began) == 1 + second


async def test_what_was_saved_up_may_be_used_at_once_and_no_more(calls: Calls) -> None:
    await calls.ask("a-first")
    calls.turns["a-first"].answered(limits(50, 10), SMALL)
    await calls.end("a-first")
    await calls.ask(*names("a", 60))
    assert len(calls.began) == 1 + 10
    await calls.passes(3_000)
    assert len(calls.began) == 1 + 60


async def test_tokens_are_counted_as_they_were_and_not_as_they_were_thought_to_be(calls: Calls) -> None:
    await calls.ask("a-first")
    calls.turns["a-first"].answered(limits(1_000, 1_000, tokens=60_000, tokens_left=10_000), SMALL)
    await calls.end("a-first")
    await calls.ask("a-1", "a-2", cost=Cost(4_000, 0))
    assert calls.began[1:] == ["a-1", "a-2"]
    calls.turns["a-1"].answered({}, Cost(12_000, 0))
    await calls.end("a-1", "a-2")
    await calls.ask("a-3", cost=Cost(1_000, 0))  # 6,000 too many were taken, and 1,000 are to come a second
    await calls.passes(6.9)
    assert "a-3" not in calls.began
    await calls.passes(0.2)
    assert "a-3" in calls.began


async def test_a_call_larger_than_the_limit_is_made_when_the_limit_is_whole(calls: Calls) -> None:
    await calls.ask("a-first")
    calls.turns["a-first"].answered(limits(1_000, 1_000, tokens=6_000, tokens_left=0), SMALL)
    await calls.end("a-first")
    await calls.ask("a-large", cost=Cost(50_000, 0))
    await calls.passes(59)
    assert "a-large" not in calls.began
    await calls.passes(1)
    assert "a-large" in calls.began


async def test_a_refusal_holds_everybody_for_as_long_as_it_says_and_halves_how_many_call(calls: Calls) -> None:
    await calls.ask(*names("a", 8))
    for name in names("a", 8):
        calls.turns[name].refused({}, 7)
    await calls.end(*names("a", 8))
    await calls.ask(*names("b", 100))
    await calls.passes(6.9)
    assert len(calls.began) == 8
    await calls.passes(0.1)
    assert len(calls.began) == 8 + AT_ONCE // 2


async def test_refusals_that_say_nothing_hold_for_longer_and_longer_until_a_reply(calls: Calls) -> None:
    for number, seconds in enumerate([FIRST_HOLD, 2 * FIRST_HOLD, 4 * FIRST_HOLD]):
        name = f"a-{number}"
        await calls.ask(name)
        calls.turns[name].refused({}, 0)
        await calls.end(name)
        assert calls.pace.seconds_held("haiku") == seconds
        await calls.passes(seconds)
    await calls.ask("a-good")
    calls.turns["a-good"].answered({}, SMALL)
    calls.turns["a-good"].refused({}, 0)
    assert calls.pace.seconds_held("haiku") == FIRST_HOLD


async def test_whose_turn_does_not_come_in_time_is_told_and_leaves_the_line(calls: Calls) -> None:
    calls.pace = Pace(calls.clock, 1)
    await calls.ask("a-1")
    await calls.ask("b-hasty", within=5)
    await calls.ask("c-patient", within=50)
    await calls.passes(5)
    assert isinstance(calls.tasks["b-hasty"].exception(), TooSlow)
    assert calls.pace.waiting == 1
    await calls.end("a-1")
    assert calls.began == ["a-1", "c-patient"]


@pytest.mark.parametrize("when", ["in the line", "in their turn", "just as their turn comes"])
async def test_whoever_is_cancelled_takes_nobodys_turn(calls: Calls, when: str) -> None:
    calls.pace = Pace(calls.clock, 1)
    await calls.ask("a-1", "b-1", "c-1")
    if when == "in their turn":
        await calls.end("a-1")
    elif when == "just as their turn comes":
        calls._ends["a-1"].set()
        await asyncio.sleep(0)
    calls.tasks["b-1"].cancel()
    await calls.settle()
    await calls.end("a-1")
    assert calls.began[-1] == "c-1"
    await calls.ask("d-1")
    assert "d-1" not in calls.began
    await calls.end("c-1")
    assert calls.began[-1] == "d-1"


@pytest.mark.parametrize("said", ["", "many", "nan", "inf", "-3", "0"])
async def test_limits_that_make_no_sense_are_none(calls: Calls, said: str) -> None:
    await calls.ask("a-first")
    headers = limits(60, 0) | {
        "anthropic-ratelimit-requests-limit": said,
        "anthropic-ratelimit-requests-remaining": said,
    }
    calls.turns["a-first"].answered(headers, SMALL)
    await calls.end("a-first")
    await calls.ask(*names("a", 10))
    assert len(calls.began) == 11


async def test_models_have_limits_of_their_own() -> None:
    pace = Pace(JumpingClock(NOON), at_once=1)
    async with AsyncExitStack() as stack:
        for model in ("haiku", "sonnet"):
            await stack.enter_async_context(pace.turn(model, "a", SMALL, Monotonic(0)))
