"""A demand over HTTP: asked once, understood, looked up; and what becomes of it."""

import asyncio
from typing import Any

import pytest

from engine.errors import BudgetSpent, InvalidAnswer, ModelError, ModelTimeout, ModelUnavailable
from engine.negotiation.answers import Shortlist
from engine.store.port import Store

from .api_harness import ALONE, DEMAND, EVE, YOU, ApiHarness
from .conftest import Begin

SUBMIT = "/api/v1/demand/submit"
REQUIRED = ALONE.model_copy(update={"require_model": True})


async def test_the_answer_is_the_seeds_field_for_field(harness: ApiHarness) -> None:
    answer = await harness.as_("program").post(SUBMIT, {"raw_input": DEMAND, "user_id": "user_alice"})

    assert answer.status == 200
    assert list(answer.body) == ["demand_id", "channel_id", "status", "understanding"]
    assert answer.body["demand_id"].removeprefix("d-") == answer.body["channel_id"].removeprefix("collab-")
    assert answer.body["status"] == "processing"
    understanding = answer.body["understanding"]
    assert understanding.keys() >= {
        "surface_demand", "deep_understanding", "capability_tags", "context", "confidence",
    }  # fmt: skip
    assert understanding["deep_understanding"].keys() >= {"motivation", "likely_preferences"}
    assert (understanding["surface_demand"], understanding["confidence"]) == (DEMAND, "high")


async def test_it_is_answered_as_soon_as_it_is_understood(begin: Begin) -> None:
    it = await begin(held=["understand", "filter"])
    asking = asyncio.create_task(it.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}))
    await it.script.thinking.wait()
    assert not asking.done()

    it.script.held["understand"].set()

    assert (await asking).body["understanding"]["surface_demand"] == DEMAND
    it.script.held["filter"].set()


async def test_whoever_is_not_understood_in_time_is_told_without_and_finds_it_later(begin: Begin) -> None:
    it = await begin(held=["understand"], patience=0.05)

    answer = await it.as_(YOU).post(SUBMIT, {"raw_input": DEMAND})

    assert (answer.status, answer.body["status"], answer.body["understanding"]) == (200, "processing", None)
    it.script.held["understand"].set()
    await it.runtime.activity.idle()
    told = (await it.as_(YOU).get(f"/api/v1/demand/{answer.body['demand_id']}")).body
    assert told["surface_demand"] == DEMAND


async def test_a_model_that_is_down_is_no_error_here_the_step_is_degraded(begin: Begin) -> None:
    it = await begin()
    it.script.fails["understand"] = ModelUnavailable("down")

    answer = await it.as_(YOU).post(SUBMIT, {"raw_input": DEMAND})

    assert (answer.status, answer.body["understanding"]["confidence"]) == (200, "low")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        pytest.param(ModelUnavailable("sk-1 is down"), 503, "E003", id="unavailable"),
        pytest.param(InvalidAnswer("sk-1 said nonsense"), 503, "E013", id="nonsense"),
        pytest.param(BudgetSpent("sk-1 is spent"), 503, "E014", id="too dear"),
        pytest.param(ModelTimeout("sk-1 after 10 s"), 504, "E004", id="too slow"),
    ],
)
async def test_where_a_model_is_required_its_failure_is_the_caller_s_and_the_demand_is_named(
    begin: Begin, error: ModelError, status: int, code: str
) -> None:
    it = await begin(policy=REQUIRED)
    it.script.fails["understand"] = error
    asked, named = {"raw_input": DEMAND}, {"Idempotency-Key": "order-7"}

    answer = await it.as_(YOU).post(SUBMIT, asked, headers=named)

    assert (answer.status, answer.code) == (status, code)
    assert "another Idempotency-Key" in answer.body["detail"]
    assert "sk-1" not in str(answer.body)
    it.script.fails.clear()
    assert (await it.as_(YOU).post(SUBMIT, asked, headers=named)).body == answer.body
    path = f"/api/v1/demand/{answer.body['demand_id']}"
    for each in (path, f"{path}/status"):
        told = await it.as_(YOU).get(each)
        assert (told.status, told.code) == (200, code)
        assert (told.body["status"], told.body["outcome"]) == ("failed", "model_unavailable")
    assert it.script.asked == ["understand"]
    assert (await it.as_(YOU).post(SUBMIT, asked, headers={"Idempotency-Key": "order-8"})).status == 200


@pytest.mark.parametrize("prompt", ["filter", "aggregate"])
async def test_what_fails_after_it_was_understood_is_told_where_it_is_looked_up(begin: Begin, prompt: str) -> None:
    it = await begin(policy=REQUIRED)
    it.script.fails[prompt] = ModelTimeout("down")
    named = {"Idempotency-Key": "order-7"}

    answers = []
    for _ in range(2):
        answers.append(await it.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}, headers=named))
        await it.runtime.activity.idle()

    assert [each.status for each in answers] == [200, 200]
    assert answers[1].body == answers[0].body | {"status": "failed"}
    told = await it.as_(YOU).get(f"/api/v1/demand/{answers[0].body['demand_id']}/status")
    assert (told.code, told.body["outcome"]) == ("E004", "model_unavailable")


async def test_it_comes_to_a_plan_without_any_slack(begin: Begin) -> None:
    it = await begin(policy=ALONE)

    demand_id = await it.asks()

    status = await it.ends(demand_id)
    assert (status["status"], status["channel_status"], status["outcome"]) == ("completed", "finalized", "consensus")
    told = (await it.as_(YOU).get(f"/api/v1/demand/{demand_id}")).body
    assert told["confirmed_participants"] == ["user_agent_aya", "user_agent_bo"]
    assert told["proposal"]["summary"] == "A first plan"
    assert {each["feedback_type"] for each in told["rounds"][-1]["votes"]} == {"accept"}
    assert told["created_at"] == "2027-01-15T08:00:00.000Z"


async def test_its_own_words_are_told_to_whoever_asked_and_to_nobody_else(harness: ApiHarness) -> None:
    path = f"/api/v1/demand/{await harness.asks('My secret wish: a venue')}"

    assert (await harness.as_(YOU).get(path)).body["raw_input"] == "My secret wish: a venue"
    assert (await harness.as_("admin").get(path)).body["raw_input"] == "My secret wish: a venue"
    for other in ("program", "U_AYA"):
        assert (await harness.as_(other).get(path)).body["raw_input"] is None


async def test_what_somebody_offers_in_words_is_told_to_them_to_whoever_asked_and_to_admins(
    harness: ApiHarness,
) -> None:
    path = f"/api/v1/demand/{await harness.asks()}"
    aya, bo = "user_agent_aya", "user_agent_bo"

    told: dict[str, set[str]] = {}
    for reader in (YOU, "admin", "U_AYA", "program"):
        answers = [(await harness.as_(reader).get(f"{path}{each}")).body for each in ("", "?shape=seed")]
        whole, seed = ({each["agent_id"] for each in body["offers"] if each["contribution"]} for body in answers)
        sure = {each["agent_id"] for each in answers[0]["offers"] if each["confidence"] is not None}
        assert whole == seed == sure
        assert len(answers[0]["offers"]) == 2
        told[reader] = whole

    assert told == {YOU: {aya, bo}, "admin": {aya, bo}, "U_AYA": {aya}, "program": set()}


async def test_how_a_round_was_counted_is_told(begin: Begin) -> None:
    it = await begin(policy=ALONE)

    told = (await it.as_("program").get(f"/api/v1/demand/{await it.asks()}")).body

    assert told["total_candidates"] == 2
    assert told["rounds"][0]["tally"] == {
        "accepts": 2, "negotiates": 0, "rejects": 0, "withdraws": 0, "abstains": 0, "silent": 0,
    }  # fmt: skip


async def test_in_the_seeds_shape_a_demand_is_the_seeds_field_for_field(harness: ApiHarness) -> None:
    path = f"/api/v1/demand/{await harness.asks()}"

    whole = (await harness.as_(YOU).get(path)).body
    seed = (await harness.as_(YOU).get(f"{path}?shape=seed")).body

    assert list(seed["demand"]) == [
        "demand_id", "requester_id", "raw_input", "surface_demand", "deep_understanding", "capability_tags",
        "context", "status", "created_at",
    ]  # fmt: skip
    assert seed["demand"] == {name: whole[name] for name in seed["demand"]}
    assert [each["submitted_at"] for each in seed["offers"]] == [each["submitted_at"] for each in whole["offers"]]
    assert (await harness.as_(YOU).get(f"{path}?shape=public")).body == whole
    assert (await harness.as_(YOU).get(f"{path}?shape=other")).status == 400


async def test_nobody_who_could_help_is_no_error_of_http(harness: ApiHarness) -> None:
    harness.script.says["filter"] = Shortlist(definitely_related=())

    demand_id = await harness.asks()
    assert await harness.time_passes(), "who asked is given a while to say who could help"

    answer = await harness.as_(YOU).get(f"/api/v1/demand/{demand_id}/status")
    assert (answer.status, answer.code) == (200, "E005")
    assert (answer.body["status"], answer.body["outcome"]) == ("failed", "no_candidates")


async def test_a_demand_sent_twice_with_one_key_is_asked_once(harness: ApiHarness, store: Store) -> None:
    asked, named = {"raw_input": DEMAND}, {"Idempotency-Key": "order-7"}

    answers = await asyncio.gather(*(harness.as_(YOU).post(SUBMIT, asked, headers=named) for _ in range(5)))

    assert {each.body["demand_id"] for each in answers} == {answers[0].body["demand_id"]}
    assert {each.status for each in answers} == {200}
    await harness.runtime.activity.idle()
    assert harness.script.asked.count("understand") == 1
    assert (await store.counts())["streams"] == 2  # and the directory


async def test_one_key_does_not_name_two_demands(harness: ApiHarness) -> None:
    named = {"Idempotency-Key": "order-7"}
    await harness.as_(YOU).post(SUBMIT, {"raw_input": DEMAND}, headers=named)
    await harness.runtime.activity.idle()
    before = await harness.counts()

    answer = await harness.as_(YOU).post(SUBMIT, {"raw_input": "Something else"}, headers=named)

    assert (answer.status, answer.code) == (409, "E010")
    assert await harness.counts() == before


async def test_the_same_key_of_two_tokens_names_two_demands(harness: ApiHarness) -> None:
    named = {"Idempotency-Key": "order-7"}

    answers = [await harness.as_(each).post(SUBMIT, {"raw_input": DEMAND}, headers=named) for each in (YOU, EVE)]

    assert len({each.body["demand_id"] for each in answers}) == 2


@pytest.mark.parametrize(
    ("name", "body", "code"),
    [
        pytest.param(YOU, {"raw_input": DEMAND, "user_id": EVE}, "E012", id="somebody else's name"),
        pytest.param("program", {"raw_input": DEMAND}, "E001", id="nobody's name"),
        pytest.param("program", {"raw_input": DEMAND, "user_id": "U_X@T_OTHER"}, "E001", id="somebody from outside"),
        pytest.param(YOU, {"raw_input": "🎉 !!! 50"}, "E001", id="no words"),
        pytest.param(YOU, {"raw_input": "x" * 4_001}, "E001", id="too long"),
        pytest.param(YOU, {"raw_input": "\ud800 half a letter"}, "E001", id="no text"),
        pytest.param(YOU, {"raw_input": ["a list"]}, "E001", id="a list"),
        pytest.param(YOU, {}, "E001", id="nothing"),
        pytest.param(YOU, {"raw_input": DEMAND, "as_admin": True}, "E001", id="a field of no meaning"),
        pytest.param(
            "program", {"raw_input": DEMAND, "user_id": "ann", "slack_channel": "C1"}, "E012", id="nobody of Slack"
        ),
        pytest.param(YOU, {"raw_input": DEMAND, "slack_channel": "D_YOU"}, "E001", id="direct messages"),
    ],
)  # fmt: skip
async def test_what_cannot_be_asked_is_refused_and_nothing_has_begun(
    harness: ApiHarness, name: str, body: dict[str, Any], code: str
) -> None:
    before = await harness.counts()

    answer = await harness.as_(name).post(SUBMIT, body)

    assert answer.code == code, answer
    after = await harness.counts()
    assert after["streams"] - before["streams"] <= 1  # the directory, which is filled when it is first looked into
    assert harness.script.asked == []


async def test_where_as_much_is_open_as_may_be_a_program_is_told_when_to_come_back(begin: Begin) -> None:
    it = await begin(most_open=1, held=["filter"])
    await it.as_("program").post(SUBMIT, {"raw_input": DEMAND, "user_id": "user_alice"})

    answer = await it.as_("program").post(SUBMIT, {"raw_input": DEMAND, "user_id": "user_bob"})

    assert (answer.status, answer.body["error_code"]) == (429, "E015")
    assert answer.headers["Retry-After"] == "600"
    it.script.held["filter"].set()
