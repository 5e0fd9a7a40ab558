"""Of those who take turns, one goes on in each pass of the event loop."""

import asyncio

from engine.runtime.turns import Turns


async def test_one_goes_on_in_a_pass_and_others_are_served_in_between() -> None:
    turns, heard = Turns(), []

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


async def test_whoever_is_cancelled_while_it_waits_holds_nobody_up() -> None:
    turns, heard = Turns(), []

    async def work(name: str) -> None:
        await turns.take()
        heard.append(name)

    tasks = [asyncio.create_task(work(name)) for name in "abc"]
    await asyncio.sleep(0)
    tasks[1].cancel()

    async with asyncio.timeout(10):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert heard == ["a", "c"]


async def test_who_comes_alone_waits_for_nobody() -> None:
    turns = Turns()
    taking = asyncio.create_task(turns.take())

    await asyncio.sleep(0)

    assert taking.done()
