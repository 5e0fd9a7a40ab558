"""Deliberations over HTTP: begin one, follow it, take part in it, and take its plan away."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from bot.api.deliberation import part
from bot.api.tokens import Scope
from engine.deliberation.envelopes.session import DONE, parse_line
from engine.deliberation.events import EVENTS
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import StreamKey
from engine.llm.ledger import KIND, Call, Outcome

from .api_harness import AYA, BO, EVE, HERE, NOON, YOU, ApiHarness, token
from .conftest import Begin

ALL: Final = "/api/v1/deliberations"
GOAL: Final = "Plan an AI evening for 50 people in Berlin by 2027-03-20"
FACTS: Final = ("The hall closes at 22:00.", "The budget is 2000 EUR.")
ASKED: Final = {"message": GOAL, "mode": "multi_agent", "userId": YOU, "conversationId": "conv_456"}
"""As seed 001, section 6.1, has it."""
EVENTS_WANTED: Final = {"Accept": "text/event-stream"}
SECRET: Final = "platypus"


async def begun(it: ApiHarness, *, by: str = YOU, **more: Any) -> str:
    """Begin one, wait until nothing more happens by itself or the model is held back, and return its path."""
    answer = await it.as_(by).post(ALL, ASKED | more)
    assert answer.status == 202, answer
    async with asyncio.timeout(60):
        await (it.script.thinking.wait() if it.script.held else it.runtime.activity.idle())
    return f"{ALL}/{answer.body['session_id']}"


async def stands(it: ApiHarness, session_id: str) -> Deliberation:
    return await it.server.context.gateway.read(StreamKey(HERE, session_id), RULEBOOK)


async def ended(it: ApiHarness, path: str) -> dict[str, Any]:
    """Let time pass until it is over."""
    while (told := (await it.as_("admin").get(path)).body)["status"] == "in_progress":
        assert await it.time_passes()
    found: dict[str, Any] = told
    return found


async def lines(it: ApiHarness, path: str, *, by: str = YOU, last: str = "", method: str = "GET", **sent: Any) -> str:
    """Return all that a stream sends until it ends."""
    headers = {**it.as_(by).authorization, **({"Last-Event-ID": last} if last else {}), **EVENTS_WANTED}
    async with (
        asyncio.timeout(60),
        it.session.request(method, it.server.url + path, headers=headers, **sent) as response,
    ):
        assert (response.status, response.content_type) == (200, "text/event-stream"), await response.text()
        return await response.text()


def data(said: str) -> list[str]:
    return [each for each in said.splitlines() if each.startswith("data: ")]


def ids(said: str) -> list[str]:
    return [each.removeprefix("id: ") for each in said.splitlines() if each.startswith("id: ")]


# ── beginning ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_seed_s_request_begins_a_session_that_comes_to_a_plan(harness: ApiHarness) -> None:
    answer = await harness.as_(YOU).post(ALL, ASKED)

    assert answer.status == 202
    assert (answer.body["status"], answer.body["mode"], answer.body["current_round"]) == (
        "in_progress", "multi_agent", 1,
    )  # fmt: skip
    await harness.runtime.activity.idle()
    told = await ended(harness, f"{ALL}/{answer.body['session_id']}")
    assert told["status"] == "converged"
    report = told["agents"]["reporter"]["last_output"]
    assert report["metadata"]["final_plan"]["plan"]["phases"]
    state = await stands(harness, told["session_id"])
    assert (state.requester_id, state.conversation_id) == (YOU, "conv_456")


async def test_what_is_known_of_it_is_taken_as_it_is_given(harness: ApiHarness) -> None:
    said = {"text": "I cannot before 18:00", "by": AYA, "kind": "limit"}
    path = await begun(harness, facts=[*FACTS, said], options=["Hall A", "Hall B"], start="sequential", max_rounds=2)

    state = await stands(harness, path.rpartition("/")[2])
    assert [(each.fact_id, each.by, each.text) for each in state.brief.facts] == [
        ("fact-1", "", FACTS[0]), ("fact-2", "", FACTS[1]), ("fact-3", AYA, said["text"]),
    ]  # fmt: skip
    assert state.brief.facts[2].kind == "limit"
    assert state.brief.options == ("Hall A", "Hall B")
    assert (state.policy.start, state.policy.max_rounds) == ("sequential", 2)


async def test_where_events_are_wanted_the_answer_is_the_stream_until_it_is_done(harness: ApiHarness) -> None:
    said = await lines(harness, ALL, method="POST", json=ASKED)

    *told, last = [parse_line(each) for each in data(said)]
    assert last == DONE
    kinds = [each.type for each in told if not isinstance(each, str)]
    assert kinds[:2] == ["agent_output", "agent_output"]
    assert "host_decision" in kinds
    assert kinds[-1] == "final_report"


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        pytest.param({"message": " \n"}, 400, "E001", id="no words"),
        pytest.param({"message": "x" * 4_001}, 400, "E001", id="too long"),
        pytest.param({"message": 7}, 400, "E001", id="no text"),
        pytest.param({"mode": "single_agent"}, 400, "E001", id="another mode"),
        pytest.param({"user_id": YOU}, 400, "E001", id="a field of another name"),
        pytest.param({"userId": "@x"}, 400, "E001", id="no user"),
        pytest.param({"userId": BO}, 403, "E012", id="in somebody's name"),
        pytest.param({"facts": [""]}, 400, "E001", id="an empty fact"),
        pytest.param({"facts": ["x"] * 81}, 400, "E001", id="too many facts"),
        pytest.param({"facts": [{"text": "x", "kind": "rumour"}]}, 400, "E001", id="no kind of fact"),
        pytest.param({"options": ["A"]}, 400, "E001", id="one option"),
        pytest.param({"max_rounds": 6}, 400, "E001", id="six rounds"),
        pytest.param({"max_rounds": True}, 400, "E001", id="rounds that are no number"),
        pytest.param({"start": "random"}, 400, "E001", id="no way to start"),
        pytest.param({"origin": "collab-aaaabbbb"}, 400, "E001", id="an origin, and a message"),
        pytest.param({"message": "", "origin": "collab-zzzzzzzz"}, 404, "E007", id="an origin that is none"),
        pytest.param({"message": "", "origin": "no name\n"}, 404, "E007", id="an origin with no name"),
    ],
)
async def test_what_cannot_be_planned_is_refused_and_changes_nothing(
    harness: ApiHarness, changed: dict[str, Any], status: int, code: str
) -> None:
    before = await harness.counts()

    answer = await harness.as_(YOU).post(ALL, ASKED | changed)

    assert (answer.status, answer.code) == (status, code), answer
    assert await harness.counts() == before


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"message": "\\ud800"}'])
async def test_a_body_that_is_none_is_refused(harness: ApiHarness, body: bytes) -> None:
    path = await begun(harness)
    headers = {"Content-Type": "application/json"}
    for place in (ALL, *(f"{path}/{each}" for each in ("stop", "points", "questions", "choice"))):
        answer = await harness.as_(YOU).calls("POST", place, headers=headers, data=body)
        assert (answer.status, answer.code) == (400, "E001"), (place, answer)


async def test_the_same_key_begins_one_and_with_another_goal_nothing(harness: ApiHarness) -> None:
    key = {"Idempotency-Key": "k"}
    first, again, other = [
        await harness.as_(YOU).post(ALL, ASKED | {"message": said}, headers=key) for said in (GOAL, GOAL, "A trip")
    ]

    assert first.body["session_id"] == again.body["session_id"]
    assert (other.status, other.code) == (409, "E010")


async def test_a_program_s_token_asks_for_whoever_it_names(harness: ApiHarness) -> None:
    asked = {name: said for name, said in ASKED.items() if name != "userId"}
    nobody = await harness.as_("program").post(ALL, asked)
    assert (nobody.status, nobody.code) == (400, "E001")

    said = await lines(harness, ALL, by="program", method="POST", json=ASKED)

    assert GOAL in said, "what it has asked for itself it is told"


# ── streams ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_stream_can_be_resumed_after_any_of_its_lines(harness: ApiHarness) -> None:
    path = await begun(harness, facts=list(FACTS))
    await ended(harness, path)
    whole = await lines(harness, f"{path}/stream")
    assert len(ids(whole)) > 4

    for place, each in enumerate(ids(whole), 1):
        rest = await lines(harness, f"{path}/stream", last=each)
        assert ids(rest) == ids(whole)[place:]
        assert data(rest) == data(whole)[place:]
    assert data(await lines(harness, f"{path}/stream", last=ids(whole)[-1])) == ["data: [DONE]"]


async def test_a_stream_that_goes_on_tells_what_happens_and_then_ends(begin: Begin) -> None:
    it = await begin(held=("report",))
    path = await begun(it)
    headers = it.as_(YOU).authorization
    async with it.session.get(f"{it.server.url}{path}/stream", headers=headers) as response:
        told: list[str] = []
        async for line in response.content:
            said = line.decode().rstrip("\n")
            told += [said] if said.startswith("data: ") else []
            if '"host_decision"' in said and '"converge"' in said:
                it.script.held["report"].set()

    assert '"final_report"' in told[-2]
    assert told[-1] == "data: [DONE]"


async def test_the_raw_events_are_those_of_the_stream(harness: ApiHarness) -> None:
    path = await begun(harness)
    await ended(harness, path)
    session_id = path.rpartition("/")[2]
    stored = await harness.store.load(StreamKey(HERE, session_id))
    assert stored is not None
    headers = harness.as_(YOU).authorization
    found: list[dict[str, Any]] = []
    url = f"{harness.server.url}/api/v1/events/deliberations/{session_id}/stream"
    async with harness.session.get(url, headers=headers) as response:
        async for line in response.content:
            if line.startswith(b"data: "):
                found.append(json.loads(line.removeprefix(b"data: ")))
            if len(found) == len(stored.events):
                break

    assert [each["event_type"] for each in found] == [each.event_type for each in stored.events]
    assert {each["event_type"] for each in found} <= EVENTS.keys()
    assert found[0]["payload"]["brief"]["goal"] == GOAL


# ── who reads what ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_those_who_take_part_read_texts_programs_numbers_and_others_nothing(harness: ApiHarness) -> None:
    path = await begun(harness, message=f"Plan a visit to the {SECRET} by 2027-03-20", facts=[f"The {SECRET} sleeps"])
    await ended(harness, path)
    session_id = path.rpartition("/")[2]
    reads = ["", *(f"/{each}" for each in ("messages", "decision", "points", "questions"))]
    exports = [f"/export?format={each}" for each in ("markdown", "json", "ics")]

    for name in (YOU, "admin"):
        said = json.dumps([(await harness.as_(name).get(path + each)).body for each in (*reads, *exports)])
        assert SECRET in said
    for each in (*reads, *exports):
        answer = await harness.as_("program").get(path + each)
        assert answer.status == 200
        assert SECRET not in str(answer.body), each
    assert SECRET not in await lines(harness, f"{path}/stream", by="program")
    assert SECRET in await lines(harness, f"{path}/stream")
    told = (await harness.as_("program").get(path)).body
    assert (told["status"], told["user_query"]) == ("converged", "")
    assert told["consensus_trend"]

    for each in (*reads, *exports, "/stream"):
        answer = await harness.as_(EVE).get(path + each)
        assert (answer.status, answer.code) == (404, "E007"), each
    answer = await harness.as_(EVE).get(f"/api/v1/events/deliberations/{session_id}/stream")
    assert answer.status == 404
    assert (await harness.as_(EVE).get("/api/v1/events/recent")).body["events"] == []


async def test_what_is_no_deliberation_is_not_found(harness: ApiHarness) -> None:
    demand_id = await harness.asks()
    channel = demand_id.replace("d-", "collab-")
    for name in (channel, "plan-zzzzzzzz", "directory", "%0a", "x" * 400):
        answer = await harness.as_("admin").get(f"{ALL}/{name}")
        assert (answer.status, answer.code) == (404, "E007"), name
        assert "negotiation" not in answer.body["detail"]


# ── what people do ────────────────────────────────────────────────────────────────────────────────────────────────


async def held(begin: Begin, *prompts: str) -> ApiHarness:
    return await begin(held=prompts)


async def test_whoever_asked_stops_it_in_the_middle_and_gets_a_report(begin: Begin) -> None:
    it = await held(begin, "draft")
    path = await begun(it, facts=list(FACTS))

    refused = await it.as_(BO).post(f"{path}/stop", {})
    assert (refused.status, refused.code) == (403, "E012")
    answer = await it.as_(YOU).post(f"{path}/stop", {})

    assert answer.status == 200
    told = await ended(it, path)
    assert (told["status"], told["reason"]) == ("terminated", "user_stop")
    assert told["agents"]["host"]["last_output"]["metadata"]["decision"]["action"] == "terminate"
    assert told["agents"]["reporter"]["last_output"]["content"]


async def test_an_objection_is_answered_by_both(begin: Begin) -> None:
    it = await held(begin, "draft")
    path = await begun(it)

    other = await it.as_("admin").post(f"{path}/points", {"text": "No lift?"})
    assert (other.status, other.code) == (403, "E012")
    taken = [
        await it.as_(YOU).post(f"{path}/points", {"text": "There is no lift."}, headers={"Idempotency-Key": "p"})
        for _ in range(2)
    ]

    assert [each.body for each in taken] == [taken[0].body] * 2
    [point] = taken[0].body["points"]
    assert (point["by"], point["text"], point["planner"]) == (YOU, "There is no lift.", None)
    it.script.held["draft"].set()
    await it.runtime.activity.idle()
    await ended(it, path)
    [point] = (await it.as_(YOU).get(f"{path}/points")).body["points"]
    assert point["planner"]
    assert point["critic"]
    late = await it.as_(YOU).post(f"{path}/points", {"text": "And no stairs."})
    assert (late.status, len(late.body["points"])) == (200, 2)
    again = (await it.as_(YOU).get(path)).body
    assert (again["status"], again["current_round"] > 1) == ("in_progress", True)


async def test_the_critic_replies_to_a_question(harness: ApiHarness) -> None:
    path = await begun(harness)
    await ended(harness, path)

    asked = await harness.as_(YOU).post(f"{path}/questions", {"text": "What if it rains?"})

    assert asked.status == 200
    assert asked.body["questions"][0]["reply"] is None
    await harness.runtime.activity.idle()
    [question] = (await harness.as_(YOU).get(f"{path}/questions")).body["questions"]
    assert question["reply"]


WRITTEN: Final[Mapping[str, dict[str, Any]]] = {
    "stop": {},
    "choice": {"chosen": "critic", "why": "It is cheaper."},
    "points": {"text": "There is no lift."},
    "questions": {"text": "What if it rains?", "reopens": True},
}


def test_what_may_be_written_into_a_deliberation_is_known() -> None:
    routes = [each.path for each in part.ROUTES if each.method == "POST" and "{session_id}" in each.path]
    assert {each.rpartition("/")[2] for each in routes} == {*WRITTEN}


@pytest.mark.parametrize("act", WRITTEN)
async def test_who_may_not_read_a_deliberation_writes_nothing_into_it(harness: ApiHarness, act: str) -> None:
    path = await begun(harness)
    await ended(harness, path)
    before = await harness.counts()
    refused = await harness.as_(EVE).post(f"{path}/{act}", WRITTEN[act])
    assert refused.status in (403, 404)
    await harness.runtime.activity.idle()
    assert await harness.counts() == before  # no model was asked either


@pytest.mark.parametrize("reopens", [0, 1, "yes", None])
async def test_whether_a_question_reopens_the_plan_is_said_by_true_or_false_alone(
    harness: ApiHarness, reopens: object
) -> None:
    path = await begun(harness)
    await ended(harness, path)
    asked = await harness.as_(YOU).post(f"{path}/questions", {"text": "What if it rains?", "reopens": reopens})
    assert asked.status == 400


async def test_whoever_asked_chooses_between_positions_that_differ(begin: Begin) -> None:
    it = await held(begin, "revise")
    facts = [*FACTS, "Ann can give a talk after 18:00.", "Bo can bring food for 40 people only."]
    path = await begun(it, facts=facts)
    chosen = {"chosen": "critic", "why": "Nobody shall go hungry."}

    for name, changed, status in ((BO, {}, 403), (YOU, {"userId": BO}, 403), (YOU, {"round": 2}, 200), (YOU, {}, 409)):
        assert (await it.as_(name).post(f"{path}/choice", chosen | changed)).status == status

    told = await ended(it, path)
    assert (told["status"], told["reason"]) == ("converged", "user_decided")
    decision = (await it.as_(YOU).get(f"{path}/decision")).body
    assert (decision["by"], decision["decided_by"]) == ("requester", YOU)


async def test_a_choice_where_there_is_none_is_refused(harness: ApiHarness) -> None:
    path = await begun(harness)
    await ended(harness, path)

    answer = await harness.as_(YOU).post(f"{path}/choice", {"chosen": "critic", "why": "It is safer."})

    assert (answer.status, answer.code) == (409, "E010")
    reporter = await harness.as_(YOU).post(f"{path}/choice", {"chosen": "reporter"})
    assert (reporter.status, reporter.code) == (400, "E001")


# ── what it leaves ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_plan_is_exported_once_there_is_a_report(begin: Begin) -> None:
    it = await held(begin, "report")
    path = await begun(it)
    early = await it.as_(YOU).get(f"{path}/export")
    assert (early.status, early.code) == (409, "E010")

    it.script.held["report"].set()
    await it.runtime.activity.idle()
    await ended(it, path)
    markdown, as_json, ics = [
        await it.as_(YOU).get(f"{path}/export?format={each}") for each in ("markdown", "json", "ics")
    ]
    assert markdown.body.startswith("# ")
    assert as_json.body["schema_version"] == 1
    assert ics.body.startswith("BEGIN:VCALENDAR")
    assert ics.headers["Content-Disposition"].endswith('.ics"')
    assert (await it.as_(YOU).get(f"{path}/export?format=pdf")).status == 400


async def test_the_decision_s_cost_is_that_of_its_own_calls(harness: ApiHarness) -> None:
    path = await begun(harness)
    await ended(harness, path)
    assert (await harness.as_(YOU).get(f"{path}/decision")).body["cost"] is None

    session_id = path.rpartition("/")[2]
    for stream, tokens in ((session_id, 10), (session_id, 20), ("plan-other000", 400)):
        call = Call(
            at=NOON, tenant=HERE, stream=stream, prompt="deliberation/plan", content_hash="", model="m", attempt=1,
            outcome=Outcome.ANSWERED, latency_ms=5, input_tokens=tokens, output_tokens=1, cost_usd=0.25,
        )  # fmt: skip
        key = f"{NOON:013d}-{tokens:08d}"
        await harness.store.put_records(HERE, KIND, {key: call.model_dump_json()})

    found = (await harness.as_(YOU).get(f"{path}/decision")).body
    assert found["cost"] == {"model_calls": 2, "input_tokens": 30, "output_tokens": 2, "cost_usd": 0.5}
    assert found["by"] == "agents"


# ── of what a negotiation has agreed on ───────────────────────────────────────────────────────────────────────────


async def agreed(it: ApiHarness) -> str:
    """A negotiation that everybody has agreed to; its channel's id."""
    demand_id = await it.asks()
    assert (await it.ends(demand_id))["status"] == "completed"
    channel: str = (await it.as_("admin").get(f"/api/v1/demand/{demand_id}")).body["channel_id"]
    return channel


async def test_whoever_asked_has_the_agreed_plan_argued_out_once(harness: ApiHarness) -> None:
    channel = await agreed(harness)
    origin = {"origin": channel}

    for name, status in ((EVE, 404), (AYA, 403), (YOU, 202), (YOU, 202), (AYA, 403)):
        assert (await harness.as_(name).post(ALL, origin)).status == status, name
    await harness.runtime.activity.idle()
    path = f"{ALL}/plan-{channel}"
    told = await ended(harness, path)

    state = await stands(harness, told["session_id"])
    assert state.brief.origin == channel
    assert {each.user_id for each in state.brief.people} >= {AYA, BO}
    for name in (AYA, BO):
        assert (await harness.as_(name).get(path)).body["user_query"], "they take part"
    assert (await harness.as_(EVE).get(path)).status == 404


async def test_a_program_that_has_a_plan_argued_out_is_not_told_what_people_said(harness: ApiHarness) -> None:
    channel = await agreed(harness)

    answer = await harness.as_("program").post(ALL, {"origin": channel, "userId": YOU})

    assert (answer.status, answer.body["user_query"]) == (202, "")


async def test_an_admin_has_it_argued_out_for_whoever_asked(begin: Begin) -> None:
    it = await begin(tokens=[token("admin", *Scope), token(YOU, *(Scope.SUBMIT, Scope.READ, Scope.VOTE), user=YOU)])
    channel = await agreed(it)

    answer = await it.as_("admin").post(ALL, {"origin": channel})

    assert answer.status == 202
    state = await stands(it, answer.body["session_id"])
    assert state.requester_id == YOU
