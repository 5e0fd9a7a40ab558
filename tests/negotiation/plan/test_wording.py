"""A model is told once where its words name a stranger; they are never edited."""

import pytest

from engine.negotiation.answers import Assignment, Milestone, Need, ProposalDraft, Timeline, Understanding
from engine.negotiation.commands import RecordUnderstanding
from engine.negotiation.events import ProposalDistributed
from engine.negotiation.plan.proposals import faults_of_draft
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.terms import Proposal
from tests.negotiation.scenario import ALONE, Scenario, draft

NAMES = {"ann": "Ann Lee", "bo": "Bo Chen", "lin": "林晓", "maya": "Maya Patel", "may": "May Wong"}
FORCED = PRESETS["tech-v3"].model_copy(update={"human_window": 0, "override_window": 0, "max_rounds": 2})


def offered(
    *agents: str, text: str = "An AI meetup for 50 people", possibly: tuple[str, ...] = (), policy: Policy = ALONE
) -> Scenario:
    """Everybody has offered, and the first version is being made."""
    scenario = Scenario(policy=policy, names=NAMES).demand(text).understood(surface_demand=text)
    scenario.shortlisted(*agents, possibly=possibly)
    for each in agents:
        scenario.offers(each)
    return scenario


def first(scenario: Scenario, made: ProposalDraft) -> Proposal:
    return scenario.proposed(made).event(ProposalDistributed).proposal


LYING = ProposalDraft(
    summary="Maya Patel hosts it. Ann Lee speaks.",
    objective="An evening that Maya opens.",
    rationale="Ann Lee knows the field. 林晓有场地。",
    assignments=(
        Assignment(
            agent_id="ann",
            role="Speaker for Maya Patel",
            responsibility="Speaks after Maya Patel",
            dependencies=("the room of user_agent_lin",),
        ),
    ),
    timeline=Timeline(milestones=(Milestone(name="林晓准备场地", deliverable="Maya Patel's key"),)),
    success_criteria=("Maya Patel is happy",),
)


def test_a_model_is_told_what_is_wrong_with_its_words() -> None:
    scenario = offered("ann", "maya", possibly=("lin",))
    said = faults_of_draft(scenario.state, LYING)

    assert "summary names Maya Patel, who has no seat in this version" in said
    assert "timeline.milestones names 林晓" in said
    assert "objective" not in said, "a given name alone may be somebody else's"
    assert faults_of_draft(scenario.state, draft("ann", "maya", summary="Maya Patel hosts Ann Lee.")) == ""


def test_its_words_stay_as_they_are() -> None:
    plan = first(offered("ann", "maya", possibly=("lin",)), LYING)

    assert (plan.summary, plan.objective, plan.rationale) == (LYING.summary, LYING.objective, LYING.rationale)
    assert plan.assignments[0].responsibility == LYING.assignments[0].responsibility


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Bo Chen is on his own.", id="who has a seat"),
        pytest.param("It is in May, in the evening.", id="a word that is a name, too"),
        pytest.param("A venue for Annabel Leeds.", id="a name within another"),
        pytest.param("Nothing is missing but cake.", id="no need was said"),
    ],
)
def test_words_that_name_nobody_else_are_not_asked_about(text: str) -> None:
    assert faults_of_draft(offered("bo", "ann", "may").state, draft("bo", summary=text)) == ""


@pytest.mark.parametrize("text", ["Ann Lee分享", "请ann lee来", "by Ann Lee", "(ANN LEE)"])
def test_a_name_is_found_in_any_script_around_it(text: str) -> None:
    assert "names" in faults_of_draft(offered("bo", "ann").state, draft("bo", summary=text))


def test_whom_the_demand_is_about_may_be_named_unless_they_were_asked() -> None:
    text = "A farewell party for Maya Patel"
    assert not faults_of_draft(offered("ann", text=text, possibly=("maya",)).state, draft("ann", summary=text))
    assert faults_of_draft(offered("ann", "maya", text=text).state, draft("ann", summary=text))


def test_whoever_left_is_a_stranger_in_the_next_version() -> None:
    scenario = offered("ann", "bo", "maya", policy=FORCED)
    made = draft("ann", "bo", "maya", summary="Maya Patel hosts Ann Lee and Bo Chen.")
    first(scenario, made)
    scenario.twins({"ann": "accept", "bo": "negotiate", "maya": "withdraw"})

    assert "summary names Maya Patel" in faults_of_draft(scenario.state, made)


# ── what is not covered ───────────────────────────────────────────────────────────────────────────────────────────


VENUE = Need(need_id="need_1", what="a venue", tags=("venue",))


def needing(*needs: Need) -> Scenario:
    scenario = Scenario(policy=ALONE, names=NAMES).demand("A meetup")
    said = Understanding(surface_demand="A meetup", needs=needs)
    scenario.does(RecordUnderstanding, understanding=said).shortlisted("ann")
    return scenario.offers("ann")


def test_what_is_missing_is_a_gap_and_stands_in_no_sentence_of_the_model() -> None:
    plan = first(needing(VENUE), draft("ann", summary="The plan is complete.", rationale="Nothing is missing."))

    assert (plan.summary, plan.rationale, plan.gaps) == ("The plan is complete.", "Nothing is missing.", ("a venue",))
