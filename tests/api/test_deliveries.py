"""Deliveries over HTTP: begin one, work on its tickets, decide, and take away what was made."""

import asyncio
from typing import Any, Final

import pytest

from bot.api.delivery import acts
from bot.api.delivery.envelopes import SCOPES
from bot.api.delivery.part import ROUTES
from bot.api.tokens import Scope
from engine.delivery.envelopes.payloads import ClarificationResponse, Review
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.kernel import StreamKey
from engine.workers.envelope_lines import TicketReport
from tests.delivery.envelope_cases import BAD, GOOD

from .api_harness import AYA, BO, EVE, HERE, TOKENS, YOU, Answer, ApiHarness, token
from .conftest import Begin

ALL: Final = "/api/v1/deliveries"
TASKS: Final[list[dict[str, Any]]] = [
    {"task_id": "room", "description": "Book the room", "expected_outputs": [{"label": "Booking"}],
     "assigned_to": {"person_id": YOU}},
    {"task_id": "food", "description": "Order food", "dependencies": ["room"], "assigned_to": {"person_id": YOU}},
]  # fmt: skip
EVIDENCE: Final = {"evidence": [{"label": "Booking", "text": "Booked for 50 people, see the mail of today."}]}
SECRET: Final = "platypus"


async def begun(it: ApiHarness, **more: Any) -> str:
    """Begin one, and return its path."""
    answer = await it.as_(YOU).post(ALL, {"goal": "Hold the meetup in March.", "tasks": TASKS} | more)
    assert answer.status == 202, answer
    await settled(it)
    return f"{ALL}/{answer.body['session_id']}"


async def settled(it: ApiHarness) -> None:
    async with asyncio.timeout(60):
        await it.runtime.activity.idle()


async def posted(it: ApiHarness, path: str, body: Any = None, by: str = YOU, **more: Any) -> Answer:
    answer = await it.as_(by).post(path, body, **more)
    await settled(it)
    return answer


async def stands(it: ApiHarness, path: str) -> Delivery:
    key = StreamKey(HERE, path.rpartition("/")[2])
    return await it.server.context.gateway.read(key, RULEBOOK)


async def ticket(it: ApiHarness, path: str, ticket_id: str = "T-1", by: str = YOU) -> dict[str, Any]:
    told = (await it.as_(by).get(path)).body
    found: dict[str, Any] = next(each for each in told["tickets"] if each["ticket_id"] == ticket_id)
    return found


async def test_a_plan_is_carried_out_and_what_was_made_is_taken_away(harness: ApiHarness) -> None:
    path = await begun(harness)
    assert (await ticket(harness, path))["status"] == "in_progress"
    assert (await ticket(harness, path, "T-2"))["waits_for"] == ["T-1"]

    assert (await posted(harness, f"{path}/tickets/T-1/start")).status == 200
    assert (await posted(harness, f"{path}/tickets/T-1/result", EVIDENCE)).status == 200
    found = await ticket(harness, path)
    assert found["status"] in ("awaiting_review", "done"), found
    (made,) = found["artifacts"]
    answer = await harness.as_(YOU).get(f"{path}/tickets/T-1/artifacts/{made['number']}")
    assert (answer.status, answer.body) == (200, EVIDENCE["evidence"][0]["text"])
    assert "attachment" in answer.headers["Content-Disposition"]


async def test_the_requester_overrules_and_the_whole_ends(harness: ApiHarness) -> None:
    path = await begun(harness, tasks=TASKS[:1])
    await posted(harness, f"{path}/tickets/T-1/result", EVIDENCE)
    if (await ticket(harness, path))["status"] != "done":
        assert (await posted(harness, f"{path}/tickets/T-1/review", {"decision": "approved"})).status == 200
    told = (await harness.as_(YOU).get(path)).body
    assert (told["status"], told["reason"]) == ("completed", "all_done")
    assert told["report"]["summary"]


async def test_what_changes_the_plan_is_the_requesters(harness: ApiHarness) -> None:
    path = await begun(harness)
    added = await posted(harness, f"{path}/tickets", {"title": "Print badges", "depends_on": ["T-1"]})
    assert [each["ticket_id"] for each in added.body["tickets"]] == ["T-1", "T-2", "T-3"]
    assert (await ticket(harness, path, "T-3"))["needs"] == "owner"
    assert (await posted(harness, f"{path}/tickets/T-3/owner", {"owner_user_id": BO})).status == 200
    assert (await posted(harness, f"{path}/tickets/T-3/drop", {"why": "no badges"})).status == 200
    assert (await posted(harness, f"{path}/budget", {"usd": 5})).status == 200
    for act, body in {"stop": {}, "tickets": {"title": "x"}, "tickets/T-1/drop": {}}.items():
        refused = await posted(harness, f"{path}/{act}", body, by=AYA)
        assert (refused.status, refused.code) == (403, "E012"), refused
    assert (await posted(harness, f"{path}/stop", {})).body["status"] in ("reporting", "incomplete")


async def test_a_ticket_says_how_risky_it_is_and_who_approves_it(harness: ApiHarness) -> None:
    risky = {"risk": "high", "risk_reason": "It is public", "checked_by": AYA}
    path = await begun(harness, tasks=[TASKS[0] | risky])
    found = await ticket(harness, path)
    assert {name: found[name] for name in risky} == risky
    assert found["status"] == "discussing"
    calm = {"risk": "low", "checked_by": BO}
    assert (await posted(harness, f"{path}/tickets/T-1/checking", calm, by=AYA)).code == "E012"
    assert (await posted(harness, f"{path}/tickets/T-1/checking", calm)).status == 200
    found = await ticket(harness, path)
    assert [found[name] for name in risky] == ["low", "", BO]


@pytest.mark.parametrize(
    ("named", "status"),
    [
        pytest.param(AYA, 202, id="a colleague whom the goal does not name"),
        pytest.param("user_agent_aya", 400, id="no user's id"),
        pytest.param("U_NOPE", 503, id="of whom only Slack could say who it is, which is not there"),
    ],
)
async def test_whom_a_task_names_to_approve_it_is_kept_or_refused(harness: ApiHarness, named: str, status: int) -> None:
    answer = await posted(harness, ALL, {"goal": "Hold the meetup.", "tasks": [TASKS[0] | {"checked_by": named}]})
    assert answer.status == status, answer
    if status == 202:
        assert (await ticket(harness, f"{ALL}/{answer.body['session_id']}"))["checked_by"] == named
    if status == 400:
        assert named in answer.body["detail"]


async def test_who_checks_it_instead_is_told(harness: ApiHarness) -> None:
    path = await begun(harness, tasks=[TASKS[0] | {"checked_by": AYA}])
    told = await ticket(harness, path)
    assert (told["checked_by"], told["checker"]) == (AYA, AYA)
    assert (await posted(harness, f"{path}/tickets/T-1/owner", {"owner_user_id": AYA})).status == 200
    told = await ticket(harness, path)
    assert (told["checked_by"], told["checker"]) == (AYA, YOU)


async def test_nobody_is_named_to_approve_their_own_work(harness: ApiHarness) -> None:
    answer = await posted(harness, ALL, {"goal": "Hold the meetup.", "tasks": [TASKS[0] | {"checked_by": YOU}]})
    assert (answer.status, answer.code) == (400, "E001")
    assert "somebody else" in answer.body["detail"]


async def test_what_is_done_twice_with_one_key_is_done_once(harness: ApiHarness) -> None:
    path = await begun(harness)
    key = {"Idempotency-Key": "1"}
    for _ in range(2):
        assert (await posted(harness, f"{path}/tickets", {"title": "Print"}, headers=key)).status == 200
    assert len((await stands(harness, path)).tickets) == 3


async def test_a_key_names_one_delivery_with_one_plan(harness: ApiHarness) -> None:
    asked, key = {"goal": "Hold the meetup.", "tasks": TASKS}, {"Idempotency-Key": "d"}
    first = await posted(harness, ALL, asked, headers=key)
    assert (await posted(harness, ALL, asked, headers=key)).body["session_id"] == first.body["session_id"]
    for other in ({"goal": "Hold another meetup."}, {"tasks": TASKS[:1]}, {"conversationId": "c"}):
        assert (await posted(harness, ALL, asked | other, headers=key)).status == 409


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("tickets/T-9/start", None),
        ("tickets/T-2/start", None),
        ("tickets/T-1/result", {"evidence": [{"label": "Something else", "text": "x"}]}),
        ("tickets/T-1/result", {"evidence": [{"label": "Booking"}]}),
        ("tickets/T-1/review", {"decision": "approved"}),
        ("tickets/T-1/permission", {"digest": "sha256:" + "0" * 64, "choice": "allow_once"}),
        ("tickets/T-1/reset", {}),
        ("answers", {"number": 1, "answers": ["x"]}),
        ("tickets/T-1/owner", {"role_id": "nobody_there"}),
        ("tickets/T-1/take", {}),
        ("tickets/T-1/drop", {"decision_number": 1}),
        ("tickets/T-1/owner", {"owner_user_id": YOU, "decision_number": 7}),
    ],
)
async def test_what_may_not_be_is_refused_and_nothing_moves(harness: ApiHarness, act: str, body: Any) -> None:
    path = await begun(harness)
    before = await stands(harness, path)
    answer = await posted(harness, f"{path}/{act}", body)
    assert answer.status in (400, 403, 404, 409), answer
    assert answer.body["detail"]
    assert await stands(harness, path) == before


async def test_a_plan_in_a_circle_is_refused(harness: ApiHarness) -> None:
    circle = [{"task_id": "a", "description": "A", "dependencies": ["a"]}]
    answer = await harness.as_(YOU).post(ALL, {"goal": "x y z", "tasks": circle})
    assert (answer.status, answer.code) == (400, "E001")
    assert "wait for each other" in answer.body["detail"]


async def test_it_is_read_by_who_takes_part_and_nobody_else(harness: ApiHarness) -> None:
    path = await begun(harness, goal=f"Hold the {SECRET} meetup.")
    assert (await harness.as_(YOU).get(path)).body["goal"] == f"Hold the {SECRET} meetup."
    stranger = await harness.as_(EVE).get(path)
    assert stranger.status == 404
    assert (await harness.as_(EVE).get(f"{path}/tickets/T-1/artifacts/1")).status == 404
    assert (await harness.as_("admin").get(path)).body["goal"] == f"Hold the {SECRET} meetup."


async def listed(it: ApiHarness, by: str) -> list[tuple[str, str]]:
    told = (await it.as_(by).get(ALL)).body["deliveries"]
    return [(each["session_id"], each["status"]) for each in told]


async def test_everybody_is_told_of_their_own_and_admins_of_all(harness: ApiHarness) -> None:
    ended, going_on = await begun(harness, goal="Hold a first meetup."), await begun(harness)
    await posted(harness, f"{ended}/stop", {})
    mine = [(going_on.rpartition("/")[2], "working"), (ended.rpartition("/")[2], "incomplete")]

    assert await listed(harness, YOU) == mine
    assert await listed(harness, "admin") == mine
    assert await listed(harness, EVE) == []
    assert await listed(harness, BO) == []
    await posted(harness, f"{going_on}/tickets/T-1/owner", {"owner_user_id": BO})
    assert await listed(harness, BO) == mine[:1]


async def test_nobody_is_given_a_ticket_of_whom_slack_cannot_say_who_it_is(harness: ApiHarness) -> None:
    path = await begun(harness)
    before = await stands(harness, path)
    for act, body in {
        "tickets/T-1/owner": {"owner_user_id": "U_WHO"},
        "tickets/T-1/hand-over": {"to": "U_WHO"},
        "tickets": {"title": "Print", "owner_user_id": "U_WHO"},
    }.items():
        assert (await posted(harness, f"{path}/{act}", body)).status == 503  # Slack does not answer here
    assert await stands(harness, path) == before


# ── envelopes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def enveloped(path: str, kind: str, said: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "session_id": path.rpartition("/")[2], "timestamp": "2027-01-01T00:00:00Z", "source": "program",
        "target": "scheduler", "payload_type": kind, "version": "1.0", "payload": said,
    } | fields  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
async def test_an_invalid_envelope_of_each_type_moves_nothing_and_is_written_down(
    harness: ApiHarness, kind: str
) -> None:
    path = await begun(harness)
    before = await stands(harness, path)
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, kind, BAD[kind]))
    assert answer.status == 422, answer
    assert answer.body["payload_type"] == "error"
    assert answer.body["payload"]["code"] == "validation_failed"
    assert answer.body["payload"]["resolution_hint"]
    after = await stands(harness, path)
    assert after.tickets == before.tickets
    assert [each.payload_type for each in after.rejected] == [kind]


@pytest.mark.parametrize(
    ("payload", "names"),
    [({}, "T-1"), ({"ticket_id": "T-1"}, "T-1"), ({"ticket_id": "T-9"}, "")],
)
async def test_an_error_names_the_only_ticket_that_can_be_meant(
    harness: ApiHarness, payload: dict[str, str], names: str
) -> None:
    path = await begun(harness, tasks=TASKS[:1])
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, "report", payload | {"status": "nonsense"}))
    assert (answer.status, answer.body["payload"]["ticket_id"]) == (422, names)


async def test_an_error_names_no_ticket_of_several(harness: ApiHarness) -> None:
    path = await begun(harness)
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, "report", {"status": "nonsense"}))
    assert (answer.status, answer.body["payload"]["ticket_id"]) == (422, "")


async def test_a_ticket_is_for_a_person_or_a_role_and_not_both(harness: ApiHarness) -> None:
    for_both = [TASKS[0] | {"assigned_to": {"role_id": "nope", "person_id": YOU}}]
    refused = await posted(harness, ALL, {"goal": "Hold the meetup.", "tasks": for_both})
    assert (refused.status, refused.code) == (400, "E001")
    assert "name one of them" in refused.body["detail"]
    path = await begun(harness)
    refused = await posted(harness, f"{path}/tickets", {"title": "Print", "owner_user_id": BO, "role_id": "nope"})
    assert (refused.status, "not both" in str(refused.body)) == (400, True), refused


@pytest.mark.parametrize("kind", sorted({*GOOD} - {"clarification_response", "review", "report"}))
async def test_what_only_the_scheduler_writes_is_not_taken_from_outside(harness: ApiHarness, kind: str) -> None:
    path = await begun(harness)
    before = await stands(harness, path)
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, kind, GOOD[kind]))
    assert answer.status == 422, answer
    assert (await stands(harness, path)).tickets == before.tickets


async def test_a_report_and_a_review_are_acts_like_the_buttons(harness: ApiHarness) -> None:
    path = await begun(harness, tasks=TASKS[:1])
    blocked = {"ticket_id": "T-1", "status": "blocked", "issues": ["Which room?"]}
    assert (await posted(harness, f"{path}/envelopes", enveloped(path, "report", blocked))).status == 200
    assert (await ticket(harness, path))["issues"] == ["Which room?"]
    answered = await posted(harness, f"{path}/tickets/T-1/answer", {"text": "The hall."})
    assert answered.status == 200
    report = {"ticket_id": "T-1", "status": "completed", "outputs": ["Booking"],
              "evidence": ["Booked for fifty, by telephone."]}  # fmt: skip
    assert (await posted(harness, f"{path}/envelopes", enveloped(path, "report", report))).status == 200
    assert (await ticket(harness, path))["reports"] == 1
    review = {"ticket_id": "T-1", "decision": "changes_requested", "requested_changes": ["Another day."]}
    if (await stands(harness, path)).is_open:
        assert (await posted(harness, f"{path}/envelopes", enveloped(path, "review", review))).status == 200
        assert (await ticket(harness, path))["status"] == "in_progress"


SAME: Final = {
    ClarificationResponse: (acts.answer_questions,),
    Review: (acts.review_ticket,),
    TicketReport: (acts.block_ticket, acts.finish_ticket, acts.answer_proposal),
}
"""The handlers of the routes that do what an envelope of each payload does."""


def test_an_envelope_takes_the_scope_of_the_route_that_does_the_same() -> None:
    by_handler = {each.handler: each.scope for each in ROUTES}
    assert {kind: {by_handler[each] for each in handlers} for kind, handlers in SAME.items()} == {
        kind: {scope} for kind, scope in SCOPES.items()
    }


async def test_a_token_that_may_only_vote_reviews_nothing_and_answers_no_questions(begin: Begin) -> None:
    it = await begin(tokens=(*TOKENS, token("voter", Scope.VOTE, Scope.READ, user=YOU)))
    path = await begun(it, tasks=TASKS[:1])
    report = {"status": "completed", "outputs": ["Booking"], "evidence": ["By telephone."]}
    sent = await posted(it, f"{path}/envelopes", enveloped(path, "report", report), by="voter")
    assert sent.status == 200, sent
    for kind, said in (("review", {"decision": "approved"}), ("clarification_response", {"answers": ["x"]})):
        refused = await posted(it, f"{path}/envelopes", enveloped(path, kind, said), by="voter")
        assert (refused.status, refused.code) == (403, "E012"), refused
        assert "the scope submit" in refused.body["detail"]
    assert (await ticket(it, path))["status"] == "awaiting_review"


async def test_the_catalogues_fields_alone_are_enough_where_one_ticket_can_be_meant(harness: ApiHarness) -> None:
    path = await begun(harness)
    report = {"status": "completed", "outputs": ["Booking"], "evidence": ["By telephone."]}
    assert (await posted(harness, f"{path}/envelopes", enveloped(path, "report", report))).status == 200
    assert (await ticket(harness, path))["reports"] == 1
    review = {"decision": "approved", "notes": "Good."}
    assert (await posted(harness, f"{path}/envelopes", enveloped(path, "review", review))).status == 200
    done = await ticket(harness, path)
    assert (done["status"], done["review"]["unread"]) == ("done", [])


async def test_an_approval_says_what_had_not_been_opened(harness: ApiHarness) -> None:
    path = await begun(harness)
    report = {"status": "completed", "outputs": ["Booking"], "evidence": ["https://example.org/booking"]}
    assert (await posted(harness, f"{path}/envelopes", enveloped(path, "report", report))).status == 200
    assert (await posted(harness, f"{path}/tickets/T-1/review", {"decision": "approved"})).status == 200
    assert (await ticket(harness, path))["review"]["unread"] == ["Booking"]


async def test_which_ticket_is_meant_is_asked_where_several_can_be(harness: ApiHarness) -> None:
    tasks = [each | {"dependencies": []} for each in TASKS]
    path = await begun(harness, tasks=tasks)
    answer = await posted(
        harness, f"{path}/envelopes", enveloped(path, "report", {"status": "blocked", "issues": ["x"]})
    )
    assert answer.status == 422
    assert answer.body["payload"]["message"] == "payload.ticket_id: say which ticket is meant. Waiting: T-1, T-2."


async def test_an_error_names_its_ticket(harness: ApiHarness) -> None:
    path = await begun(harness)
    said = {"ticket_id": "T-2", "status": "great"}
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, "report", said))
    assert (answer.status, answer.body["payload"]["ticket_id"]) == (422, "T-2")
    assert [each.ticket_id for each in (await stands(harness, path)).rejected] == ["T-2"]


async def test_a_role_is_never_somebody_who_has_its_name(harness: ApiHarness) -> None:
    tasks = [{"task_id": "a", "description": "A", "assigned_to": {"role_id": YOU}}]
    answer = await harness.as_(YOU).post(ALL, {"goal": "x y z", "tasks": tasks})
    assert (answer.status, answer.code) == (400, "E001")
    assert f"Task a: There is no worker {YOU}" in answer.body["detail"]


async def test_nobody_reports_for_somebody_else(harness: ApiHarness) -> None:
    path = await begun(harness)
    report = {"ticket_id": "T-1", "status": "completed", "outputs": ["Booking"], "evidence": ["I did it, I did."]}
    refused = await posted(harness, f"{path}/envelopes", enveloped(path, "report", report), by=AYA)
    assert (refused.status, refused.code) == (403, "E012")


@pytest.mark.parametrize("kind", ["report", "review", "error"])
async def test_whoever_has_no_part_writes_nothing_into_it(harness: ApiHarness, kind: str) -> None:
    path = await begun(harness)
    before = await stands(harness, path)
    answer = await posted(harness, f"{path}/envelopes", enveloped(path, kind, BAD[kind]), by=EVE)
    assert (answer.status, answer.code) == (404, "E007")
    assert await stands(harness, path) == before
