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
from .negotiations import KEY, PATIENT, Office, nothing_is_left, opened


@pytest.fixture(params=STORES)
async def office(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Office]:
    async with opened(STORES[request.param](tmp_path)) as office:
        yield office


async def test_who_is_found_is_in_the_plan(office: Office) -> None:
    lacking(office.script, photos=("pia",), music=("quin",))
    await office.agrees()

    assert await office.plan() == ["ann", "bo", "pia", "quin"]
    assert (await office.subnet("photos")).raw_input == wanted("photos")
    assert office.script.asked.count("gaps") == 1
    await nothing_is_left(office)


async def test_nobody_of_the_plan_is_asked_for_its_gaps(office: Office) -> None:
    lacking(office.script, photos=("ann", "pia"))
    await office.agrees()

    assert list((await office.subnet("photos")).invited) == [f"{AGENT}pia"]


async def test_of_two_gaps_one_may_stay_open(office: Office) -> None:
    lacking(office.script, photos=("pia",), music=("quin",))
    office.script.votes["quin", 1] = "withdraw"
    await office.agrees()

    assert await office.plan() == ["ann", "bo", "pia"]
    [failed] = [each for each in await office.events() if isinstance(each, SubnetFailed)]
    assert (failed.gap_type, failed.reason) == ("music", Outcome.LOW_ACCEPTANCE)
    await nothing_is_left(office)


@pytest.mark.parametrize("when", ["before it began", "before that was noted"])
async def test_killed_between_the_plan_and_its_subnet_it_begins_once(office: Office, when: str) -> None:
    lacking(office.script, photos=("pia",))
    office.store.refuses = {
        "before it began": lambda stream: stream != KEY.stream,
        "before that was noted": lambda stream: stream == KEY.stream and office.store.committed > {KEY.stream},
    }[when]
    await office.agrees()
    assert await office.plan() == ["ann", "bo"]
    await office.restart()
    office.store.refuses = nothing
    await office.restart()

    assert await office.plan() == ["ann", "bo", "pia"]
    began = [each for each in await office.events() if isinstance(each, DemandSubmitted) and each.parent]
    amended = [each for each in await office.events() if isinstance(each, ProposalAmended)]
    assert (len(began), len(amended)) == (1, 1)
    await nothing_is_left(office)


async def test_stopped_while_it_looks_the_plan_stays_and_everybody_is_free(office: Office) -> None:
    lacking(office.script, photos=("pia",))
    await office.agrees(PATIENT)
    assert (await office.subnet("photos")).current is not None
    await office.stops()

    sub = await office.subnet("photos")
    assert (sub.status, sub.cancelled_by) == (Status.CANCELLED, REQUESTER)
    assert (await office.parent()).status is Status.FINALIZED
    assert await office.plan() == ["ann", "bo"]
    await nothing_is_left(office)


async def test_what_was_given_up_before_it_could_begin_never_begins(office: Office) -> None:
    lacking(office.script, photos=("pia",))
    office.store.refuses = lambda stream: stream != KEY.stream
    await office.agrees()
    await office.passes(ALONE.subnet_window)
    office.store.refuses = nothing
    await office.restart()
    await office.passes(60)

    [failed] = [each for each in await office.events() if isinstance(each, SubnetFailed)]
    assert failed.reason is Outcome.NEGOTIATION_TIMEOUT
    assert office.store.committed == {KEY.stream}
    await nothing_is_left(office)


async def test_a_linked_person_has_their_time_in_a_subnet_as_well(office: Office) -> None:
    lacking(office.script, photos=("pia",))
    await office.agrees(PATIENT)
    await office.passes(PATIENT.human_window)

    assert await office.plan() == ["ann", "bo", "pia"]
    await nothing_is_left(office)
