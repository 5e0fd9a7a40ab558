"""Whoever asked decides over HTTP as in the thread: they answer the question, look wider, go on without, or stop."""

from typing import Any

import pytest

from engine.kernel import ModelAnswer
from engine.negotiation.answers import Need, Understanding
from engine.negotiation.policy import Policy

from .api_harness import EVE, YOU, ApiHarness
from .conftest import Begin

HOUR = Policy(human_window=3_600, override_window=600)
UNCLEAR = Understanding(surface_demand="It is not clear.", question="What is needed?")
RARE = Understanding(
    surface_demand="A flight", needs=(Need(need_id="need_1", what="a helicopter", tags=("helicopter",)),)
)


DECISIONS: dict[str, dict[str, str]] = {
    "missing.go_on": {},
    "missing.send_again": {},
    "missing.look_wider": {},
    "negotiation.stop": {},
    "demand.edit": {"raw_input": "Something else"},
}


async def asked(begin: Begin, said: ModelAnswer) -> tuple[ApiHarness, str]:
    it = await begin(policy=HOUR)
    it.script.says["understand"] = said
    return it, f"/api/v1/demand/{await it.asks()}"


async def test_the_question_is_told_and_answered_by_saying_the_demand_otherwise(begin: Begin) -> None:
    it, path = await asked(begin, UNCLEAR)
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["awaits"], standing["question"]["question"]) == ("answer", "What is needed?")
    assert standing["awaits_until"] == "2027-01-15T08:10:00.000Z"

    del it.script.says["understand"]
    answer = await it.as_(YOU).post(f"{path}/actions/demand.edit", {"raw_input": "A dinner for 12"})
    await it.runtime.activity.idle()

    assert (answer.status, answer.body) == (200, {"action": "demand.edit", "error_code": None})
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert standing["awaits"] is None
    assert (standing["channel_status"], standing["question"]) == ("negotiating", None)


async def test_what_is_missing_is_told_and_decided(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["awaits"], standing["missing"]) == ("decision", ["a helicopter"])
    assert standing["awaits_until"] == "2027-01-15T08:10:00.000Z"

    answer = await it.as_(YOU).post(f"{path}/actions/missing.go_on", {})
    assert answer.status == 200
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["awaits"], standing["missing"]) == (None, [])
    again = await it.as_(YOU).post(f"{path}/actions/missing.look_wider", {})
    assert (again.status, again.code) == (409, "E010")


async def test_nobody_else_decides(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    for name, said in DECISIONS.items():
        answer = await it.as_(EVE).post(f"{path}/actions/{name}", said)
        assert answer.status == 403, name
    assert (await it.as_(YOU).get(f"{path}/status")).body["awaits"] == "decision"


@pytest.mark.parametrize("said", [UNCLEAR, RARE], ids=["a question", "a decision"])
async def test_it_can_be_stopped(begin: Begin, said: ModelAnswer) -> None:
    it, path = await asked(begin, said)
    answer = await it.as_(YOU).post(f"{path}/actions/negotiation.stop", {})
    assert answer.status == 200
    assert (await it.as_(YOU).get(f"{path}/status")).body["outcome"] == "cancelled"


async def test_a_program_decides_for_whom_it_asked_and_for_nobody_who_did_not(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    refused = await it.as_("program").post(f"{path}/actions/missing.go_on", {"user_id": EVE})
    assert (refused.status, refused.code) == (403, "E012")
    nobody = await it.as_("program").post(f"{path}/actions/missing.go_on", {})
    assert nobody.status == 400, "it has to say who decides"
    answer = await it.as_("program").post(f"{path}/actions/missing.go_on", {"user_id": YOU})
    assert answer.status == 200
    assert (await it.as_(YOU).get(f"{path}/status")).body["awaits"] is None


async def test_somebody_s_token_decides_for_nobody_else(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    answer = await it.as_(EVE).post(f"{path}/actions/missing.go_on", {"user_id": YOU})
    assert (answer.status, answer.code) == (403, "E012")


async def test_others_are_looked_for_if_they_say_so(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    answer = await it.as_(YOU).post(f"{path}/actions/missing.look_wider", {})
    assert answer.status == 200
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["is_searching"], standing["awaits"]) == (True, None)


@pytest.mark.parametrize(
    ("name", "body", "status"),
    [
        pytest.param("perhaps", {}, 404, id="no action"),
        pytest.param("negotiation.stop", ["stop"], 400, id="a list"),
        pytest.param("missing.go_on", {"by": YOU}, 400, id="a field that there is not"),
        pytest.param("missing.go_on", {"choice": "look_wider"}, 400, id="a field that the action decides"),
        pytest.param("demand.edit", {"raw_input": "x" * 4_001}, 400, id="too long for a demand"),
        pytest.param("demand.edit", {}, 400, id="no words"),
        pytest.param("demand.edit", {"raw_input": "🎉"}, 400, id="words without a letter"),
    ],
)
async def test_what_is_no_decision_changes_nothing(begin: Begin, name: str, body: Any, status: int) -> None:
    it, path = await asked(begin, RARE)
    before = (await it.counts())["events"]
    assert (await it.as_(YOU).post(f"{path}/actions/{name}", body)).status == status
    assert (await it.counts())["events"] == before


@pytest.mark.parametrize("name", DECISIONS)
async def test_where_nothing_is_to_be_decided_it_says_so(begin: Begin, name: str) -> None:
    it = await begin(policy=Policy(human_window=0, override_window=0))
    path = f"/api/v1/demand/{await it.asks()}"
    await it.ends(path.rpartition("/")[2])

    answer = await it.as_(YOU).post(f"{path}/actions/{name}", DECISIONS[name])
    assert (answer.status, answer.code) == (409, "E010")
