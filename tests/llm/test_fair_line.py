"""However much one tenant asks, the others get their turns."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.llm.pacing import Cost, FairLine, Pace, Whose
from engine.runtime.clock import JumpingClock, Monotonic
from tests.examples import examples

BIG, SMALL = "T_BIG", "T_SMALL"


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
        asking.create_task(ask(SMALL, f"{SMALL} collab-1"))
        await asyncio.sleep(0)
        ends.set()

    assert SMALL in began[4:6]
    assert len(began) == 201


def test_demands_take_turns_within_their_tenant() -> None:
    line: FairLine[str] = FairLine()
    for tenant, demand, count in (("a", "1", 3), ("a", "2", 1), ("b", "1", 2)):
        for number in range(count):
            line.add(Whose(tenant, demand), f"{tenant}{demand}-{number}")

    assert [line.take() for _ in range(len(line))] == ["a1-0", "b1-0", "a2-0", "b1-1", "a1-1", "a1-2"]
    assert not line


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
