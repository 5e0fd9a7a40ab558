"""A workflow of Slack's Workflow Builder asks: its step ends when the negotiation does, once, whatever happens."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Literal

import pytest

from bot.app import running
from bot.config import SlackAccess
from bot.demo.demo import CHANNEL, Posted
from bot.listeners.negotiation.workflow_step import STEP
from bot.local_slack import Channel, NotPossible, User
from bot.registry import PROTOCOLS
from engine.kernel import StreamKey
from engine.negotiation.state import Status
from engine.store.port import Store
from tests.api.test_slack import SECRET, both, delivers

from .conftest import Begin
from .driver import (
    ADMIN,
    AYA,
    BO,
    DEMAND,
    EVE,
    EVERYBODY,
    PATIENT,
    STOP,
    YOU,
    Driver,
)
from .script import people

ENDS = ("functions.completeSuccess", "functions.completeError")


async def runs(it: Driver, user: str = YOU, demand: str = DEMAND, channel: str = CHANNEL) -> Driver:
    """Have somebody run the workflow; return the driver of the negotiation, if it has begun one."""
    await it.demo.person(user).run_workflow(STEP, demand=demand, channel=channel)
    await it.settles()
    return await begun(it)


async def begun(it: Driver) -> Driver:
    negotiations = await it.negotiations()
    if not negotiations:
        return it
    [root] = [each for each in await it.demo.person(YOU).messages(CHANNEL) if "'root'" in str(each.metadata)]
    [state] = negotiations
    return replace(it, posted=Posted(root, StreamKey(it.demo.tenant, state.channel_id)))


async def run_of(it: Driver) -> Any:
    [run] = await it.demo.workspace.admin.step_runs()
    return run


async def ends(it: Driver) -> int:
    """Return how often Slack was told that a step has ended."""
    calls = await it.demo.workspace.admin.calls()
    return sum(calls[each] for each in ENDS)


async def test_the_step_ends_with_the_plan_and_where_it_stands(driver: Begin) -> None:
    it = await runs(await driver())
    assert (await it.state()).requester_id == YOU
    assert (await run_of(it)).status == "running"

    await it.goes_on()

    await it.stands(Status.FINALIZED)
    run = await run_of(it)
    assert run.status == "completed"
    assert run.outputs["status"] == "agreed"
    assert run.outputs["result"].startswith("✅ We have a plan")
    assert it.posted is not None
    assert run.outputs["link"].endswith(f"/archives/{CHANNEL}/p{it.posted.message.ts.replace('.', '')}")
    assert await ends(it) == 1
    [said] = [each for each in await it.demo.person(YOU).messages(CHANNEL) if each.user == "B_WORKFLOW"]
    assert run.outputs["link"] in said.text


async def test_an_end_without_a_plan_is_a_result_as_well(driver: Begin) -> None:
    it = await runs(await driver(twins={(name, 1): "withdraw" for name in ("aya", "bo")}))
    await it.goes_on()
    await it.stands(Status.FAILED)
    run = await run_of(it)
    assert (run.status, run.outputs["status"]) == ("completed", "not_agreed")


async def test_whoever_ran_the_workflow_has_the_rights_of_whoever_asks(driver: Begin) -> None:
    it = await runs(await driver(), user=AYA)
    assert (await it.state()).requester_id == AYA
    root = (await it.demo.person(AYA).messages(CHANNEL))[0]

    await it.demo.person(EVE).click(CHANNEL, root.ts, STOP)
    await it.settles()
    await it.stands(Status.NEGOTIATING)
    await it.demo.person(AYA).click(CHANNEL, root.ts, STOP)
    await it.settles()

    await it.stands(Status.CANCELLED)
    assert (await run_of(it)).status == "running", "it can be undone for a while"
    await it.passes()
    run = await run_of(it)
    assert (run.status, run.error) == ("failed", "Stopped by <@U_AYA>")
    assert await ends(it) == 1


async def test_a_run_that_is_told_of_again_begins_nothing_twice(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.fault("events_api", "lose_ack", times=2)
    it = await runs(it)
    assert await it.begun() == 1
    await it.goes_on()
    assert await ends(it) == 1


@pytest.mark.parametrize(
    ("kind", "times"),
    [
        pytest.param("drop_after", 2, id="Slack has heard it, and its answer is lost"),
        pytest.param("status", 1, id="Slack has not heard it"),
        pytest.param("truncate", 2, id="half of its answer came"),
    ],
)
async def test_the_workflow_goes_on_once_whatever_becomes_of_the_answer(
    driver: Begin, kind: Literal["drop_after", "status", "truncate"], times: int
) -> None:
    it = await runs(await driver())
    await it.demo.workspace.admin.fault(ENDS[0], kind, status=503)
    await it.goes_on()
    while await it.demo.skip():
        await it.settles()

    assert (await run_of(it)).status == "completed"
    assert await ends(it) <= times + 1
    assert len([each for each in await it.demo.person(YOU).messages(CHANNEL) if each.user == "B_WORKFLOW"]) == 1
    assert (await it.demo.towow.store.counts())["owed"] == 0


async def test_what_ends_while_slack_is_out_of_reach_is_told_after_a_restart(driver: Begin, store: Store) -> None:
    it = await runs(await driver())
    workspace = it.demo.workspace
    await workspace.admin.fault(ENDS[0], "status", status=503, times=None)
    await it.goes_on()
    await it.leaves()
    assert (await run_of(it)).status == "running"
    await workspace.admin.clear_faults()

    slack = SlackAccess(workspace.bot_token, workspace.app_token, workspace.api_url, ping_seconds=0.5, limited=False)
    profiles = people({"aya": AYA, "bo": BO}, ())
    async with running(slack, store, it.script, profiles, it.demo.clock, PATIENT, PROTOCOLS) as towow:
        again = replace(it, demo=replace(it.demo, towow=towow))
        await again.settles()
        assert (await run_of(again)).status == "completed"
    counted = await ends(it)
    async with running(slack, store, it.script, profiles, it.demo.clock, PATIENT, PROTOCOLS) as towow:
        await replace(it, demo=replace(it.demo, towow=towow)).settles()
        assert await ends(it) == counted


PARTNER = User(id=EVE, name="guest", real_name="A Guest", team_id="T_PARTNER")
SHARED = Channel(id=CHANNEL, name="general", members=[*EVERYBODY], is_ext_shared=True)


async def begins_nothing(it: Driver, why: str) -> None:
    run = await run_of(it)
    assert run.status == "failed"
    assert why in run.error
    assert await it.begun() == 0
    assert await ends(it) == 1


async def test_a_workflow_that_nobody_runs_begins_nothing(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.run_on_schedule(STEP, demand=DEMAND, channel=CHANNEL)
    await it.settles()
    await begins_nothing(it, "Nobody ran this workflow")


async def test_whoever_is_of_another_company_begins_nothing(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(SHARED)
    await it.demo.workspace.admin.put_user(PARTNER)
    await runs(it, user=EVE)
    await begins_nothing(it, "I only take demands from people of this workspace")


async def test_where_slack_does_not_say_whose_company_somebody_is_of_nothing_begins(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.fault("users.info", "status", status=503, times=None)
    await runs(it)
    await begins_nothing(it, "Slack does not say")


async def test_nobody_names_whoever_asks(driver: Begin) -> None:
    it = await driver()
    with pytest.raises(NotPossible, match="Slack itself fills in requester"):
        await it.demo.person(EVE).run_workflow(STEP, demand=DEMAND, channel=CHANNEL, requester={"id": YOU})


@pytest.mark.parametrize(
    ("demand", "channel", "why"),
    [
        pytest.param(":tada: !!", CHANNEL, "Tell me what you need", id="a demand without words"),
        pytest.param(DEMAND, "C_NOWHERE", "I am not in this channel", id="no such channel"),
        pytest.param(DEMAND, "C_SECRET", "I am not in this channel", id="a private channel that they are not in"),
    ],
)
async def test_what_cannot_begin_ends_with_a_sentence(driver: Begin, demand: str, channel: str, why: str) -> None:
    it = await driver()
    await it.demo.workspace.admin.put_channel(
        Channel(id="C_SECRET", name="secret", members=[ADMIN], is_private=True, has_bot=True)
    )
    await runs(it, demand=demand, channel=channel)
    await begins_nothing(it, why)


async def test_a_refusal_that_slack_has_not_heard_is_told_when_the_run_is_delivered_again(driver: Begin) -> None:
    it = await driver()
    await it.demo.workspace.admin.fault(ENDS[1], "status", status=503)
    await it.demo.workspace.admin.run_on_schedule(STEP, demand=DEMAND, channel=CHANNEL)
    await it.settles()
    assert (await run_of(it)).status == "failed"
    assert await ends(it) == 2
    assert await it.begun() == 0


async def test_another_step_is_not_ours(driver: Begin) -> None:
    it = await driver()
    event = {"type": "function_executed", "function": {"callback_id": "other"}, "inputs": {}}
    await it.demo.workspace.admin.announce(event | {"function_execution_id": "Fx1", "event_ts": "1.1"})
    await it.settles()
    assert await it.begun() == 0
    assert (await it.demo.workspace.admin.status()).lost == []


async def test_over_http_a_run_begins_once_however_often_it_comes() -> None:
    async with both(signing_secret=SECRET, is_called=True) as (it, session):
        team = it.demo.tenant.team_id
        ran = {
            "type": "function_executed", "function": {"callback_id": STEP}, "function_execution_id": "Fx1",
            "inputs": {"demand": DEMAND, "channel": CHANNEL, "requester": {"id": YOU, "secret": "s"}},
            "bot_access_token": "xwfp-local-run", "event_ts": "1.1",
        }  # fmt: skip
        us = [{"team_id": team, "user_id": "U_TOWOW", "is_bot": True}]
        told = {"type": "event_callback", "event_id": "Ev1", "team_id": team, "event": ran, "authorizations": us}
        assert await delivers(it, session, json.dumps(told).encode()) == (200, "")
        assert await delivers(it, session, json.dumps(told).encode()) == (200, "")
        assert await it.begun() == 1
        assert (await (await begun(it)).state()).workflow_run == "Fx1"
