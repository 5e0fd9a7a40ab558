"""No ticket is left where nobody is told and nothing is owed: every decision that people are asked for goes on."""

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.outstanding import alarms
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Cost, PersonNeed
from engine.errors import IllegalStep, Outdated
from engine.kernel import RunWorker

from .scenario import (
    FOR_AGENT,
    FOR_ANN,
    FOR_SCRIPT,
    FOR_WRITER,
    REQUESTER,
    Scenario,
    instructed,
    opened,
    reported,
    task,
)

PENDING, IN_PROGRESS, BLOCKED = TicketStatus.PENDING, TicketStatus.IN_PROGRESS, TicketStatus.BLOCKED
NO_RETRIES = Policy(retries=0)
GIVEN_UP = Policy(retries=0, escalations=0)


def gives(scenario: Scenario, **fields: object) -> Scenario:
    return scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", **fields)


def test_a_blocked_ticket_that_is_given_to_a_machine_is_tried_by_it() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(issues=("Which room?",)).advises("ask")
    gives(scenario, owner=FOR_SCRIPT).ticket_is(IN_PROGRESS).owing("work-T-1-2")
    assert scenario.ticket().issues == ()


def test_a_blocked_ticket_that_is_given_to_a_person_is_still_asked_about() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(issues=("Which room?",)).advises("ask")
    gives(scenario, owner=FOR_ANN).ticket_is(BLOCKED, need=PersonNeed.BLOCKED)


def test_a_failed_ticket_that_is_given_to_somebody_else_begins_anew() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=GIVEN_UP).worked(failure="exit")
    scenario.ticket_is(TicketStatus.ERROR, need=PersonNeed.FAILED)
    gives(scenario, owner=FOR_SCRIPT).then(happened.OwnerChanged, happened.TicketReset).ticket_is(PENDING)
    scenario.owing("instruct-T-1-2").instructs().owing("work-T-1-2")


def test_where_the_manager_leaves_a_failure_to_the_requester_it_can_be_tried_again() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=NO_RETRIES).worked(failure="exit").fails("advise-T-1-1")
    scenario.ticket_is(IN_PROGRESS, need=PersonNeed.FAILED)
    scenario.does(asked.ResetTicket, by=REQUESTER, ticket_id="T-1").ticket_is(PENDING).owing("instruct-T-1-2")


def test_what_goes_on_is_not_reset() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).does(asked.ResetTicket, by=REQUESTER, ticket_id="T-1")
    scenario.is_refused(IllegalStep, "failed")


def test_a_person_who_gets_a_ticket_needs_no_budget() -> None:
    policy = Policy(ticket_tokens=100, retry_backoff=0)
    scenario = instructed(task(owner=FOR_AGENT), policy=policy).worked(failure="exit", cost=Cost(input_tokens=110))
    scenario.ticket_is(IN_PROGRESS, need=PersonNeed.BUDGET)
    gives(scenario, owner=FOR_ANN).ticket_is(IN_PROGRESS).finishes().owing("register-T-1-2")


def test_another_machine_needs_the_budget_as_well() -> None:
    policy = Policy(ticket_tokens=100, retry_backoff=0)
    scenario = instructed(task(owner=FOR_AGENT), policy=policy).worked(failure="exit", cost=Cost(input_tokens=110))
    gives(scenario, owner=FOR_SCRIPT).ticket_is(IN_PROGRESS, need=PersonNeed.BUDGET).owing()


def test_a_question_for_leave_does_not_outlive_the_approval() -> None:
    scenario = reported(task("a", FOR_AGENT), task("b")).reviews("changes_requested").asks_leave().decides()
    scenario.ticket_is(TicketStatus.DONE)
    assert scenario.ticket().waiting_permission is None
    scenario.permits().is_refused(Outdated)


@pytest.mark.parametrize("is_done", [False, True], ids=["while it is worked on", "while it is reviewed"])
def test_nobody_is_reminded_of_what_they_have_done(*, is_done: bool) -> None:
    scenario = (reported if is_done else instructed)(task(deadline="2027-02-01"))
    assert ("remind-T-1" in alarms(scenario.state)) is not is_done
    scenario.rings("remind-T-1").then(*(() if is_done else (happened.OwnerReminded,)))


def test_who_gets_a_ticket_while_it_is_discussed_is_asked_in_place_of_whoever_had_it() -> None:
    scenario = opened(task(owner=FOR_WRITER, needs_proposal=True)).proposes().owing("discuss-T-1-1")
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_SCRIPT)
    assert [type(each) for each in scenario.last.effects] == [RunWorker]
    assert [*scenario.last.drop] == ["discuss-T-1-1"]
