"""Plans of one tenant find each other where they take the same people at the same time, over every store."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.facts.circumstances import When
from engine.kernel import StreamKey, Tenant
from engine.negotiation.answers import Circumstances, Understanding
from engine.negotiation.commands import Cancel, SubmitDemand
from engine.negotiation.plan.clashes import BOOKING, shown
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation, Status
from tests.bot.script import AGENT
from tests.negotiation.scenario import ALONE, REQUESTER
from tests.store.conftest import STORES

from .conftest import NOON
from .negotiations import KEY, Process, opened

MARCH = When(first="2027-03-14", last="2027-03-14", start="19:00", end="21:00", exact="day")
MAY = When(first="2027-05-03", last="2027-05-03", start="19:00", end="21:00", exact="day")
OPEN = Policy(human_window=0, override_window=3600)
"""The round stays open for whoever asked."""


@pytest.fixture(params=STORES)
async def process(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Process]:
    async with opened(STORES[request.param](tmp_path)) as process:
        yield process


async def asks(
    process: Process, number: int, when: When = MARCH, policy: Policy = ALONE, tenant: Tenant = KEY.tenant
) -> StreamKey:
    key = StreamKey(tenant, f"collab-{number:08}")
    await process.runtime.handle(
        key,
        RULEBOOK.protocol,
        SubmitDemand(
            command_id=f"ask{number}",
            at=NOON,
            demand_id=f"d-{number:08}",
            channel_id=key.stream,
            requester_id=REQUESTER,
            raw_input="A party",
            policy=policy,
            understanding=Understanding(surface_demand="A party", context=Circumstances(when=when)),
        ),
    )
    return key


async def of(process: Process, key: StreamKey) -> Negotiation:
    state, _ = await process.runtime.read(key)
    assert isinstance(state, Negotiation)
    return state


async def clashing(process: Process, key: StreamKey) -> set[tuple[str, str]]:
    """Who else takes whom."""
    return {(each.channel_id, each.agent_id.removeprefix(AGENT)) for each in shown(await of(process, key))}


async def stops(process: Process, key: StreamKey) -> None:
    stop = Cancel(command_id=f"stop {key.stream}", at=process.clock.now(), by=REQUESTER)
    await process.runtime.handle(key, RULEBOOK.protocol, stop)
    await process.runtime.activity.idle()


async def test_two_plans_for_the_same_evening_are_said_on_both(process: Process) -> None:
    first = await asks(process, 1)
    await process.runtime.activity.idle()
    assert (await of(process, first)).status is Status.FINALIZED
    assert await clashing(process, first) == set()

    second = await asks(process, 2)
    await process.runtime.activity.idle()
    assert (await of(process, second)).status is Status.FINALIZED, "nothing blocks it"
    assert await clashing(process, second) == {(first.stream, "ann"), (first.stream, "bo")}
    assert await clashing(process, first) == {(second.stream, "ann"), (second.stream, "bo")}


async def test_plans_that_are_made_at_once_find_each_other_too(process: Process) -> None:
    keys = await asyncio.gather(*(asks(process, number) for number in (1, 2, 3)))
    await process.runtime.activity.idle()

    for key in keys:
        others = {each.stream for each in keys if each != key}
        assert await clashing(process, key) == {(each, who) for each in others for who in ("ann", "bo")}


async def test_another_day_is_no_clash_and_no_day_is_not_looked_for(process: Process) -> None:
    keys = [await asks(process, 1), await asks(process, 2, MAY), await asks(process, 3, When())]
    await process.runtime.activity.idle()

    assert [await clashing(process, key) for key in keys] == [set(), set(), set()]
    assert len(await process.store.records(KEY.tenant, BOOKING)) == 4


async def test_another_tenants_plans_are_not_seen(process: Process) -> None:
    ours, theirs = await asks(process, 1), await asks(process, 2, tenant=Tenant("T_TWO"))
    await process.runtime.activity.idle()

    assert await clashing(process, ours) == await clashing(process, theirs) == set()


async def test_a_plan_that_is_stopped_is_no_clash_any_more(process: Process) -> None:
    first, second = await asks(process, 1), await asks(process, 2, policy=OPEN)
    await process.runtime.activity.idle()
    assert await clashing(process, first)

    await stops(process, second)
    assert await clashing(process, first) == set()
    assert set(await process.store.records(KEY.tenant, BOOKING)) == {
        f"person/{AGENT}{who}/2027-03-14/{first.stream}" for who in ("ann", "bo")
    }


async def test_what_is_owed_about_a_clash_survives_the_process(process: Process) -> None:
    first = await asks(process, 1)
    await process.runtime.activity.idle()
    second = await asks(process, 2)
    await process.restart()

    assert await clashing(process, first) == {(second.stream, "ann"), (second.stream, "bo")}
    assert await clashing(process, second) == {(first.stream, "ann"), (first.stream, "bo")}
    assert (await process.store.counts())["owed"] == 0
