"""The demand is said otherwise while the offers are open: everybody is asked anew, and nothing of before slips in."""

import pytest

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Ask
from engine.negotiation.commands import Cancel, EditDemand
from engine.negotiation.errors import InvalidDemand, ProposalOut
from engine.negotiation.events import AggregationStarted, DemandEdited, DemandUnderstood
from engine.negotiation.state import Status
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario

OTHERWISE = "A meetup for 80 people, in May"


def collecting() -> Scenario:
    """Two of three twins have offered."""
    asked = Scenario(policy=ALONE).demand().understood().shortlisted("ann", "bo", "cy", possibly=("di",))
    return asked.offers("ann").offers("bo").stands(Status.COLLECTING)


def edits(scenario: Scenario, text: str = OTHERWISE, by: str = REQUESTER, *, as_admin: bool = False) -> Scenario:
    return scenario.does(EditDemand, by=by, raw_input=text, as_admin=as_admin)


def test_it_starts_again_from_the_first_prompt() -> None:
    scenario = edits(collecting())

    scenario.then(DemandEdited).stands(Status.CREATED)
    assert [(each.name, each.prompt) for each in scenario.last.effects if isinstance(each, Ask)] == [
        ("understand", "understand")
    ]
    assert set(scenario.last.drop) == {"offer/cy"}, "nothing else was outstanding"
    assert scenario.last.clear == ["offers"]
    state = scenario.state
    assert (state.raw_input, state.understanding, state.analysis) == (OTHERWISE, None, "")
    assert (state.invited, state.offers, state.candidates, state.reserve) == ({}, {}, (), ())
    assert state.was_asked_otherwise


def test_what_follows_is_made_of_the_new_words_alone() -> None:
    scenario = edits(collecting()).understood().then(DemandUnderstood).shortlisted("ann").offers("ann")

    scenario.stands(Status.AGGREGATING).then(*[type(each) for each in scenario.last.events])
    assert isinstance(scenario.last.events[-1], AggregationStarted)
    assert list(scenario.state.offers) == ["ann"]
    assert scenario.state.offers["ann"].offer_id == "offer_003", "numbers are not given twice"


def test_before_anybody_was_asked_nobody_was_asked_otherwise() -> None:
    scenario = edits(Scenario(policy=ALONE).demand().understood())

    scenario.then(DemandEdited).stands(Status.CREATED)
    assert not scenario.state.was_asked_otherwise


def test_the_same_words_change_nothing() -> None:
    scenario = collecting()
    before = scenario.state

    edits(scenario, f"  {before.raw_input} ").then()

    assert scenario.state is before


@pytest.mark.parametrize(
    "text", ["", "  ", "\U0001f389", "x" * 4_001], ids=["nothing", "blanks", "a picture", "a novel"]
)
def test_what_is_no_demand_is_refused_and_the_old_one_stands(text: str) -> None:
    scenario = collecting()
    edits(scenario, text).is_refused(InvalidDemand)
    scenario.stands(Status.COLLECTING)


def test_only_who_asked_says_it_otherwise_or_an_admin() -> None:
    edits(collecting(), by="U_ANN").is_refused(NotAllowed)
    edits(collecting(), by="U_ADMIN", as_admin=True).then(DemandEdited)


def test_while_a_plan_is_made_it_may_still_be_said_otherwise() -> None:
    closed = collecting().offers("cy").stands(Status.AGGREGATING)

    edits(closed).then(DemandEdited).owing("understand").stands(Status.CREATED)
    assert "aggregate" in closed.last.drop


def test_once_a_proposal_is_out_it_stands() -> None:
    out = collecting().offers("cy").drafted("ann", "bo", "cy").stands(Status.NEGOTIATING)
    edits(out).is_refused(ProposalOut, "A proposal is out")


def test_what_has_ended_without_a_proposal_does_not_speak_of_one() -> None:
    stopped = collecting().does(Cancel, by=REQUESTER).stands(Status.CANCELLED)
    edits(stopped).is_refused(IllegalStep, "It has ended")
