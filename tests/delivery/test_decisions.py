"""What a person decides, and how what came to nothing goes on."""

from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.outstanding import alarms
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Cost, Owner, PermissionChoice, PersonNeed
from engine.errors import IllegalStep, Outdated
from engine.kernel import RunWorker

from .scenario import (
    ANN,
    DIGEST,
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


def decisions(scenario: Scenario) -> list[tuple[int, PersonNeed, str, str]]:
    return [(each.number, each.need, each.outcome, each.by) for each in scenario.ticket().decisions]


def test_whoever_is_asked_about_a_block_answers_it_and_each_block_is_a_decision() -> None:
    scenario = instructed()
    for why in ("Which room?", "Which day?"):
        scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why=why)
        assert scenario.ticket().open_decision is not None
        scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="The big one")
    assert scenario.ticket().open_decision is None
    assert [each.text for each in scenario.ticket().decisions] == ["Which room?", "Which day?"]
    assert decisions(scenario) == [
        (1, PersonNeed.BLOCKED, "answered", REQUESTER), (2, PersonNeed.BLOCKED, "answered", REQUESTER),
    ]  # fmt: skip


def test_a_permission_stays_known_also_where_somebody_else_has_the_ticket_by_then() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).asks_leave()
    assert scenario.ticket().decisions[-1].digest == DIGEST
    scenario.permits(PermissionChoice.REFUSE)
    scenario.asks_leave(digest="sha256:" + "1" * 64)
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_ANN)
    assert decisions(scenario) == [
        (1, PersonNeed.PERMISSION, "refuse", REQUESTER), (2, PersonNeed.PERMISSION, "owner_changed", REQUESTER),
    ]  # fmt: skip


def test_a_ticket_that_is_dropped_needs_no_owner() -> None:
    scenario = opened(task(owner=Owner()))
    assert decisions(scenario) == [(1, PersonNeed.OWNER, "", "")]
    scenario.does(asked.DropTicket, by=REQUESTER, ticket_id="T-1")
    assert decisions(scenario) == [(1, PersonNeed.OWNER, "dropped", REQUESTER)]


def _blocked_twice() -> Scenario:
    scenario = instructed().does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which room?")
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=1, text="The big one")
    return scenario.does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which day?")


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        (asked.AnswerBlock, {"text": "The small one"}),
        (asked.ChangeOwner, {"owner": FOR_AGENT}),
        (asked.DropTicket, {}),
        (asked.ResetTicket, {}),
        (asked.ReviewTicket, {"approves": True}),
    ],
)
@pytest.mark.parametrize("number", [1, 3])
def test_what_is_decided_on_a_card_that_is_not_the_newest_moves_nothing(
    command: type[asked.DecidersCommand], fields: dict[str, Any], number: int
) -> None:
    scenario = _blocked_twice()
    before = scenario.ticket()
    scenario.does(command, by=REQUESTER, ticket_id="T-1", decision=number, **fields).is_refused(Outdated)
    assert scenario.ticket() == before
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=2, text="Monday")
    assert decisions(scenario)[-1] == (2, PersonNeed.BLOCKED, "answered", REQUESTER)


def test_of_two_who_decide_at_once_the_first_counts() -> None:
    scenario = instructed().does(asked.BlockTicket, by=ANN, ticket_id="T-1", why="Which room?")
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", decision=1, text="The big one")
    scenario.does(asked.DropTicket, by="U_ADMIN", as_admin=True, ticket_id="T-1", decision=1).is_refused(Outdated)
    assert decisions(scenario) == [(1, PersonNeed.BLOCKED, "answered", REQUESTER)]


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
