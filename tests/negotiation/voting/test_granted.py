"""What a version has granted stays: it is not asked again, not taken back silently, and its seat keeps its words."""

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import (
    AdjustmentSummary,
    Assignment,
    Change,
    ProposalDraft,
    RequestAddressed,
    RequestDeclined,
)
from engine.negotiation.policy import PRESETS
from engine.negotiation.state import Status
from engine.negotiation.terms import Proposal
from tests.negotiation.scenario import Scenario, draft, voting

LONG = PRESETS["balanced"].model_copy(update={"human_window": 0, "override_window": 0})
HOUR = LONG.model_copy(update={"human_window": 3600})
WISH = "a table by the window"
GRANTED = AdjustmentSummary(requests_addressed=(RequestAddressed(agent_id="a", request=WISH),))


def saying(words: str, summary: AdjustmentSummary | None = None, notes: str = "") -> ProposalDraft:
    seat = Assignment(agent_id="a", role="a's role", responsibility=words, notes=notes)
    made = draft("a", "b", "c")
    return replace(made, assignments=(seat, *made.assignments[1:]), adjustment_summary=summary)


def granted() -> Scenario:
    """Version 2 has granted the wish of a, and c wants something, so that a third one follows."""
    scenario = (
        voting("a", "b", "c", policy=LONG).twin("a", "negotiate", wish=WISH).twins({"b": "accept", "c": "accept"})
    )
    return scenario.proposed(saying(f"a helps; {WISH}", GRANTED))


def others_go_on(scenario: Scenario, a: str = "accept") -> Scenario:
    scenario.twins({"a": a, "b": "accept"}).twin("c", "negotiate", wish="another day")
    return scenario.stands(Status.PROPOSAL_SENT)


def newest(scenario: Scenario) -> tuple[Proposal, AdjustmentSummary]:
    plan = scenario.state.proposals[-1]
    assert plan.adjustment_summary is not None
    return plan, plan.adjustment_summary


def test_a_model_that_says_it_met_what_nobody_asked_changes_nothing_of_what_was_granted() -> None:
    scenario = others_go_on(granted()).proposed(saying("a does all of it", GRANTED))

    plan, summary = newest(scenario)
    assert plan.version == 3
    assert plan.assignments[0].responsibility == f"a helps; {WISH}"
    assert "a" not in {each.agent_id for each in summary.requests_addressed}


@pytest.mark.parametrize("again", [WISH, "A table, by the window!"])
def test_it_is_not_asked_again(again: str) -> None:
    scenario = granted().twin("a", "negotiate", wish=again)

    vote = scenario.state.rounds[-1].seats["a"].vote
    assert vote is not None
    assert (vote.feedback_type, vote.adjustment_request) == ("accept", "")


def test_something_else_may_be_asked() -> None:
    vote = granted().twin("a", "negotiate", wish="a chair").state.rounds[-1].seats["a"].vote

    assert vote is not None
    assert vote.feedback_type == "negotiate"


def test_the_seat_keeps_its_words() -> None:
    plan, _ = newest(others_go_on(granted()).proposed(saying("a helps")))

    assert plan.assignments[0].responsibility == f"a helps; {WISH}"


def test_words_change_where_the_version_names_the_seat_and_gives_a_reason() -> None:
    why = Change(agent_id="a", aspect="table", reason="the windows are being repaired")
    plan, summary = newest(others_go_on(granted()).proposed(saying("a helps", AdjustmentSummary(changes_made=(why,)))))

    assert plan.assignments[0].responsibility == "a helps"
    assert summary.changes_made == (why,)


def test_it_is_not_taken_back_without_a_reason() -> None:
    taken = RequestDeclined(agent_id="a", request=WISH)
    plan, summary = newest(
        others_go_on(granted()).proposed(saying("a helps", AdjustmentSummary(requests_declined=(taken,))))
    )

    assert "a" not in {each.agent_id for each in summary.requests_declined}
    assert WISH in plan.assignments[0].responsibility


def test_taken_back_with_a_reason_it_may_be_asked_again() -> None:
    taken = RequestDeclined(agent_id="a", request=WISH, reason="the windows are being repaired")
    scenario = others_go_on(granted()).proposed(saying("a helps", AdjustmentSummary(requests_declined=(taken,))))
    _, summary = newest(scenario)
    assert taken in summary.requests_declined

    vote = scenario.twin("a", "negotiate", wish=WISH).state.rounds[-1].seats["a"].vote
    assert vote is not None
    assert vote.feedback_type == "negotiate"


def test_what_a_person_asks_again_for_is_told_as_granted() -> None:
    scenario = voting("a", "b", "c", policy=HOUR, linked={"a": "U_A"}).clicks("U_A", "a", "negotiate", WISH)
    scenario.twins({"b": "accept", "c": "accept"}).proposed(saying(f"a helps; {WISH}", GRANTED))
    scenario.clicks("U_A", "a", "negotiate", WISH).twins({"b": "accept", "c": "accept"})
    _, summary = newest(scenario.proposed(saying("a helps", AdjustmentSummary())))

    assert [each.agent_id for each in summary.requests_addressed] == ["a"]
    assert summary.requests_declined == ()


def test_a_seat_that_was_accepted_in_person_keeps_its_words() -> None:
    scenario = voting("a", "b", "c", policy=HOUR, linked={"a": "U_A"}).clicks("U_A", "a", "accept")
    scenario.twin("b", "accept").twin("c", "negotiate", wish="another day").proposed(saying("a cooks as well"))

    assert scenario.state.proposals[-1].assignments[0].responsibility == "a helps"
    assert scenario.state.rounds[-1].seats["a"].human is not None
