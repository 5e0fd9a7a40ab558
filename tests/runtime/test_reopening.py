"""What has failed is taken up again, in a runtime over every store; the process may end at any point of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.errors import Duplicate
from engine.negotiation.commands import Reopen
from engine.negotiation.events import DemandSubmitted, NegotiationReopened
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from tests.negotiation.scenario import REQUESTER
from tests.store.conftest import STORES

from .conftest import nothing
from .negotiations import KEY, Office, nothing_is_left, opened


@pytest.fixture(params=STORES)
async def office(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Office]:
    async with opened(STORES[request.param](tmp_path)) as office:
        yield office


async def fails(office: Office) -> None:
    office.script.votes |= {("ann", 1): "reject", ("bo", 1): "reject"}
    await office.agrees()
    assert (await office.parent()).status is Status.FAILED
    office.script.votes.clear()


async def asks_again(office: Office, command_id: str = "c2") -> None:
    command = Reopen(command_id=command_id, at=office.clock.now(), by=REQUESTER, raw_input="A small party")
    await office.runtime.handle(KEY, RULEBOOK.protocol, command)
    await office.runtime.activity.idle()


async def the_new_one(office: Office) -> Negotiation:
    again = (await office.parent()).reopened
    assert again is not None
    state, _ = await office.runtime.read(KEY._replace(stream=again.next_channel_id))
    assert isinstance(state, Negotiation)
    return state


async def begun(office: Office) -> list[str]:
    return [each.channel_id for each in await office.events() if isinstance(each, DemandSubmitted)]


async def test_it_goes_on_as_a_negotiation_of_its_own(office: Office) -> None:
    await fails(office)
    await asks_again(office)

    new = await the_new_one(office)
    assert (new.status, new.raw_input) == (Status.FINALIZED, "A small party")
    assert (await office.parent()).status is Status.FAILED
    assert await begun(office) == [KEY.stream, new.channel_id]
    await nothing_is_left(office)


async def test_asked_twice_it_begins_once(office: Office) -> None:
    await fails(office)
    await asks_again(office)
    await asks_again(office)
    with pytest.raises(Duplicate):
        await asks_again(office, "c3")

    assert len(await begun(office)) == 2
    assert len([each for each in await office.events() if isinstance(each, NegotiationReopened)]) == 1
    await nothing_is_left(office)


@pytest.mark.parametrize("when", ["before it began", "before that was noted"])
async def test_killed_before_the_new_one_it_begins_once(office: Office, when: str) -> None:
    await fails(office)
    office.store.refuses = {
        "before it began": lambda stream: stream != KEY.stream,
        "before that was noted": lambda stream: stream == KEY.stream and office.store.committed > {KEY.stream},
    }[when]
    await asks_again(office)
    await office.restart()
    office.store.refuses = nothing
    await office.restart()

    new = await the_new_one(office)
    assert new.status is Status.FINALIZED
    assert await begun(office) == [KEY.stream, new.channel_id]
    await nothing_is_left(office)
