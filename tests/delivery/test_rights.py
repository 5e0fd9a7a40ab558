"""Who may do what with a ticket: who has it, who leads, a person who is the Manager, whoever can be reached."""

import pytest

from engine.delivery import commands as asked
from engine.delivery.events import PersonNeeded
from engine.delivery.inbox import DECISION, tickets
from engine.delivery.policy import Policy
from engine.delivery.state import TicketStatus
from engine.delivery.terms import Owner, PermissionChoice, PersonNeed, WorkerKind
from engine.delivery.tickets.owners import checker_of, decider_of, may_lead, may_permit, may_review, may_work_on
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Handled

from .scenario import ANN, BO, FOR_AGENT, REQUESTER, STREAM, Scenario, instructed, opened, reported, task


def test_whoever_takes_a_ticket_has_it_after_whoever_handed_it_over() -> None:
    scenario = instructed()
    scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    assert [(each.to, each.is_taken) for each in scenario.ticket().hand_overs] == [(BO, None)]
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1")
    assert scenario.ticket().holders == (ANN, BO)
    assert [(each.by, each.is_taken) for each in scenario.ticket().hand_overs] == [(ANN, True)]


def test_a_ticket_that_is_declined_stays_where_it_was() -> None:
    scenario = instructed()
    scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.DeclineTicket, by=BO, ticket_id="T-1")
    assert scenario.ticket().holders == (ANN,)
    assert [each.is_taken for each in scenario.ticket().hand_overs] == [False]


def test_a_ticket_that_comes_back_is_held_once_more() -> None:
    scenario = instructed()
    for user in (BO, ANN):
        owner = Owner(kind=WorkerKind.PERSON, user_id=user)
        scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=owner)
    assert scenario.ticket().holders == (ANN, BO, ANN)


def test_nobody_holds_what_a_leader_gives_to_a_role() -> None:
    scenario = instructed()
    owner = Owner(kind=WorkerKind.ACP, role_id="worker_agent")
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=owner)
    assert scenario.ticket().holders == (ANN,)


def test_an_older_request_to_take_it_cannot_be_answered_any_more() -> None:
    scenario = instructed()
    for _ in range(2):
        scenario.does(asked.HandTicketOver, by=ANN, ticket_id="T-1", to=BO)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1", number=1).is_refused(IllegalStep)
    scenario.does(asked.TakeTicket, by=BO, ticket_id="T-1", number=2)
    assert scenario.ticket().owner.user_id == BO


def test_an_older_proposal_cannot_be_answered_any_more() -> None:
    scenario = opened(task(needs_proposal=True)).proposes()
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=False, text="Otherwise.", number=1).proposes()
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True, number=1).is_refused(IllegalStep)
    scenario.does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True, number=2)
    assert scenario.ticket().proposal_answers[-1].agrees


STRANGER, ADMIN, NOBODY = "U_STRANGER", "U_ADMIN", ""


@pytest.mark.parametrize(
    ("user", "as_admin", "leads", "permits", "reviews", "works"),
    [
        pytest.param(REQUESTER, False, True, True, True, True, id="whoever asked"),
        pytest.param(ADMIN, True, True, True, True, True, id="an admin"),
        pytest.param(ADMIN, False, False, False, False, False, id="an admin of elsewhere"),
        pytest.param(ANN, False, False, False, False, True, id="whoever has the ticket"),
        pytest.param(BO, False, False, False, False, False, id="another participant"),
        pytest.param(STRANGER, False, False, False, False, False, id="a stranger"),
        pytest.param(NOBODY, True, False, False, False, False, id="nobody"),
    ],
)
def test_each_may_do_what_is_theirs(
    user: str, as_admin: bool, leads: bool, permits: bool, reviews: bool, works: bool
) -> None:
    scenario = instructed()
    state, ticket = scenario.state, scenario.ticket()

    assert may_lead(state, user, as_admin=as_admin) is leads
    assert may_permit(state, user, as_admin=as_admin) is permits
    assert may_review(state, ticket, user, as_admin=as_admin) is reviews
    assert may_work_on(state, ticket, user, as_admin=as_admin) is works


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
