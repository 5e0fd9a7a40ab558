"""Votes that twins only prepare, over HTTP: asked for with the demand, given with an action, told to nobody else."""

import json
from typing import Any

import pytest

from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.voting.kinds import FeedbackType

from .api_harness import AYA, BO, DEMAND, PATIENT, YOU, ApiHarness
from .conftest import Begin

SECRET = "because the lift is broken"
PREPARED = "towow.vote.prepared"
WOULD = FeedbackAnswer(feedback_type=FeedbackType.NEGOTIATE, reasoning=SECRET, adjustment_request=f"{SECRET}, later")


async def asked(begin: Begin, **fields: Any) -> tuple[ApiHarness, str]:
    it = await begin(policy=PATIENT)
    it.script.says["feedback"] = WOULD
    answer = await it.as_(YOU).post("/api/v1/demand/submit", {"raw_input": DEMAND, **fields})
    await it.runtime.activity.idle()
    return it, str(answer.body["demand_id"])


async def test_whoever_asks_may_want_peoples_own_votes_only(begin: Begin) -> None:
    it, demand_id = await asked(begin, own_votes=True)

    told = (await it.as_(YOU).get(f"/api/v1/demand/{demand_id}")).body

    assert told["own_votes"] is True
    assert {each["feedback_type"] for each in told["rounds"][-1]["votes"]} == {None}


async def test_where_nothing_is_said_twins_vote(begin: Begin) -> None:
    it, demand_id = await asked(begin)
    told = (await it.as_(YOU).get(f"/api/v1/demand/{demand_id}")).body

    assert told["own_votes"] is False
    assert {each["source"] for each in told["rounds"][-1]["votes"]} == {"agent"}


@pytest.mark.parametrize("reader", [YOU, BO, "program", "admin"])
async def test_nobody_else_is_told_what_was_prepared(begin: Begin, reader: str) -> None:
    it, demand_id = await asked(begin, own_votes=True)

    recent = (await it.as_(reader).get("/api/v1/events/recent?count=100")).body
    told = (await it.as_(reader).get(f"/api/v1/demand/{demand_id}")).body

    of_aya = [each for each in recent["events"] if each["payload"].get("agent_id") == "user_agent_aya"]
    assert [each["payload"]["vote"] for each in of_aya if each["event_type"] == PREPARED] == [None]
    assert SECRET not in json.dumps(of_aya)
    assert SECRET not in json.dumps(told)


async def test_its_person_reads_it_and_makes_it_theirs(begin: Begin) -> None:
    it, demand_id = await asked(begin, own_votes=True)
    path = f"/api/v1/demand/{demand_id}"
    recent = (await it.as_(AYA).get("/api/v1/events/recent?count=100")).body["events"]
    mine = [each["payload"] for each in recent if each["event_type"] == PREPARED and each["payload"]["vote"]]
    assert [(each["agent_id"], each["vote"]["reasoning"]) for each in mine] == [("user_agent_aya", SECRET)]

    told = (await it.as_(AYA).get(path)).body
    vote = {"agent_id": "user_agent_aya", "round": told["round"], "digest": told["proposal"]["digest"]}
    answer = await it.as_(AYA).post(f"{path}/actions/vote.prepared", vote)

    assert (answer.status, answer.body) == (200, {"action": "vote.prepared", "error_code": None})
    seats = (await it.as_(YOU).get(path)).body["rounds"][-1]["votes"]
    assert {each["agent_id"]: (each["feedback_type"], each["source"]) for each in seats} == {
        "user_agent_aya": ("negotiate", "human"),
        "user_agent_bo": (None, None),
    }
    refused = await it.as_(BO).post(f"{path}/actions/vote.prepared", vote)
    assert (refused.status, refused.code) == (403, "E012")


async def test_an_edit_that_says_nothing_of_it_leaves_it_as_it_was(begin: Begin) -> None:
    it = await begin(policy=PATIENT.model_copy(update={"first_window": 600}))
    answer = await it.as_(YOU).post("/api/v1/demand/submit", {"raw_input": DEMAND, "own_votes": True})
    await it.runtime.activity.idle()
    path = f"/api/v1/demand/{answer.body['demand_id']}"

    for said, stands in (({}, True), ({"own_votes": False}, False), ({"own_votes": True}, True)):
        edited = await it.as_(YOU).post(
            f"{path}/actions/demand.edit", {"raw_input": f"{DEMAND}, please {stands}", **said}
        )
        await it.runtime.activity.idle()
        assert edited.status == 200
        assert (await it.as_(YOU).get(path)).body["own_votes"] is stands
