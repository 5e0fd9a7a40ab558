"""A plan and the search for what it lacks, in a runtime over every store; the process may end at any point of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.negotiation.events import DemandSubmitted, ProposalAmended, SubnetFailed
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.bot.script import AGENT, lacking, wanted
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.store.conftest import STORES

from .conftest import nothing
from .negotiations import KEY, PATIENT, Process, nothing_is_left, opened


@pytest.fixture(params=STORES)
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Process]:
    async with opened(STORES[request.param](tmp_path)) as process:
        yield process


async def test_who_is_found_is_in_the_plan(process: Process) -> None:
    lacking(process.script, photos=("pia",), music=("quin",))
    await process.agrees()

    assert await process.plan() == ["ann", "bo", "pia", "quin"]
    assert (await process.subnet("photos")).raw_input == wanted("photos")
    assert process.script.asked.count("gaps") == 1
    await nothing_is_left(process)


async def test_nobody_of_the_plan_is_asked_for_its_gaps(process: Process) -> None:
    lacking(process.script, photos=("ann", "pia"))
    await process.agrees()

    assert list((await process.subnet("photos")).invited) == [f"{AGENT}pia"]


async def test_of_two_gaps_one_may_stay_open(process: Process) -> None:
    lacking(process.script, photos=("pia",), music=("quin",))
    process.script.votes["quin", 1] = "withdraw"
    await process.agrees()

    assert await process.plan() == ["ann", "bo", "pia"]
    [failed] = [each for each in await process.events() if isinstance(each, SubnetFailed)]
    assert (failed.gap_type, failed.reason) == ("music", Outcome.LOW_ACCEPTANCE)
    await nothing_is_left(process)


@pytest.mark.parametrize("when", ["before it began", "before that was noted"])
async def test_killed_between_the_plan_and_its_subnet_it_begins_once(process: Process, when: str) -> None:
    lacking(process.script, photos=("pia",))
    process.store.refuses = {
        "before it began": lambda stream: stream != KEY.stream,
        "before that was noted": lambda stream: stream == KEY.stream and process.store.committed > {KEY.stream},
    }[when]
    await process.agrees()
    assert await process.plan() == ["ann", "bo"]
    await process.restart()
    process.store.refuses = nothing
    await process.restart()

    assert await process.plan() == ["ann", "bo", "pia"]
    began = [each for each in await process.events() if isinstance(each, DemandSubmitted) and each.parent]
    amended = [each for each in await process.events() if isinstance(each, ProposalAmended)]
    assert (len(began), len(amended)) == (1, 1)
    await nothing_is_left(process)


async def test_stopped_while_it_looks_the_plan_stays_and_everybody_is_free(process: Process) -> None:
    lacking(process.script, photos=("pia",))
    await process.agrees(PATIENT)
    assert (await process.subnet("photos")).current is not None
    await process.stops()

    sub = await process.subnet("photos")
    assert (sub.status, sub.cancelled_by) == (Status.CANCELLED, REQUESTER)
    assert (await process.parent()).status is Status.FINALIZED
    assert await process.plan() == ["ann", "bo"]
    await nothing_is_left(process)


async def test_what_was_given_up_before_it_could_begin_never_begins(process: Process) -> None:
    lacking(process.script, photos=("pia",))
    process.store.refuses = lambda stream: stream != KEY.stream
    await process.agrees()
    await process.passes(ALONE.subnet_window)
    process.store.refuses = nothing
    await process.restart()
    await process.passes(60)

    [failed] = [each for each in await process.events() if isinstance(each, SubnetFailed)]
    assert failed.reason is Outcome.NEGOTIATION_TIMEOUT
    assert process.store.committed == {KEY.stream}
    await nothing_is_left(process)


async def test_a_linked_person_has_their_time_in_a_subnet_as_well(process: Process) -> None:
    lacking(process.script, photos=("pia",))
    await process.agrees(PATIENT)
    await process.passes(PATIENT.human_window)

    assert await process.plan() == ["ann", "bo", "pia"]
    await nothing_is_left(process)
