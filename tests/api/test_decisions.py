"""Whoever asked decides over HTTP as in the thread: they answer the question, look wider, go on without, or stop."""

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


async def asked(begin: Begin, said: ModelAnswer) -> tuple[ApiHarness, str]:
    it = await begin(policy=HOUR)
    it.script.says["understand"] = said
    return it, f"/api/v1/demand/{await it.asks()}"


async def test_the_question_is_told_and_answered_by_saying_the_demand_otherwise(begin: Begin) -> None:
    it, path = await asked(begin, UNCLEAR)
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["awaits"], standing["question"]) == ("answer", "What is needed?")
    assert standing["awaits_until"] == "2027-01-15T08:10:00.000Z"

    del it.script.says["understand"]
    answer = await it.as_(YOU).post(f"{path}/decisions", {"choice": "say_otherwise", "raw_input": "A dinner for 12"})
    await it.runtime.activity.idle()

    assert (answer.status, answer.body["awaits"]) == (200, None)
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["channel_status"], standing["question"]) == ("negotiating", None)


async def test_what_is_missing_is_told_and_decided(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    standing = (await it.as_(YOU).get(f"{path}/status")).body
    assert (standing["awaits"], standing["missing"]) == ("decision", ["a helicopter"])
    assert standing["awaits_until"] == "2027-01-15T08:10:00.000Z"

    answer = await it.as_(YOU).post(f"{path}/decisions", {"choice": "go_on"})
    assert (answer.status, answer.body["awaits"], answer.body["missing"]) == (200, None, [])
    again = await it.as_(YOU).post(f"{path}/decisions", {"choice": "look_wider"})
    assert (again.status, again.code) == (409, "E010")


async def test_nobody_else_decides(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    for choice in ("go_on", "look_wider", "stop", "say_otherwise"):
        answer = await it.as_(EVE).post(f"{path}/decisions", {"choice": choice, "raw_input": "Something else"})
        assert answer.status == 403, choice
    assert (await it.as_(YOU).get(f"{path}/status")).body["awaits"] == "decision"


@pytest.mark.parametrize("said", [UNCLEAR, RARE], ids=["a question", "a decision"])
async def test_it_can_be_stopped(begin: Begin, said: ModelAnswer) -> None:
    it, path = await asked(begin, said)
    answer = await it.as_(YOU).post(f"{path}/decisions", {"choice": "stop"})
    assert (answer.status, answer.body["outcome"]) == (200, "cancelled")


async def test_a_program_decides_for_whom_it_asked_and_for_nobody_who_did_not(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    refused = await it.as_("program").post(f"{path}/decisions", {"choice": "go_on", "user_id": EVE})
    assert (refused.status, refused.code) == (403, "E012")
    nobody = await it.as_("program").post(f"{path}/decisions", {"choice": "go_on"})
    assert nobody.status == 400, "it has to say who decides"
    answer = await it.as_("program").post(f"{path}/decisions", {"choice": "go_on", "user_id": YOU})
    assert (answer.status, answer.body["awaits"]) == (200, None)


async def test_somebody_s_token_decides_for_nobody_else(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    answer = await it.as_(EVE).post(f"{path}/decisions", {"choice": "go_on", "user_id": YOU})
    assert (answer.status, answer.code) == (403, "E012")


async def test_others_are_looked_for_if_they_say_so(begin: Begin) -> None:
    it, path = await asked(begin, RARE)
    answer = await it.as_(YOU).post(f"{path}/decisions", {"choice": "look_wider"})
    assert (answer.status, answer.body["is_searching"], answer.body["awaits"]) == (200, True, None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param({}, 400, id="nothing"),
        pytest.param({"choice": "perhaps"}, 400, id="no choice"),
        pytest.param({"choice": ["stop"]}, 400, id="a list"),
        pytest.param({"choice": "go_on", "by": YOU}, 400, id="a field that there is not"),
        pytest.param({"choice": "say_otherwise", "raw_input": "x" * 5_001}, 400, id="too long for the interface"),
        pytest.param({"choice": "say_otherwise", "raw_input": "x" * 4_001}, 400, id="too long for a demand"),
        pytest.param({"choice": "say_otherwise"}, 400, id="no words"),
        pytest.param({"choice": "say_otherwise", "raw_input": "🎉"}, 400, id="words without a letter"),
    ],
)
async def test_what_is_no_decision_changes_nothing(begin: Begin, body: dict[str, object], status: int) -> None:
    it, path = await asked(begin, RARE)
    before = (await it.counts())["events"]
    assert (await it.as_(YOU).post(f"{path}/decisions", body)).status == status
    assert (await it.counts())["events"] == before


@pytest.mark.parametrize("choice", ["go_on", "look_wider", "say_otherwise", "stop"])
async def test_where_nothing_is_to_be_decided_it_says_so(begin: Begin, choice: str) -> None:
    it = await begin(policy=Policy(human_window=0, override_window=0))
    path = f"/api/v1/demand/{await it.asks()}"
    await it.ends(path.rpartition("/")[2])

    answer = await it.as_(YOU).post(f"{path}/decisions", {"choice": choice, "raw_input": "Something else"})
    assert (answer.status, answer.code) == (409, "E010")
