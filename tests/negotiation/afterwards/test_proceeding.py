"""Whoever asked decides that the plan is carried out: once, and only where there is one."""

import pytest

from engine.errors import Duplicate, IllegalStep, NotAllowed
from engine.negotiation.commands import Cancel, Proceed
from engine.negotiation.events import PlanProceeded
from engine.negotiation.policy import Policy
from engine.negotiation.state import Status
from tests.negotiation.scenario import ALONE, REQUESTER, Scenario, voting

ONE_ROUND = Policy(human_window=0, override_window=0, max_rounds=1)
OWNERS = [pytest.param(REQUESTER, False, id="who asked"), pytest.param("U_ADMIN", True, id="an admin")]


def ended(*votes: str, policy: Policy = ALONE) -> Scenario:
    agents = ("ann", "bo", "cy")
    return voting(*agents, policy=policy).twins(dict(zip(agents, votes, strict=True)))


def settled() -> Scenario:
    return ended("accept", "accept", "accept").stands(Status.FINALIZED)


@pytest.mark.parametrize(("by", "as_admin"), OWNERS)
def test_whoever_asked_or_an_admin_decides(by: str, as_admin: bool) -> None:
    scenario = settled().later(7).does(Proceed, by=by, as_admin=as_admin, announce=True).then(PlanProceeded)

    decided = scenario.state.proceeded
    assert decided is not None
    assert (decided.by, decided.at, decided.announce) == (by, scenario.now, True)
    assert decided.event_type == "towow.plan.proceeded"
    scenario.stands(Status.FINALIZED)


def test_a_plan_with_partial_agreement_can_be_carried_out_too() -> None:
    scenario = ended("accept", "accept", "negotiate", policy=ONE_ROUND).stands(Status.FORCE_FINALIZED)

    scenario.does(Proceed, by=REQUESTER).then(PlanProceeded).stands(Status.FORCE_FINALIZED)


def test_it_is_decided_once() -> None:
    scenario = settled().does(Proceed, by=REQUESTER)
    decided = scenario.state.proceeded

    scenario.does(Proceed, by="U_ADMIN", as_admin=True, announce=True).is_refused(Duplicate)

    assert scenario.state.proceeded is decided


@pytest.mark.parametrize("by", ["U_ANN", "U_EVE", "", f"{REQUESTER}@T_PARTNER"])
def test_nobody_else_decides(by: str) -> None:
    settled().does(Proceed, by=by).is_refused(NotAllowed)


def test_without_a_plan_there_is_nothing_to_carry_out() -> None:
    voting("ann").does(Proceed, by=REQUESTER).is_refused(IllegalStep, "negotiating")
    ended("reject", "reject", "reject").stands(Status.FAILED).does(Proceed, by=REQUESTER).is_refused(IllegalStep)
    stopped = voting("ann").does(Cancel, by=REQUESTER).stands(Status.CANCELLED)
    stopped.does(Proceed, by=REQUESTER).is_refused(IllegalStep, "no plan")
