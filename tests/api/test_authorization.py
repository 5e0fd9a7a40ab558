"""Who may call what: every route with every kind of token, and for which user a token acts."""

import json
from typing import Any

import pytest

from bot.api.route import Route
from bot.api.routes import OPEN
from bot.api.tokens import Scope

from .api_harness import AYA, BO, DEMAND, EVE, PATIENT, ROUTES, YOU, ApiHarness, token
from .conftest import Begin

TOKENS = (*(token(scope, scope, user=YOU if scope is Scope.VOTE else "") for scope in Scope),)
FILLED = {
    "{demand_id}": "d-zzzzzzzz",
    "{session_id}": "plan-zzzzzzzz",
    "{agent_id}": "user_agent_nobody",
    "{ticket_id}": "T-1",
    "{number}": "1",
}


def path_of(route: Route) -> str:
    path = route.path
    for name, value in FILLED.items():
        path = path.replace(name, value)
    return path


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.handler.__name__)
async def test_each_route_takes_a_token_with_its_scope_and_no_other(begin: Begin, route: Route) -> None:
    it = await begin(tokens=TOKENS)
    before = await it.counts()
    body: dict[str, Any] | None = {} if route.body else None

    for scope in Scope:
        answer = await it.as_(scope).calls(route.method, path_of(route), body)
        is_let_in = (answer.status, answer.code) != (403, "E012")
        assert is_let_in == (scope is route.scope), answer
        if not is_let_in:
            assert route.scope in answer.body["detail"]
    after = await it.counts()
    assert after["events"] - before["events"] in (0, 2)  # the two profiles, when somebody first looks for them


@pytest.mark.parametrize(
    ("authorization", "challenge"),
    [
        pytest.param(None, 'Bearer realm="towow"', id="nothing"),
        pytest.param("", 'Bearer realm="towow"', id="an empty header"),
        pytest.param("Basic dXNlcjpwYXNz", 'Bearer realm="towow"', id="another scheme"),
        pytest.param("Bearer", 'Bearer realm="towow"', id="no token"),
        pytest.param("Bearer secret-of-nobody", 'Bearer realm="towow", error="invalid_token"', id="a wrong token"),
        pytest.param("Bearer sécret", 'Bearer realm="towow", error="invalid_token"', id="a token that is no token"),
    ],
)
async def test_without_a_token_of_ours_nobody_gets_in(
    harness: ApiHarness, authorization: str | None, challenge: str
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}

    for route in ROUTES:
        answer = await harness.as_("").calls(route.method, path_of(route), headers=headers)
        assert (answer.status, answer.code, answer.headers["WWW-Authenticate"]) == (401, None, challenge)


async def test_health_and_the_document_are_for_everybody(harness: ApiHarness) -> None:
    for path in (*(each.path for each in OPEN), "/api/v1/openapi.json"):
        assert (await harness.as_("").get(path)).status == 200


async def test_somebody_s_token_reads_what_that_person_is_part_of_and_nothing_else(harness: ApiHarness) -> None:
    demand_id = await harness.asks()
    paths = [f"/api/v1/demand/{demand_id}", f"/api/v1/demand/{demand_id}/status"]

    for name in (YOU, AYA, BO, "program", "admin"):
        assert [(await harness.as_(name).get(path)).status for path in paths] == [200, 200]
        recent = (await harness.as_(name).get("/api/v1/events/recent")).body
        assert recent["count"] > 0
        async with harness.as_(name).stream(demand_id) as events:
            assert await events.take(1)
    for path in (*paths, f"/api/v1/events/negotiations/{demand_id}/stream"):
        answer = await harness.as_(EVE).get(path)
        assert (answer.status, answer.code) == (404, "E002")  # as if there were none
    assert (await harness.as_(EVE).get("/api/v1/events/recent")).body == {"count": 0, "events": []}


async def opened(harness: ApiHarness) -> tuple[str, dict[str, Any]]:
    """A demand in whose first round people may vote, and a vote for aya's seat."""
    demand_id = await harness.asks()
    told = (await harness.as_(YOU).get(f"/api/v1/demand/{demand_id}")).body
    assert told["rounds"][-1]["is_open"]
    vote = {"agent_id": "user_agent_aya", "round": 1, "digest": told["proposal"]["digest"]}
    return f"/api/v1/demand/{demand_id}/actions/vote.accept", vote


@pytest.mark.parametrize("name", [YOU, BO, EVE])
async def test_nobody_votes_for_a_seat_of_somebody_else(harness: ApiHarness, name: str) -> None:
    path, vote = await opened(harness)
    before = (await harness.counts())["events"]

    answer = await harness.as_(name).post(path, vote)

    assert (answer.status, answer.code) == (403, "E012")
    assert (await harness.counts())["events"] == before


async def test_the_linked_person_votes_once_however_often_it_is_sent(harness: ApiHarness) -> None:
    path, vote = await opened(harness)
    path, said = path.replace("accept", "negotiate"), {**vote, "text": "45 minutes"}

    first = await harness.as_(AYA).post(path, said, headers={"Idempotency-Key": "1"})
    again = [await harness.as_(AYA).post(path, said, headers={"Idempotency-Key": key}) for key in ("1", "2")]

    assert (first.status, first.code) == (200, None)
    assert [(each.status, each.code) for each in again] == [(200, "E011")] * 2
    told = (await harness.as_(YOU).get(path.partition("/actions/")[0])).body
    [seat] = [each for each in told["rounds"][-1]["votes"] if each["agent_id"] == vote["agent_id"]]
    assert (seat["feedback_type"], seat["source"]) == ("negotiate", "human")


@pytest.mark.parametrize(("policy", "status", "code"), [("balanced", 200, None), ("t05-v4", 409, "E010")])
async def test_abstaining_needs_no_words_and_the_policy_that_takes_it(
    begin: Begin, policy: str, status: int, code: str | None
) -> None:
    it = await begin(policy=PATIENT.model_copy(update={"name": policy}))
    path, vote = await opened(it)

    answer = await it.as_(AYA).post(path.replace("accept", "abstain"), vote)

    assert (answer.status, answer.code) == (status, code)


async def test_whoever_asked_votes_for_a_twin_that_is_linked_to_nobody(begin: Begin) -> None:
    it = await begin(linked=("aya",), alone=("cem",))
    path, vote = await opened(it)

    answer = await it.as_(YOU).post(path, {**vote, "agent_id": "user_agent_cem"})

    assert (answer.status, answer.code) == (200, None)


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        pytest.param({"round": 2}, 409, "E010", id="another round"),
        pytest.param({"round": "1"}, 400, "E001", id="a round in letters"),
        pytest.param({"round": True}, 400, "E001", id="a round that is no number"),
        pytest.param({"digest": "old"}, 409, "E010", id="another version"),
        pytest.param({"agent_id": "user_agent_eve"}, 404, "E008", id="nobody's seat"),
        pytest.param({"feedback_type": "withdraw"}, 400, "E001", id="a field that the action decides"),
        pytest.param({"by": EVE}, 400, "E001", id="in somebody's name"),
    ],
)
async def test_a_vote_that_cannot_be_is_refused_and_changes_nothing(
    harness: ApiHarness, changed: dict[str, Any], status: int, code: str
) -> None:
    path, vote = await opened(harness)
    before = (await harness.counts())["events"]

    answer = await harness.as_(AYA).post(path, vote | changed)

    assert (answer.status, answer.code) == (status, code)
    assert (await harness.counts())["events"] == before


@pytest.mark.parametrize(("kind", "status"), [("withdraw", 400), ("maybe", 404)])
async def test_a_vote_without_its_reason_and_no_vote_at_all_are_refused(
    harness: ApiHarness, kind: str, status: int
) -> None:
    path, vote = await opened(harness)

    assert (await harness.as_(AYA).post(path.replace("accept", kind), vote)).status == status


async def test_a_round_may_be_written_as_programs_write_numbers(harness: ApiHarness) -> None:
    path, vote = await opened(harness)

    assert (await harness.as_(AYA).post(path, vote | {"round": 1.0})).status == 200


async def test_a_refused_vote_is_refused_again_in_the_same_words(harness: ApiHarness) -> None:
    path, vote = await opened(harness)
    named = {"Idempotency-Key": "mine"}

    answers = [await harness.as_(EVE).post(path, vote, headers=named) for _ in range(2)]

    assert answers[0].body == answers[1].body


async def test_no_secret_is_kept_or_shown(harness: ApiHarness) -> None:
    context = harness.server.context
    assert "secret-of" not in json.dumps([repr(token("x")), repr(vars(context))])
    await harness.as_(YOU).post("/api/v1/demand/submit", {"raw_input": DEMAND}, headers={"Idempotency-Key": "k"})
    assert "secret-of" not in (await harness.as_("admin").get("/metrics")).body
