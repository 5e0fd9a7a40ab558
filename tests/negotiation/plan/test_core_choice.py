"""Whoever asked has the last word on which seats the plan falls with."""

import pytest

from engine.errors import IllegalStep, NotAllowed, UnknownAgent
from engine.negotiation.answers import Assignment
from engine.negotiation.commands import ChooseCore
from engine.negotiation.events import CoreChosen, NegotiationFailed, SubstituteInvited
from engine.negotiation.state import Status
from engine.negotiation.terms import Outcome
from tests.negotiation.scenario import REQUESTER, Scenario, voting


def opened(*core: str) -> Scenario:
    """A round of three, in which nobody has voted; a model has proposed who is core."""
    asked = Scenario().demand().understood().shortlisted("ann", "bo", "cy", possibly=("di",))
    for each in ("ann", "bo", "cy"):
        asked.offers(each)
    seats = tuple(Assignment(agent_id=each, role=f"{each}'s", core=each in core) for each in ("ann", "bo", "cy"))
    return asked.drafted("ann", "bo", "cy", assignments=seats).stands(Status.NEGOTIATING)


def chooses(scenario: Scenario, *agents: str, by: str = REQUESTER, as_admin: bool = False) -> Scenario:
    return scenario.does(ChooseCore, by=by, agent_ids=agents, as_admin=as_admin)


def core(scenario: Scenario) -> list[str]:
    return [each.agent_id for each in scenario.state.proposals[-1].assignments if each.core]


def test_what_is_chosen_counts_instead_of_what_was_proposed() -> None:
    scenario = opened("ann")
    digest = scenario.state.proposals[-1].digest

    chooses(scenario, "cy", "bo").then(CoreChosen)

    assert core(scenario) == ["bo", "cy"]
    assert scenario.state.proposals[-1].digest == digest, "buttons that are out still count"


def test_a_seat_that_has_become_core_is_refilled_when_it_is_left() -> None:
    scenario = chooses(opened(), "bo").twins({"ann": "accept", "bo": "withdraw", "cy": "accept"})

    assert scenario.event(SubstituteInvited).replaces == "bo"


def test_a_seat_that_is_core_no_more_may_be_left() -> None:
    scenario = chooses(opened("bo"))
    assert core(scenario) == []

    scenario.twins({"ann": "accept", "bo": "withdraw", "cy": "accept"}).stands(Status.PROPOSAL_SENT)


def test_the_choice_is_kept_in_later_versions() -> None:
    scenario = chooses(opened("ann"), "cy").twins({"ann": "accept", "bo": "negotiate", "cy": "accept"})
    scenario.drafted("ann", "bo", "cy")

    assert core(scenario) == ["cy"]


def test_the_plan_falls_with_what_was_chosen() -> None:
    scenario = voting("ann", "bo", "cy")
    chooses(scenario, "ann").twins({"ann": "withdraw", "bo": "accept", "cy": "accept"})

    assert scenario.event(NegotiationFailed).reason is Outcome.CORE_WITHDRAWN


def test_the_same_choice_changes_nothing() -> None:
    scenario = opened("ann")
    before = scenario.state

    chooses(scenario, "ann").then()

    assert scenario.state is before


def test_nobody_without_a_seat_can_be_chosen() -> None:
    chooses(opened(), "ann", "di").is_refused(UnknownAgent, "di has no seat")


@pytest.mark.parametrize("by", ["U_ANN", "U_EVE"])
def test_only_who_asked_chooses_or_an_admin(by: str) -> None:
    chooses(opened(), "ann", by=by).is_refused(NotAllowed)
    chooses(opened(), "ann", by=by, as_admin=True).then(CoreChosen)


def test_between_rounds_there_is_nothing_to_choose() -> None:
    between = opened().twins({"ann": "accept", "bo": "negotiate", "cy": "accept"}).stands(Status.PROPOSAL_SENT)
    chooses(between, "ann").is_refused(IllegalStep)
