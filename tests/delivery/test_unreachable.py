"""Whoever has a ticket has no account any more: whoever leads chooses somebody else."""

import pytest

from engine.delivery import commands as asked
from engine.delivery.events import PersonNeeded
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PersonNeed, WorkerKind

from .scenario import ANN, BO, REQUESTER, Scenario, instructed, opened, reported, task


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
