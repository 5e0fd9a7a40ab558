"""Another reader than the drafter says what it thinks of each version, beside the votes; it decides nothing."""

from typing import Any

import pytest

from engine.directory.profile import Profiles
from engine.errors import ModelUnavailable
from engine.kernel import Ask
from engine.llm.port import Answer
from engine.negotiation.answers import AdjustmentSummary, Need, Opinion, RequestAddressed, Verification
from engine.negotiation.asks import NegotiationAsks
from engine.negotiation.commands import RecordOpinion
from engine.negotiation.events import StepDegraded
from engine.negotiation.plan.marks import Mark, MarkKind, marks_of
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.voting.claims import claims_of
from engine.negotiation.voting.opinion_asks import doubted
from engine.negotiation.voting.second_opinion import SECONDS
from tests.negotiation.prompts import PROMPTS
from tests.negotiation.scenario import ALONE, Scenario, draft
from tests.profiles.people import person

VENUE = Need(need_id="need_1", what="a venue")
A, B = "user_agent_a", "user_agent_b"
ASKS = NegotiationAsks(PROMPTS, Profiles({A: person("a"), B: person("b")}))
QUIET = ALONE.model_copy(update={"second_opinion": True})


def voting(*, verifies: bool = True, **policy: Any) -> Scenario:
    scenario = Scenario(policy=QUIET.model_copy(update=policy), verifies=verifies).demand().understood(needs=(VENUE,))
    scenario.shortlisted(A, B).offers(A, covers=("need_1",)).offers(B)
    return scenario.drafted(A, B)


def prompts(scenario: Scenario) -> list[str]:
    return [each.name for each in scenario.last.effects if isinstance(each, Ask) and each.prompt == "verify"]


def reads(scenario: Scenario, *opinions: Opinion) -> Scenario:
    version = scenario.state.rounds[-1].version
    ask = Ask(name=f"verify/{version}", scope="any", prompt="verify", about="claims")
    answer = Answer(Verification(claims=opinions), "a-reader")
    return records(scenario, ASKS.read(scenario.state, ask, PROMPTS["negotiation/verify"], answer, command_id="", at=0))


def records(scenario: Scenario, command: Any) -> Scenario:
    fields = {name: getattr(command, name) for name in command.__struct_fields__ if name not in ("command_id", "at")}
    return scenario.does(RecordOpinion, **fields)


def no(number: int, **fields: str) -> Opinion:
    return Opinion(number=number, verdict="no", **{"why": "that is a garage", **fields})


def of_need(state: Negotiation) -> Mark:
    version = state.proposals[-1]
    return next(each for each in marks_of(state, version) if each.about == "need" and each.agent_id == A)


def test_it_is_asked_once_a_version_beside_the_votes() -> None:
    scenario = voting()
    assert prompts(scenario) == ["verify/1"]
    claims = claims_of(scenario.state, scenario.state.proposals[0])
    assert [(each.number, each.about, each.agent_id, each.claim) for each in claims] == [
        (1, "need", A, "a venue"),
        (2, "complete", "", ""),
    ]


def test_it_is_not_asked_where_nothing_is_claimed_or_a_setting_says_so() -> None:
    assert prompts(voting(verifies=False)) == []
    without = Scenario(policy=QUIET, verifies=True).demand().understood().shortlisted(A).offers(A).drafted(A)
    assert prompts(without) == []


def test_a_version_that_is_sent_once_more_is_not_read_once_more() -> None:
    scenario = reads(voting(), no(1)).twin_fails(A).twin_fails(B)
    assert scenario.state.round == 2
    assert prompts(scenario) == []
    assert of_need(scenario.state).kind is MarkKind.DOUBTED


def test_a_no_is_a_mark_beside_the_claim_and_moves_nothing() -> None:
    scenario = voting()
    assert of_need(scenario.state).kind is MarkKind.SAID
    before = scenario.state
    reads(scenario, no(1, quote="helps"), Opinion(number=2, verdict="unsure", why="who knows"))
    mark = of_need(scenario.state)
    assert (mark.kind, mark.why) == (MarkKind.DOUBTED, "that is a garage")
    after = scenario.state
    assert (after.status, after.proposals, after.offers, after.rounds[-1].seats) == (
        before.status, before.proposals, before.offers, before.rounds[-1].seats
    )  # fmt: skip
    scenario.twins({A: "accept", B: "accept"}).stands(Status.FINALIZED)


@pytest.mark.parametrize("verdict", ["yes", "unsure"])
def test_only_a_no_is_a_doubt(verdict: Any) -> None:
    assert of_need(reads(voting(), Opinion(number=1, verdict=verdict)).state).kind is MarkKind.SAID


def test_a_quote_that_stands_nowhere_is_asked_for_once_more_and_then_left_out() -> None:
    scenario = voting()
    check = ASKS.compose(scenario.state, Ask(name="verify/1", scope="any", prompt="verify", about="claims")).check
    assert check is not None
    said = Verification(claims=(no(1, quote="never said"),))
    assert "never said" in check(said)
    assert check(Verification(claims=(no(1, quote="A Venue"),))) == ""
    assert reads(scenario, *said.claims).state.opinions[1].opinions[0].quote == ""


def test_what_is_doubted_is_given_to_the_next_drafter() -> None:
    scenario = reads(voting(), no(1)).twins({A: "accept", B: "negotiate"})
    scenario.stands(Status.PROPOSAL_SENT)
    assert [(each["about"], each["agent_id"], each["why"]) for each in doubted(scenario.state)] == [
        ("need", A, "that is a garage")
    ]
    given = ASKS.compose(scenario.state, Ask(name="adjust/2", scope="any", prompt="adjust")).given
    assert given["doubts"] == doubted(scenario.state)


def test_a_wish_that_is_said_to_be_taken_up_is_a_claim() -> None:
    scenario = reads(voting()).twin(A, "accept").twin(B, "negotiate", wish="a microphone")
    summary = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id=B, request="a microphone"),))
    scenario.proposed(draft(A, B, summary="With a microphone", room="The hall", adjustment_summary=summary))
    assert ("request", B, "a microphone") in [
        (each.about, each.agent_id, each.claim) for each in claims_of(scenario.state, scenario.state.proposals[-1])
    ]


# ── how long it is waited for ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_that_would_end_it_waits_three_seconds_once_nothing_else_is_waited_for() -> None:
    scenario = voting().twins({A: "accept", B: "accept"}).stands(Status.NEGOTIATING)
    opened = scenario.state.rounds[-1]
    assert opened.window.deadline == scenario.now + 1000 * SECONDS
    scenario.now = opened.window.deadline
    scenario.rings("close/1").stands(Status.FINALIZED)


def test_it_ends_as_soon_as_the_reader_has_answered() -> None:
    reads(voting().twins({A: "accept", B: "accept"})).stands(Status.FINALIZED)


def test_where_another_round_follows_nobody_waits() -> None:
    scenario = voting().twins({A: "accept", B: "negotiate"}).stands(Status.PROPOSAL_SENT)
    assert "verify/1" in scenario.last.drop


def test_where_no_reader_can_answer_nothing_is_doubted_and_it_is_said() -> None:
    scenario = voting().twins({A: "accept", B: "accept"})
    ask = Ask(name="verify/1", scope="any", prompt="verify", about="claims")
    records(scenario, ASKS.fallback(scenario.state, ask, ModelUnavailable("none"), command_id="", at=0))
    assert [each.prompt for each in scenario.history if isinstance(each, StepDegraded)] == ["verify"]
    assert of_need(scenario.state).kind is MarkKind.SAID
    scenario.stands(Status.FINALIZED)


def test_the_end_moves_with_what_the_round_waits_for() -> None:
    scenario = voting(feedback_timeout=900.0)
    scenario.now = scenario.state.until - 1000
    scenario.twins({A: "accept", B: "accept"})
    assert scenario.state.rounds[-1].window.deadline == scenario.state.until == scenario.now + SECONDS * 1000
    assert scenario.state.until in [each.due for each in scenario.last.alarms if each.name == "duration"]
