"""Work that comes at once is done piece by piece, and answers that come together in one commit."""

import asyncio
from collections import Counter
from itertools import pairwise

from engine.runtime.activity import Turns
from engine.runtime.runtime import PATIENCE

from .conftest import KEY, Harness, come_true


async def cooking(harness: Harness, *dishes: str) -> None:
    """All of them are on the stove, and each waits for its gate."""
    for dish in dishes:
        harness.cookery.gates[dish] = asyncio.Event()
        await harness.order(dish)
    await come_true(lambda: len(harness.cookery.cooked) == len(dishes))


async def delivered(harness: Harness, *dishes: str) -> None:
    """They are cooked, and wait for the others."""
    for dish in dishes:
        harness.cookery.gates[dish].set()
    await come_true(lambda: harness.clock.next_wake is not None)


async def test_outcomes_gather_until_the_last_of_their_scope_and_are_kept_together(harness: Harness) -> None:
    await cooking(harness, "stew", "soup", "cake")
    _, before = await harness.runtime.read(KEY)
    await delivered(harness, "stew", "soup")
    assert (await harness.runtime.read(KEY))[1] == before

    harness.cookery.gates["cake"].set()

    assert set((await harness.rest()).served) == {"stew", "soup", "cake"}
    assert harness.clock.next_wake is None


async def test_outcomes_wait_no_longer_than_that(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")
    harness.clock.jump(harness.clock.now() + PATIENCE)

    await harness.until(KEY, lambda kitchen: kitchen.served == ("soup",))


async def test_a_person_waits_for_no_outcome_and_takes_along_those_that_are_there(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")

    await harness.order("pie")

    assert (await harness.kitchen()).served == ("soup",)


async def test_a_failed_effect_is_not_waited_for(harness: Harness) -> None:
    harness.cookery.fails["stone"] = 1
    await harness.order("stone")
    await come_true(lambda: harness.cookery.fails == {"stone": 0})
    await harness.order("soup")

    await harness.until(KEY, lambda kitchen: kitchen.served == ("soup",))


async def test_what_has_gathered_is_kept_when_the_process_ends_in_good_order(harness: Harness) -> None:
    await cooking(harness, "stew", "soup")
    await delivered(harness, "soup")
    await harness.restart()

    await harness.until(KEY, lambda kitchen: "soup" in kitchen.served)


class Watch:
    """Shows what time it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Passes:
    """Counts the passes of the event loop while it is entered."""

    def __init__(self) -> None:
        self.number = 0

    async def __aenter__(self) -> "Passes":
        self._counting = asyncio.create_task(self._count())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._counting.cancel()

    async def _count(self) -> None:
        while True:
            self.number += 1
            await asyncio.sleep(0)


async def test_without_time_one_goes_on_in_a_pass_and_others_are_served_in_between() -> None:
    turns, heard = Turns(seconds=0), []

    async def work(name: str) -> None:
        await turns.take()
        heard.append(name)

    async def serve() -> None:
        while len(heard) < 6:
            heard.append("served")
            await asyncio.sleep(0)

    await asyncio.gather(serve(), *map(work, "abc"))

    assert [each for each in heard if each != "served"] == ["a", "b", "c"]
    assert "served" in heard[heard.index("a") : heard.index("b")]
    assert "served" in heard[heard.index("b") : heard.index("c")]


async def worked(turns: Turns, watch: Watch, seconds: list[float]) -> dict[int, float]:
    """What so many workers took who came at once, each for its seconds: together, in each pass of the event loop."""
    took: Counter[int] = Counter()
    order: list[int] = []
    async with Passes() as passes:

        async def work(number: int) -> None:
            await turns.take()
            order.append(number)
            watch.seconds += seconds[number]
            took[passes.number] += round(1000 * seconds[number])

        await asyncio.gather(*(work(number) for number in range(len(seconds))))
    assert order == list(range(len(seconds)))
    return dict(took)


async def test_all_go_on_in_one_pass_that_has_time() -> None:
    watch = Watch()

    assert await worked(Turns(0.01, watch), watch, [0.001] * 10) == {1: 10}


async def test_whoever_comes_when_the_time_of_a_pass_is_over_goes_on_in_another_one() -> None:
    watch = Watch()
    took = await worked(Turns(0.01, watch), watch, [0.01, 0.01])

    assert [*took.values()] == [10, 10]


async def test_as_many_go_on_in_each_of_the_next_passes_as_there_is_time_for() -> None:
    watch = Watch()
    took = await worked(Turns(0.01, watch), watch, [0.002] * 200)

    assert max(took.values()) <= 10
    assert len(took) <= 200 / 4 + 5  # the first few passes find out how many fit


async def test_fewer_go_on_once_they_take_longer_and_one_does_always() -> None:
    watch = Watch()
    took = await worked(Turns(0.01, watch), watch, [0.001] * 50 + [0.02] * 50)

    assert sum(each == 20 for each in took.values()) >= 45


async def test_the_line_is_over_when_all_have_gone_on() -> None:
    watch = Watch()
    turns = Turns(0.01, watch)
    await worked(turns, watch, [0.01] * 5)

    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert turns.place() is None


async def test_whoever_is_cancelled_while_it_waits_holds_nobody_up() -> None:
    turns, heard = Turns(seconds=0), []

    async def work(name: str) -> None:
        await turns.take()
        heard.append(name)

    tasks = [asyncio.create_task(work(name)) for name in "abc"]
    await asyncio.sleep(0)
    tasks[1].cancel()

    async with asyncio.timeout(60):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert heard == ["a", "c"]


async def test_whoever_cannot_wait_any_longer_goes_on_and_holds_nobody_up() -> None:
    turns = Turns(seconds=0)
    assert turns.place() is None
    places = [turns.place() for _ in range(100)]
    last = places[-1]
    assert last is not None
    last.set_result(None)

    await come_true(lambda: all(each is not None and each.done() for each in places))


async def test_who_comes_alone_waits_for_nobody() -> None:
    turns = Turns()
    taking = asyncio.create_task(turns.take())

    await asyncio.sleep(0)

    assert taking.done()


async def test_nobody_overtakes_who_waits() -> None:
    watch = Watch()
    turns, heard = Turns(0.01, watch), []

    async def work(name: str) -> None:
        await turns.take()
        heard.append(name)
        watch.seconds += 0.01

    async def come(names: str) -> None:
        for each in names:
            asyncio.get_running_loop().call_soon(asyncio.ensure_future, work(each))
            await asyncio.sleep(0)

    await asyncio.gather(*map(work, "abcd"), come("efgh"))
    await come_true(lambda: len(heard) == 8)

    assert all(before < after for before, after in pairwise(heard))
