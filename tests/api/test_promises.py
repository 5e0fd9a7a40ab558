"""After agreement over HTTP: whoever promised something gives it up or says how it stands, and whoever asked takes back
what they decided about all of it.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from engine.negotiation.answers import Assignment, Milestone, ProposalDraft, Timeline

from .api_harness import AGENT, ALONE, AYA, BO, EVE, PATIENT, YOU, Answer, ApiHarness
from .conftest import Begin

SEAT = AGENT + "aya"
PLAN = ProposalDraft(
    summary="An evening",
    assignments=(
        Assignment(agent_id=SEAT, role="Host", responsibility="books the room"),
        Assignment(agent_id=f"{AGENT}bo", role="Speaker", responsibility="gives a talk"),
    ),
    timeline=Timeline(milestones=(Milestone(name="Room booked", date="2027-03-05", agent_id=SEAT),)),
)
DUE = "step/1"


@dataclass
class Agreed:
    it: ApiHarness
    path: str

    async def told(self) -> dict[str, Any]:
        told: dict[str, Any] = (await self.it.as_(YOU).get(self.path)).body
        return told

    async def posts(self, user: str, what: str, body: Any, **more: Any) -> Answer:
        answer = await self.it.as_(user).post(f"{self.path}/actions/{what}", body, **more)
        await self.it.runtime.activity.idle()
        return answer

    async def decides(self, choice: str, user: str = YOU, **more: Any) -> Answer:
        return await self.posts(user, choice, {}, **more)

    async def events(self) -> int:
        return (await self.it.counts())["events"]


@pytest.fixture
async def agreed(begin: Begin) -> Agreed:
    """Twins have agreed; on the day before the room is due, Aya is asked how it stands."""
    it = await begin(policy=ALONE.model_copy(update={"check_ins": True}))
    it.script.says["aggregate"] = PLAN
    return Agreed(it, f"/api/v1/demand/{await it.asks()}")


@pytest.fixture
async def asked(agreed: Agreed) -> Agreed:
    while not (await agreed.told())["check_ins"]:
        due = await agreed.it.store.next_due()
        assert due is not None
        agreed.it.clock.jump(due)
        await agreed.it.runtime.sweep()
        await agreed.it.runtime.activity.idle()
    return agreed


# ── giving up ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_whoever_gives_up_leaves_the_plan_once(agreed: Agreed) -> None:
    said = {"agent_id": SEAT, "reason": "I am ill"}
    answers = [
        await agreed.posts(AYA, "seat.give_up", said, headers={"Idempotency-Key": key}) for key in ("1", "1", "2")
    ]
    assert [(each.status, each.code) for each in answers] == [(200, None), (200, "E011"), (200, "E011")]
    told = await agreed.told()
    [gone] = told["given_up"]
    assert (gone["agent_id"], gone["by"], gone["lacks"]) == (SEAT, AYA, ["Host"])
    assert SEAT not in {each["agent_id"] for each in told["proposal"]["assignments"]}


@pytest.mark.parametrize("user", [YOU, BO, EVE])
async def test_nobody_gives_up_what_somebody_else_promised(agreed: Agreed, user: str) -> None:
    before = await agreed.events()
    answer = await agreed.posts(user, "seat.give_up", {"agent_id": SEAT})
    assert (answer.status, answer.code) == (403, "E012")
    assert await agreed.events() == before


async def test_a_part_that_there_is_not_is_not_found(agreed: Agreed) -> None:
    answer = await agreed.posts(AYA, "seat.give_up", {"agent_id": f"{AGENT}nobody"})
    assert (answer.status, answer.code) == (404, "E008")


# ── how something stands that is due ──────────────────────────────────────────────────────────────────────────────


async def test_what_is_asked_and_answered_is_told(asked: Agreed) -> None:
    [before] = (await asked.told())["check_ins"]
    assert before == {
        "key": DUE,
        "agent_id": SEAT,
        "what": "Room booked",
        "day": "2027-03-05",
        "answer": None,
        "text": "",
        "answered_at": None,
    }
    late = {"key": DUE, "text": "The key comes on Monday"}
    answers = [await asked.posts(AYA, "check_in.late", late) for _ in range(2)]
    assert [(each.status, each.code) for each in answers] == [(200, None), (200, "E011")]
    [told] = (await asked.told())["check_ins"]
    assert (told["answer"], told["text"]) == ("late", "The key comes on Monday")

    await asked.posts(AYA, "check_in.done", {"key": DUE})
    [told] = (await asked.told())["check_ins"]
    assert (told["answer"], told["text"]) == ("done", "")


@pytest.mark.parametrize("user", [YOU, BO, EVE])
async def test_nobody_says_for_somebody_else_how_it_stands(asked: Agreed, user: str) -> None:
    before = await asked.events()
    answer = await asked.posts(user, "check_in.done", {"key": DUE})
    assert (answer.status, answer.code) == (403, "E012")
    assert await asked.events() == before


async def test_what_nobody_was_asked_about_is_not_answered(agreed: Agreed) -> None:
    answer = await agreed.posts(AYA, "check_in.done", {"key": DUE})
    assert (answer.status, answer.code) == (409, "E010")


@pytest.mark.parametrize(
    ("what", "body"),
    [
        pytest.param("seat.give_up", {}, id="no seat"),
        pytest.param("seat.give_up", {"agent_id": SEAT, "reason": "x" * 401}, id="a long reason"),
        pytest.param("seat.give_up", {"agent_id": SEAT, "by": BO}, id="in somebody's name"),
        pytest.param("check_in.done", {"key": ""}, id="no key"),
        pytest.param("check_in.late", {"key": DUE, "text": ""}, id="late without a word"),
        pytest.param("check_in.late", {"key": DUE, "text": " "}, id="late with blanks"),
        pytest.param("check_in.late", {"key": DUE, "text": True}, id="late, and not what"),
        pytest.param("check_in.late", {"key": DUE, "text": "x" * 401}, id="a long text"),
    ],
)
async def test_what_makes_no_sense_is_told_so_and_changes_nothing(asked: Agreed, what: str, body: Any) -> None:
    before = await asked.events()
    assert (await asked.posts(AYA, what, body)).status == 400
    assert await asked.events() == before


@pytest.mark.parametrize(("what", "body"), [("seat.give_up", {"agent_id": SEAT}), ("check_in.done", {"key": DUE})])
async def test_a_token_that_is_bound_to_nobody_promises_nothing(asked: Agreed, what: str, body: Any) -> None:
    for name in ("program", "admin"):
        answer = await asked.posts(name, what, body)
        assert (answer.status, answer.code) == (403, "E012")
    answer = await asked.it.as_(AYA).post(f"/api/v1/demand/d-zzzzzzzz/actions/{what}", body)
    assert (answer.status, answer.code) == (404, "E002")


# ── taking back ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_that_it_was_stopped_is_taken_back_and_votes_count_again(begin: Begin) -> None:
    it = await begin(policy=PATIENT)
    demand = Agreed(it, f"/api/v1/demand/{await it.asks()}")
    await demand.decides("negotiation.stop")
    stopped = await demand.told()
    assert (stopped["channel_status"], stopped["can_be_taken_back_until"] is None) == ("cancelled", False)

    assert (await demand.decides("decision.undo")).status == 200

    told = await demand.told()
    assert (told["channel_status"], told["can_be_taken_back_until"]) == ("negotiating", None)
    assert await it.metric("towow_negotiations_ended_total", outcome="cancelled") == 1
    assert await it.metric("towow_negotiations_resumed_total") == 1
    vote = {"agent_id": SEAT, "round": 1, "digest": told["proposal"]["digest"]}
    assert (await demand.posts(AYA, "vote.accept", vote)).code is None
    again = await demand.decides("decision.undo")
    assert (again.status, again.code) == (409, "E010")


async def test_that_it_is_carried_out_is_decided_and_taken_back(agreed: Agreed) -> None:
    assert (await agreed.decides("plan.proceed")).status == 200
    told = await agreed.told()
    assert told["proceeded"]["by"] == YOU
    assert told["can_be_taken_back_until"] is not None
    assert (await agreed.decides("decision.undo")).status == 200
    assert (await agreed.told())["proceeded"] is None


@pytest.mark.parametrize("user", [AYA, BO, EVE])
async def test_nobody_else_decides_about_all_of_it(agreed: Agreed, user: str) -> None:
    await agreed.decides("plan.proceed")
    before = await agreed.events()
    for choice in ("decision.undo", "plan.proceed"):
        answer = await agreed.decides(choice, user)
        assert (answer.status, answer.code) == (403, "E012")
    assert await agreed.events() == before


async def test_after_ten_minutes_nothing_is_taken_back(agreed: Agreed) -> None:
    await agreed.decides("plan.proceed")
    agreed.it.clock.jump(agreed.it.clock.now() + 600_001)
    answer = await agreed.decides("decision.undo")
    assert (answer.status, answer.code) == (409, "E010")
