"""Who leaves, leaves a gap; unless somebody who stays does the same."""

import pytest
from msgspec.structs import replace

from engine.negotiation.answers import Assignment
from engine.negotiation.commands import RecordProposal
from engine.negotiation.events import ProposalDistributed
from tests.negotiation.scenario import Scenario, draft, voting


def left(*seats: Assignment) -> Scenario:
    """The last of these has withdrawn, and the others accepted."""
    *staying, leaving = [each.agent_id for each in seats]
    scenario = Scenario().demand().understood().shortlisted(*staying, leaving)
    for each in (*staying, leaving):
        scenario.offers(each)
    votes = dict.fromkeys(staying, "accept") | {leaving: "withdraw"}
    return scenario.drafted(*staying, leaving, assignments=seats).twins(votes)


def nobody_redrafts(scenario: Scenario) -> Scenario:
    return scenario.does(RecordProposal, version=2, draft=None, degraded="E003")


def gaps(scenario: Scenario) -> tuple[str, ...]:
    return scenario.event(ProposalDistributed).proposal.gaps


COOK = Assignment(agent_id="a", role="Cook")


@pytest.mark.parametrize(
    ("staying", "expected"),
    [
        pytest.param("Host", ("Speaker",), id="nobody else does it"),
        pytest.param("Speaker", (), id="somebody else does it"),
        pytest.param(" SPEAKER ", (), id="somebody else does it, typed otherwise"),
    ],
)
def test_the_task_of_one_who_left_is_a_gap_unless_it_is_covered(staying: str, expected: tuple[str, ...]) -> None:
    scenario = left(COOK, Assignment(agent_id="b", role=staying), Assignment(agent_id="c", role="Speaker"))

    assert gaps(nobody_redrafts(scenario)) == expected


def test_a_task_that_has_no_role_is_covered_by_somebodys_role_too() -> None:
    scenario = left(COOK, Assignment(agent_id="b", role="speaker"), Assignment(agent_id="c", responsibility="Speaker"))

    assert gaps(nobody_redrafts(scenario)) == ()


def test_one_who_takes_the_role_over_in_the_next_version_closes_the_gap() -> None:
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "withdraw"})
    first, second = draft("a", "b").assignments
    scenario.drafted("a", "b", assignments=(replace(first, role="C's role"), second))

    assert gaps(scenario) == ()


def test_a_gap_that_a_draft_names_itself_is_its_own_business() -> None:
    scenario = voting("a", "b", "c").twins({"a": "accept", "b": "accept", "c": "withdraw"})

    assert gaps(scenario.drafted("a", "b", gaps=("a's role",))) == ("a's role", "c's role")
