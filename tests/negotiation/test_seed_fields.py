"""What the seeds' interfaces between agents name, and our prompts give and read: seed 000, sections 3.2 and 3.3."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import FeedbackAnswer
from engine.negotiation.commands import RecordFeedback
from engine.negotiation.voting.kinds import FeedbackType
from tests.llm.prompt_cases import ASKS, CHEN, case_for
from tests.negotiation.scenario import voting


@pytest.mark.parametrize(("confidence", "score"), [(0.9, 90), (0.555, 56), (0.0, 0), (1.0, 100)])
def test_a_twin_is_told_how_well_its_person_seems_to_match(confidence: float, score: int) -> None:
    case = case_for("respond")
    asked = replace(case.state.invited[CHEN], confidence=confidence, reason="speaks about agents")
    state = replace(case.state, invited={**case.state.invited, CHEN: asked})

    given = ASKS.compose(state, case.ask).given

    assert (given["filter_reason"], given["match_score"]) == ("speaks about agents", score)


@pytest.mark.parametrize(
    ("changes", "request_"),
    [
        pytest.param({"responsibility": "45分钟AI技术分享（原30分钟）", "reason": "30分钟太紧凑"},
                     "responsibility: 45分钟AI技术分享（原30分钟） (30分钟太紧凑)", id="as seed 004 has it"),
        pytest.param({"role": "host", "timeline": {"start_date": "2026-12-01"}},
                     "role: host; timeline: start_date: 2026-12-01", id="several fields"),
        pytest.param({"reason": "too short"}, "too short", id="a reason alone"),
        pytest.param("45 minutes", "45 minutes", id="a text"),
        pytest.param(["45 minutes", "a microphone"], "45 minutes; a microphone", id="a list"),
        pytest.param({"hours": 3, "travel": None, " ": ""}, "hours: 3", id="numbers, and nothing"),
    ],
)  # fmt: skip
def test_proposed_changes_are_read_as_the_request(changes: Any, request_: str) -> None:
    said = {"feedback_type": "negotiate", "reasoning": "Nearly.", "proposed_changes": changes}
    assert FeedbackAnswer.checked(said).adjustment_request == request_


@pytest.mark.parametrize("empty", [{}, None, "", [], {"reason": ""}])
def test_where_nothing_is_proposed_nothing_is_asked_for(empty: Any) -> None:
    said = {"feedback_type": "accept", "reasoning": "Good.", "proposed_changes": empty}
    assert FeedbackAnswer.checked(said).adjustment_request == ""


def test_a_request_in_so_many_words_comes_first() -> None:
    said = {"feedback_type": "negotiate", "adjustment_request": "45 minutes", "proposed_changes": {"role": "host"}}
    assert FeedbackAnswer.checked(said).adjustment_request == "45 minutes"


def test_it_is_a_wish_like_any_other() -> None:
    said = FeedbackAnswer.checked({"feedback_type": "negotiate", "proposed_changes": {"responsibility": "45 minutes"}})
    scenario = voting("ann", "bo").does(RecordFeedback, agent_id="ann", round=1, answer=said)
    vote = scenario.state.rounds[-1].seats["ann"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request) == (FeedbackType.NEGOTIATE, "responsibility: 45 minutes")
