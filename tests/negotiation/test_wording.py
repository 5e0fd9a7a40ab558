"""The words of a version follow its seats, whatever a model says."""

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import Assignment, Milestone, Need, ProposalDraft, Timeline, Understanding
from engine.negotiation.commands import RecordUnderstanding
from engine.negotiation.events import ForceFinalized, ProposalDistributed
from engine.negotiation.policy import PRESETS, Policy
from engine.negotiation.proposals import faults_of_draft
from engine.negotiation.terms import Proposal

from .scenario import ALONE, Scenario, draft

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


def texts(plan: Proposal) -> str:
    seats = [text for each in plan.assignments for text in (each.role, each.responsibility, *each.dependencies)]
    steps = [text for each in plan.timeline.milestones for text in (each.name, each.deliverable)]
    return "\n".join((plan.summary, plan.objective, plan.rationale, *steps, *seats, *plan.success_criteria))


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


def test_nobody_is_named_who_has_no_seat() -> None:
    plan = first(offered("ann", "maya", possibly=("lin",)), LYING)

    assert not [name for name in ("Maya", "林晓") if name in texts(plan)]
    assert plan.summary == "Those who take part: Ann Lee (Speaker for [TBD]). Ann Lee speaks."
    assert plan.objective == "An AI meetup for 50 people"
    assert plan.rationale == "Ann Lee knows the field."
    assert plan.assignments[0].responsibility == "Speaks after [TBD]"


def test_a_model_is_told_what_is_wrong_with_its_words() -> None:
    scenario = offered("ann", "maya", possibly=("lin",))
    said = faults_of_draft(scenario.state, LYING)

    assert "summary names Maya Patel, who has no seat in this version" in said
    assert "timeline.milestones names 林晓" in said
    assert faults_of_draft(scenario.state, draft("ann", "maya", summary="Maya Patel hosts Ann Lee.")) == ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Bo Chen is on his own.", id="who has a seat"),
        pytest.param("It is in May, in the evening.", id="a word that is a name, too"),
        pytest.param("A venue for Annabel Leeds.", id="a name within another"),
        pytest.param("Nothing is missing but cake.", id="no need was said"),
    ],
)
def test_words_that_name_nobody_else_stay(text: str) -> None:
    scenario = offered("bo", "ann", "may")

    assert first(scenario, draft("bo", summary=text)).summary == text


def test_whom_the_demand_is_about_may_be_named_unless_they_were_asked() -> None:
    text = "A farewell party for Maya Patel"
    assert "Maya Patel" in first(offered("ann", text=text, possibly=("maya",)), draft("ann", summary=text)).summary
    assert "Maya Patel" not in first(offered("ann", "maya", text=text), draft("ann", summary=text)).summary


def test_a_chinese_sentence_is_replaced_by_a_chinese_one() -> None:
    scenario = offered("ann", "lin", text="一场五十人的聚会")
    plan = first(scenario, draft("ann", summary="林晓提供场地，一切就绪。Ann Lee 分享。"))

    assert plan.summary == "参与的人：Ann Lee（ann's role）。Ann Lee 分享。"


def test_whoever_leaves_is_named_in_no_later_version() -> None:
    scenario = offered("ann", "bo", "maya", policy=FORCED)
    first(scenario, draft("ann", "bo", "maya", summary="Maya Patel hosts Ann Lee and Bo Chen."))
    scenario.twins({"ann": "accept", "bo": "negotiate", "maya": "withdraw"})
    scenario.drafted("ann", "bo", summary="Maya Patel hosts Ann Lee and Bo Chen.")

    assert scenario.state.proposals[-1].summary == "Those who take part: Ann Lee (ann's role), Bo Chen (bo's role)."


def test_an_older_version_that_is_agreed_on_after_all_does_not_name_whoever_has_left_since() -> None:
    scenario = Scenario(policy=FORCED, names=NAMES).demand().understood().shortlisted("ann", "bo", "maya")
    for each in ("ann", "bo", "maya"):
        scenario.offers(each)
    scenario.drafted("ann", "bo", "maya", summary="Maya Patel hosts Ann Lee and Bo Chen.")
    scenario.twins({"ann": "accept", "bo": "accept", "maya": "negotiate"})
    scenario.drafted("ann", "bo", "maya").twins({"ann": "negotiate", "bo": "negotiate", "maya": "withdraw"})

    plan = scenario.event(ForceFinalized).final_proposal
    assert plan.version == 1
    assert "Maya" not in texts(plan)


# ── what is not covered ───────────────────────────────────────────────────────────────────────────────────────────


VENUE = Need(need_id="need_1", what="a venue", tags=("venue",))


def needing(*needs: Need) -> Scenario:
    scenario = Scenario(policy=ALONE, names=NAMES).demand("A meetup")
    said = Understanding(surface_demand="A meetup", needs=needs)
    scenario.does(RecordUnderstanding, understanding=said).shortlisted("ann")
    return scenario.offers("ann")


@pytest.mark.parametrize("claim", ["Everything is covered.", "The plan is complete.", "All roles are taken care of."])
def test_what_is_not_complete_is_not_called_complete(claim: str) -> None:
    plan = first(needing(VENUE), draft("ann", summary=f"{claim} Ann Lee speaks.", rationale=claim))

    assert claim not in texts(plan)
    assert plan.summary.endswith("Ann Lee speaks. Nobody covers yet: a venue.")


def test_what_is_missing_is_said_once_and_no_longer_than_it_is() -> None:
    scenario = needing(VENUE)
    again = first(scenario, draft("ann", summary="A talk. Nobody covers yet: a venue. Nobody covers yet: a cook."))

    assert again.summary == "A talk. Nobody covers yet: a venue."


def test_a_need_that_is_not_essential_is_a_gap_and_not_in_the_summary() -> None:
    assert first(needing(replace(VENUE, essential=False)), draft("ann", summary="A talk.")).summary == "A talk."
