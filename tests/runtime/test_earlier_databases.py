"""A database that an earlier ToWow wrote opens, verifies and goes on where it was.

``databases/schema_N.sql`` are dumps of what the code of schema N left behind when it ended: negotiations that are over,
one whose round is open, one whose offers were asked for and not answered, in two tenants, each with its directory.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.workspace_settings import Directories
from engine.directory.rules import RULEBOOK as DIRECTORY
from engine.errors import NotAllowed
from engine.kernel import Ask, Command, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import CastVote
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Status
from engine.negotiation.voting.kinds import FeedbackType
from engine.projections.inbox import demands_of, open_votes_of
from engine.runtime.clock import JumpingClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from tests.bot.script import AGENT, Script, people
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import NOON, REQUESTER

DUMPS = sorted((Path(__file__).parent / "databases").glob("schema_*.sql"))
ONE, TWO = Tenant("T_ONE"), Tenant("T_TWO", "E_ONE")
FINISHED, VOTING, ASKED = (StreamKey(ONE, f"collab-{name}") for name in ("finished", "voting", "asked"))
PROFILES = people({"pia": "U_PIA"}, ("ann", "bo"))


@pytest.fixture(params=DUMPS, ids=lambda dump: dump.stem)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    path = tmp_path / "earlier.db"
    connection = sqlite3.connect(path)
    connection.executescript(request.param.read_text("utf-8"))
    connection.close()
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


@asynccontextmanager
async def running(store: Store, script: Script) -> AsyncIterator[tuple[Runtime, JumpingClock]]:
    clock = JumpingClock(NOON)
    asks = {RULEBOOK.protocol: for_every_tenant(NegotiationAsks(PROMPTS, PROFILES))}
    runtime = in_process(store, clock, [RULEBOOK, DIRECTORY], {Ask.kind: Asker(script, asks, clock)}, [Ask])
    await runtime.start()
    try:
        yield runtime, clock
    finally:
        await runtime.close()


async def vote(runtime: Runtime, command_id: str, by: str) -> Command:
    state, _ = await runtime.read(VOTING)
    opened = state.rounds[-1]
    said: dict[str, Any] = {"agent_id": f"{AGENT}pia", "round": opened.number, "digest": opened.digest}
    return CastVote(command_id=command_id, at=NOON, by=by, feedback_type=FeedbackType.ACCEPT, **said)


async def test_every_chain_verifies(store: Store) -> None:
    events = [*await store.events(ONE, 0, 500), *await store.events(TWO, 0, 500)]

    assert len(events) == 85
    assert all([await store.verify(key) for key in {each.key for each in events}])


async def test_what_is_over_reads_as_it_was(store: Store) -> None:
    async with running(store, Script(("ann", "bo", "pia"))) as (runtime, _):
        for tenant in (ONE, TWO):
            state, version = await runtime.read(FINISHED._replace(tenant=tenant))
            assert (state.status, version) == (Status.FINALIZED, len(await events_of(store, state, tenant)))
            assert [each.agent_id for each in state.final.final_proposal.assignments] == [
                f"{AGENT}{name}" for name in ("ann", "bo", "pia")
            ]
        failed, _ = await runtime.read(FINISHED._replace(stream="collab-failed"))
        assert failed.status is Status.FAILED


async def events_of(store: Store, state: Any, tenant: Tenant) -> list[Any]:
    return [each for each in await store.events(tenant, 0, 500) if each.key.stream == state.channel_id]


async def test_an_open_round_goes_on_and_a_vote_by_the_wrong_person_stays_refused_in_the_same_words(
    store: Store,
) -> None:
    async with running(store, Script(("ann", "bo", "pia"))) as (runtime, _):
        with pytest.raises(NotAllowed, match=r"^Only Pia can vote for this seat\.$"):
            await runtime.handle(VOTING, RULEBOOK.protocol, await vote(runtime, "click-eve", "U_EVE"))
        assert VOTING.stream in {each.stream for each in await open_votes_of(store, ONE, "U_PIA")}

        await runtime.handle(VOTING, RULEBOOK.protocol, await vote(runtime, "click-pia", "U_PIA"))
        await runtime.activity.idle()
        state, _ = await runtime.read(VOTING)

        # Bo had asked for a change, so a second round follows, in which everybody agrees but Pia, who is waited for.
        assert [each.number for each in state.rounds] == [1, 2]
        await runtime.handle(VOTING, RULEBOOK.protocol, await vote(runtime, "click-again", "U_PIA"))
        await runtime.activity.idle()
        state, _ = await runtime.read(VOTING)
        assert state.status is Status.FINALIZED
        assert VOTING.stream not in {each.stream for each in await open_votes_of(store, ONE, "U_PIA")}
    assert await store.verify(VOTING)


async def test_what_was_owed_is_run_again_and_the_same_cause_is_no_second_demand(store: Store) -> None:
    script = Script(("ann", "bo", "pia"))
    async with running(store, script) as (runtime, _):
        await runtime.activity.idle()
        state, version = await runtime.read(ASKED)

        assert sorted(script.asked)[-3:] == ["respond/ann", "respond/bo", "respond/pia"]
        assert state.status is Status.NEGOTIATING
        assert version > 5
        assert {each.stream for each in await demands_of(store, ONE, REQUESTER)} == {
            f"collab-{name}" for name in ("finished", "failed", "voting", "asked")
        }


async def test_an_alarm_that_was_set_rings_at_its_time(store: Store) -> None:
    async with running(store, Script(("ann", "bo", "pia"))) as (runtime, clock):
        clock.jump(NOON + 3_600_000)
        await runtime.sweep()
        await runtime.activity.idle()

        state, _ = await runtime.read(VOTING)
        assert state.rounds[0].tally is not None


async def test_the_directory_is_not_loaded_a_second_time(store: Store) -> None:
    async with running(store, Script(("ann", "bo", "pia"))) as (runtime, clock):
        before = await store.last_position()
        directory = await Directories(runtime, clock, PROFILES).of(ONE)

        assert sorted(directory.asked) == sorted(PROFILES)
        assert [each for each in await store.events(ONE, before, 500) if "profile" in each.event_type] == []
