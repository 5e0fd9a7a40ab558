"""What has failed is taken up again, in a runtime over every store; the process may end at any point of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.errors import Duplicate
from engine.negotiation.commands import Reopen
from engine.negotiation.events import (
    DemandSubmitted,
    NegotiationReopened,
)
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from tests.negotiation.scenario import REQUESTER
from tests.store.conftest import STORES

from .conftest import nothing
from .negotiations import KEY, Process, nothing_is_left, opened


@pytest.fixture(params=STORES)
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Process]:
    async with opened(STORES[request.param](tmp_path)) as process:
        yield process


async def fails(process: Process) -> None:
    process.script.votes |= {("ann", 1): "reject", ("bo", 1): "reject"}
    await process.agrees()
    assert (await process.parent()).status is Status.FAILED
    process.script.votes.clear()


async def asks_again(process: Process, command_id: str = "c2") -> None:
    command = Reopen(command_id=command_id, at=process.clock.now(), by=REQUESTER, raw_input="A small party")
    await process.runtime.handle(KEY, RULEBOOK.protocol, command)
    await process.runtime.activity.idle()


async def the_new_one(process: Process) -> Negotiation:
    again = (await process.parent()).reopened
    assert again is not None
    state, _ = await process.runtime.read(KEY._replace(stream=again.next_channel_id))
    assert isinstance(state, Negotiation)
    return state


async def begun(process: Process) -> list[str]:
    return [each.channel_id for each in await process.events() if isinstance(each, DemandSubmitted)]


async def test_it_goes_on_as_a_negotiation_of_its_own(process: Process) -> None:
    await fails(process)
    await asks_again(process)

    new = await the_new_one(process)
    assert (new.status, new.raw_input) == (Status.FINALIZED, "A small party")
    assert (await process.parent()).status is Status.FAILED
    assert await begun(process) == [KEY.stream, new.channel_id]
    await nothing_is_left(process)


async def test_asked_twice_it_begins_once(process: Process) -> None:
    await fails(process)
    await asks_again(process)
    await asks_again(process)
    with pytest.raises(Duplicate):
        await asks_again(process, "c3")

    assert len(await begun(process)) == 2
    assert len([each for each in await process.events() if isinstance(each, NegotiationReopened)]) == 1
    await nothing_is_left(process)


@pytest.mark.parametrize("when", ["before it began", "before that was noted"])
async def test_killed_before_the_new_one_it_begins_once(process: Process, when: str) -> None:
    await fails(process)
    process.store.refuses = {
        "before it began": lambda stream: stream != KEY.stream,
        "before that was noted": lambda stream: stream == KEY.stream and process.store.committed > {KEY.stream},
    }[when]
    await asks_again(process)
    await process.restart()
    process.store.refuses = nothing
    await process.restart()

    new = await the_new_one(process)
    assert new.status is Status.FINALIZED
    assert await begun(process) == [KEY.stream, new.channel_id]
    await nothing_is_left(process)
