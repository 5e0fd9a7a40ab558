"""A person may be the Manager: they review and advise, and no model does; what costs or permits is not theirs."""

import pytest

from engine.delivery import commands as asked
from engine.delivery.inbox import DECISION, tickets
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PermissionChoice, PersonNeed, WorkerKind
from engine.delivery.tickets.rights import decider_of
from engine.errors import NotAllowed
from engine.kernel import Handled

from .scenario import ANN, BO, FOR_AGENT, REQUESTER, STREAM, Scenario, instructed, reported, task

BY_BO = Policy(manager_user=BO)
FOR_BO = Owner(kind=WorkerKind.PERSON, user_id=BO, person_id="bo", name="Bo")


def test_they_review_and_no_model_does() -> None:
    scenario = reported(policy=BY_BO).ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW).owing()
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.REVIEW) == BO
    scenario.decides(by=ANN).is_refused(NotAllowed)
    scenario.decides(by=BO).ticket_is(TicketStatus.DONE)


def test_the_requester_may_all_the_same() -> None:
    reported(policy=BY_BO).decides(by=REQUESTER).ticket_is(TicketStatus.DONE)


def test_they_do_not_review_what_they_did_themselves() -> None:
    scenario = instructed(task(owner=FOR_BO), policy=BY_BO)
    scenario.finishes(by=BO).worked().ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW)
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.REVIEW) == REQUESTER
    scenario.decides(by=BO).is_refused(NotAllowed)
    scenario.decides(by=REQUESTER).ticket_is(TicketStatus.DONE)


def test_what_is_blocked_or_fails_is_theirs_at_once() -> None:
    blocked = instructed(task(owner=FOR_AGENT), policy=BY_BO).worked(issues=("Which room?",))
    blocked.ticket_is(TicketStatus.BLOCKED, need=PersonNeed.BLOCKED).owing()
    blocked.does(asked.AnswerBlock, by=BO, ticket_id="T-1", text="The hall.").owing("work-T-1-2")
    failed = instructed(task(owner=FOR_AGENT), policy=BY_BO).worked(failure="role_missing")
    failed.ticket_is(TicketStatus.IN_PROGRESS, need=PersonNeed.FAILED).owing()
    failed.does(asked.ResetTicket, by=BO, ticket_id="T-1").ticket_is(TicketStatus.PENDING)


@pytest.mark.parametrize(
    "command",
    [
        asked.StopDelivery(command_id="c", at=0, by=BO),
        asked.RaiseBudget(command_id="c", at=0, by=BO, usd=5),
    ],
    ids=["stop", "budget"],
)
def test_what_costs_is_not_theirs(command: asked.LeadersCommand) -> None:
    instructed(policy=BY_BO).obeys(command).is_refused(NotAllowed)


def test_leave_is_not_theirs_to_give() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=BY_BO).asks_leave()
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.PERMISSION) == REQUESTER
    scenario.permits(PermissionChoice.ONCE, by=BO).is_refused(NotAllowed)


def test_what_waits_for_them_is_in_their_inbox() -> None:
    before = instructed(policy=BY_BO).finishes()
    after: Scenario = reported(policy=BY_BO)
    handled = Handled(
        stream=STREAM, before=before.state, after=after.state, command=asked.StopDelivery(command_id="c", at=1, by=BO),
        events=tuple(after.last.events), turn=1, refusal=None,
    )  # fmt: skip
    assert [each.key for each in tickets(handled) if each.kind == DECISION] == [f"{BO}/{STREAM}/T-1"]
