"""Whoever has a ticket has no account any more: whoever leads chooses somebody else."""

import pytest

from engine.delivery import commands as asked
from engine.delivery.events import PersonNeeded
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PersonNeed, WorkerKind
from engine.delivery.tickets.rights import checker_of
from engine.errors import NotAllowed

from .scenario import ANN, BO, FOR_AGENT, REQUESTER, Scenario, instructed, opened, reported, task


def misses(scenario: Scenario, user: str = ANN) -> Scenario:
    return scenario.does(asked.OwnerUnreachable, ticket_id="T-1", user_id=user)


def test_whoever_leads_chooses_somebody_else() -> None:
    scenario = misses(instructed()).ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.OWNER)
    assert "Ann" in scenario.event(PersonNeeded).text
    owner = Owner(kind=WorkerKind.PERSON, user_id=BO)
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=owner)
    scenario.ticket_is(TicketStatus.IN_PROGRESS)


def test_it_is_said_once() -> None:
    misses(misses(instructed())).then()


def test_it_holds_for_a_proposal_as_well() -> None:
    misses(opened(task(needs_proposal=True)).proposes()).ticket_is(TicketStatus.DISCUSSING, need=PersonNeed.OWNER)


@pytest.mark.parametrize(
    ("scenario", "user"),
    [
        pytest.param(instructed, BO, id="somebody who does not have it"),
        pytest.param(opened, ANN, id="while nothing is waited for"),
        pytest.param(reported, ANN, id="while it is reviewed"),
        pytest.param(lambda: instructed().finishes(), ANN, id="while what they showed is checked"),
        pytest.param(lambda: reported().decides(), ANN, id="once it is done"),
    ],
)
def test_nothing_changes_otherwise(scenario: type[Scenario], user: str) -> None:
    misses(scenario(), user).then()


def test_whoever_is_to_check_it_and_is_gone_is_replaced_and_whoever_asked_is_asked_anew() -> None:
    scenario = reported(task(checked_by=BO))
    scenario.does(asked.CheckerUnreachable, ticket_id="T-1", user_id=ANN).then()
    scenario.does(asked.CheckerUnreachable, ticket_id="T-1", user_id=BO).then(PersonNeeded)
    assert [len(scenario.ticket().decisions), checker_of(scenario.state, scenario.ticket())] == [2, REQUESTER]
    scenario.does(asked.CheckerUnreachable, ticket_id="T-1", user_id=BO).then()
    scenario.decides(by=BO).is_refused(NotAllowed)
    scenario.decides().ticket_is(TicketStatus.DONE)


def test_whoever_is_named_instead_checks_it() -> None:
    scenario = reported(task(checked_by=ANN, owner=FOR_AGENT))
    scenario.does(asked.CheckerUnreachable, ticket_id="T-1", user_id=ANN)
    scenario.does(asked.ChangeChecking, by=REQUESTER, ticket_id="T-1", is_high_risk=False, checked_by=BO)
    assert checker_of(scenario.state, scenario.ticket()) == BO
