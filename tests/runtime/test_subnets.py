"""A plan and the search for what it lacks, in a runtime over every store; the process may end at any point of it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.clock import JumpingClock
from engine.envelope import opened as event_of
from engine.kernel import Ask, Event, StreamKey, Tenant
from engine.llm.asker import Asker, for_everybody
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import Cancel, SubmitDemand
from engine.negotiation.events import EVENTS, DemandSubmitted, ProposalAmended, SubnetFailed
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.terms import Outcome
from engine.prompts import load_prompts
from engine.runtime import Runtime
from engine.store.port import Store
from tests.bot.script import AGENT, Script, lacking, people, wanted
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.store.conftest import STORES

from .conftest import NOON, Unreliable, nothing

KEY = StreamKey(Tenant("T_ONE"), "collab-00000001")
PROMPTS = load_prompts()
PROFILES = people({"pia": "U_PIA"}, ("ann", "bo", "quin"))
PATIENT = Policy(human_window=60, override_window=0)
"""Pia is waited for."""


@dataclass
class Office:
    """The process: everything in it can be ended and begun again on the same store."""

    store: Unreliable
    clock: JumpingClock
    script: Script
    runtime: Runtime

    async def agrees(self, policy: Policy = ALONE) -> None:
        demand: dict[str, Any] = {"demand_id": "d-00000001", "channel_id": KEY.stream, "requester_id": REQUESTER}
        await self.runtime.handle(
            KEY,
            RULEBOOK.protocol,
            SubmitDemand(command_id="c1", at=NOON, raw_input="A party", policy=policy, **demand),
        )
        await self.runtime.activity.idle()

    async def stops(self) -> None:
        stop = Cancel(command_id="c2", at=self.clock.now(), by=REQUESTER)
        await self.runtime.handle(KEY, RULEBOOK.protocol, stop)
        await self.runtime.activity.idle()

    async def restart(self) -> None:
        await self.runtime.close()
        self.runtime = _runtime(self.store, self.clock, self.script)
        await self.runtime.start()
        await self.runtime.activity.idle()

    async def passes(self, seconds: float) -> None:
        self.clock.jump(self.clock.now() + round(seconds * 1000))
        await self.runtime.sweep()
        await self.runtime.activity.idle()

    async def parent(self) -> Negotiation:
        state, _ = await self.runtime.read(KEY)
        assert isinstance(state, Negotiation)
        return state

    async def subnet(self, gap: str) -> Negotiation:
        state, _ = await self.runtime.read(KEY._replace(stream=await self.stream_of(gap)))
        assert isinstance(state, Negotiation)
        return state

    async def stream_of(self, gap: str) -> str:
        subnets = (await self.parent()).subnets
        return next(key for key, each in subnets.items() if each.triggered.gap_type == gap)

    async def events(self) -> Sequence[Event]:
        """Of everybody, in their order."""
        return [event_of(each, EVENTS) for each in await self.store.events(KEY.tenant, 0, 500)]

    async def plan(self) -> list[str]:
        final = (await self.parent()).final
        assert final is not None
        return [each.agent_id.removeprefix(AGENT) for each in final.final_proposal.assignments]


def _runtime(store: Unreliable, clock: JumpingClock, script: Script) -> Runtime:
    asker = Asker(script, {RULEBOOK.protocol: for_everybody(NegotiationAsks(PROMPTS, PROFILES))}, clock)
    return Runtime(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Office]:
    await store.open()
    try:
        clock, unreliable, script = JumpingClock(NOON), Unreliable(store), Script(("ann", "bo"))
        office = Office(unreliable, clock, script, _runtime(unreliable, clock, script))
        await office.runtime.start()
        try:
            yield office
        finally:
            await office.runtime.close()
    finally:
        await store.close()


@pytest.fixture(params=STORES)
async def office(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Office]:
    async with opened(STORES[request.param](tmp_path)) as office:
        yield office


async def nothing_is_left(office: Office) -> None:
    counts = await office.store.counts()
    assert (counts["owed"], counts["alarms"], counts["open_streams"]) == (0, 0, 0)


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
