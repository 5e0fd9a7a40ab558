"""Who approves a ticket: whom it names for that, else the Manager or whoever asked."""

from typing import Any

import pytest

from engine.delivery import commands as asked
from engine.delivery.answers import PlannedTask
from engine.delivery.composing import review_given
from engine.delivery.errors import ChecksOwnWork, NamedForApproval
from engine.delivery.events import EvidenceOpened
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import CheckRun, PersonNeed
from engine.delivery.tickets.owners import checker_of, decider_of
from engine.delivery.work.working import unread
from engine.errors import NotAllowed

from .scenario import (
    ANN,
    BO,
    FOR_AGENT,
    FOR_ANN,
    REQUESTER,
    Scenario,
    artifact,
    evidence,
    instructed,
    opened,
    reported,
    task,
)


def test_whom_it_names_is_asked_and_no_model() -> None:
    scenario = reported(task(checked_by=BO)).ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW).owing()
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.REVIEW) == BO
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.BLOCKED) == REQUESTER
    scenario.decides(by=ANN).is_refused(NotAllowed)
    scenario.decides(by=BO).ticket_is(TicketStatus.DONE)


@pytest.mark.parametrize("by", [REQUESTER, BO])
def test_they_may_want_changes_and_whoever_asked_may_overrule_them(by: str) -> None:
    scenario = reported(task(checked_by=BO)).decides(by=by, approves=False, changes="Larger.")
    scenario.ticket_is(TicketStatus.IN_PROGRESS)


def test_only_their_click_approves_it_and_who_asked_names_somebody_else_first() -> None:
    scenario = reported(task(checked_by=BO)).decides().is_refused(NamedForApproval)
    scenario.decides(by=ANN, as_admin=True).is_refused(NamedForApproval)
    scenario.does(asked.ChangeChecking, by=REQUESTER, ticket_id="T-1", is_high_risk=False, checked_by="")
    scenario.decides().ticket_is(TicketStatus.DONE)


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param({"is_link": True, "uri": "https://example.org/a", "beginning": ""}, id="a link"),
        pytest.param({"beginning": ""}, id="no text"),
        pytest.param({"size_bytes": 5_000}, id="a text of which a part is kept"),
    ],
)
def test_no_model_approves_what_it_cannot_have_looked_at(shown: dict[str, Any]) -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(artifacts=(artifact(**shown),))
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW).owing().reviews()
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW).decides().ticket_is(TicketStatus.DONE)


def test_what_somebody_opens_before_they_approve_is_remembered_of_them() -> None:
    link = artifact(is_link=True, uri="https://example.org/a", beginning="")
    scenario = instructed(task(owner=FOR_AGENT)).worked(artifacts=(link,))
    assert unread(scenario.ticket(), REQUESTER) == (link,)
    opens = {"ticket_id": "T-1", "report": 1, "output": 1}
    scenario.does(asked.OpenEvidence, by=ANN, **opens).is_refused(NotAllowed)
    scenario.does(asked.OpenEvidence, by=REQUESTER, **opens).then(EvidenceOpened)
    scenario.does(asked.OpenEvidence, by=REQUESTER, **opens).then()
    assert (unread(scenario.ticket(), REQUESTER), unread(scenario.ticket(), BO)) == ((), (link,))
    scenario.decides().does(asked.OpenEvidence, by=REQUESTER, **opens).then()


def test_a_short_text_stands_on_the_card_and_a_long_one_is_to_be_opened() -> None:
    assert unread(reported(policy=Policy(manager_user=BO)).ticket(), BO) == ()
    long = (evidence(text="It is booked. " * 100),)
    assert unread(instructed().finishes(evidence=long).worked().ticket(), BO) != ()


def test_what_code_has_checked_need_not_be_a_text() -> None:
    scenario = instructed(task(owner=FOR_AGENT, check="lint"))
    scenario.worked(artifacts=(artifact(beginning=""),), checks=(CheckRun(name="lint", has_passed=True),))
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW).owing("review-T-1-1")


def test_the_manager_is_shown_the_beginning_of_what_a_worker_made() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(artifacts=(artifact(beginning="print('TODO')", size_bytes=13),))
    assert review_given(scenario.state, scenario.ticket()).report.proof[0].excerpt == "print('TODO')"


def test_they_come_before_a_person_who_is_the_manager() -> None:
    scenario = reported(task(owner=FOR_AGENT, checked_by=BO), policy=Policy(manager_user=ANN))
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.REVIEW) == BO


def test_nobody_approves_what_they_did_themselves() -> None:
    scenario = instructed(task(checked_by=BO)).does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1").finishes(by=BO).worked()
    assert checker_of(scenario.state, scenario.ticket()) == REQUESTER
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW).owing().reviews()
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW)
    scenario.decides(by=BO).is_refused(NotAllowed)
    scenario.decides(by=ANN, as_admin=True).is_refused(NamedForApproval, f"{REQUESTER} approves it instead of {BO}")
    scenario.decides().ticket_is(TicketStatus.DONE)


def test_who_showed_it_for_somebody_does_not_check_it() -> None:
    scenario = instructed(task(checked_by=REQUESTER)).finishes(by=REQUESTER).worked()
    assert [scenario.ticket().reports[-1].by, scenario.ticket().reports[-1].shown_by] == [ANN, REQUESTER]
    assert checker_of(scenario.state, scenario.ticket()) == ""
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW)
    scenario.decides().is_refused(NamedForApproval, "Name somebody else")
    for doer in (ANN, REQUESTER):
        scenario.does(asked.ChangeChecking, by=REQUESTER, ticket_id="T-1", is_high_risk=True, checked_by=doer)
        scenario.is_refused(ChecksOwnWork)
    scenario.does(asked.ChangeChecking, by=REQUESTER, ticket_id="T-1", is_high_risk=False, checked_by=BO)
    scenario.decides().is_refused(NamedForApproval)
    scenario.decides(by=BO).ticket_is(TicketStatus.DONE)


def test_an_admin_approves_it_where_nobody_else_is_left() -> None:
    scenario = instructed(task(checked_by=REQUESTER)).finishes(by=REQUESTER).worked()
    scenario.decides(as_admin=True).is_refused(NamedForApproval)
    scenario.decides(by=BO, as_admin=True).ticket_is(TicketStatus.DONE)


def test_a_person_who_is_the_manager_comes_before_that() -> None:
    scenario = instructed(task(checked_by=REQUESTER), policy=Policy(manager_user=BO)).finishes(by=REQUESTER).worked()
    assert checker_of(scenario.state, scenario.ticket()) == BO
    scenario.decides(by=BO).ticket_is(TicketStatus.DONE)


def test_whoever_shows_their_own_work_may_approve_it_where_nobody_is_named() -> None:
    instructed(task()).finishes(by=REQUESTER).worked().decides().ticket_is(TicketStatus.DONE)


def test_nobody_is_named_for_their_own_work() -> None:
    Scenario().opens(task(checked_by=ANN)).is_refused(ChecksOwnWork, "room")
    adding = opened(task()).does(asked.AddTicket, by=REQUESTER, title="A", owner=FOR_ANN, checked_by=ANN)
    adding.is_refused(ChecksOwnWork)


@pytest.mark.parametrize(
    ("named", "user"), [("bo", BO), ("zoe", REQUESTER), (BO, REQUESTER), ("worker_agent", REQUESTER), ("", "")]
)
def test_the_plan_names_them_by_their_id(named: str, user: str) -> None:
    planned = PlannedTask(task_id="a", title="A", owner="ann", checked_by=named)
    assert Scenario().opens().clarifies().plans(planned).ticket().task.checked_by == user


def test_a_leader_names_somebody_while_it_goes_on() -> None:
    scenario = reported().does(asked.ChangeChecking, by=REQUESTER, ticket_id="T-1", is_high_risk=False, checked_by=BO)
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW)
    assert decider_of(scenario.state, scenario.ticket(), PersonNeed.REVIEW) == BO
    scenario.decides(by=BO).ticket_is(TicketStatus.DONE)


def test_a_model_that_answers_late_does_not_decide_for_them() -> None:
    scenario = reported(task(checked_by=BO)).reviews()
    scenario.ticket_is(TicketStatus.AWAITING_REVIEW, need=PersonNeed.REVIEW)
