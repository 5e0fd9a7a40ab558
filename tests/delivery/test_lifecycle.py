"""A delivery from its goal to its report, ticket by ticket."""

import pytest
from msgspec.structs import replace

from engine.delivery import commands as asked
from engine.delivery import events as happened
from engine.delivery.answers import PlannedTask
from engine.delivery.errors import InvalidPlan
from engine.delivery.events import DeliveryEnded, ReviewGiven
from engine.delivery.policy import Policy
from engine.delivery.state import Status, TicketStatus
from engine.delivery.terms import EndReason, PersonNeed, PlannedBy, ReviewDecision, WorkerKind
from engine.errors import IllegalStep, NotAllowed, Outdated
from engine.kernel import HandedPerson, HandedTask

from .scenario import (
    ANN,
    BO,
    BRIEF,
    FOR_AGENT,
    FOR_ANN,
    FOR_SCRIPT,
    FOR_WRITER,
    REQUESTER,
    SCRIPT,
    Scenario,
    instructed,
    opened,
    reported,
    task,
)


def test_a_ticket_of_a_person_and_one_of_an_agent_that_waits_for_it() -> None:
    scenario = instructed(task("room"), task("page", FOR_AGENT, depends_on=("room",)))
    scenario.finishes().owing("register-T-1-1").worked().ticket_is(TicketStatus.AWAITING_REVIEW).owing("review-T-1-1")
    scenario.reviews().ticket_is(TicketStatus.DONE).owing("instruct-T-2-1")
    scenario.instructs("T-2").owing("work-T-2-1").worked("T-2").reviews(ticket_id="T-2")
    scenario.stands(Status.REPORTING).owing("report-1").reports().stands(Status.COMPLETED)
    assert scenario.event(DeliveryEnded).is_complete


def test_a_goal_is_clarified_and_planned() -> None:
    scenario = Scenario().opens().stands(Status.CLARIFYING).owing("clarify-1")
    scenario.clarifies().stands(Status.PLANNING).owing("plan-1")


def test_the_requester_overrules_the_manager() -> None:
    scenario = reported().reviews("changes_requested", requested_changes=("more",))
    scenario.ticket_is(TicketStatus.IN_PROGRESS).decides().ticket_is(TicketStatus.DONE)
    assert scenario.event(ReviewGiven).by == "U_ASKS"


PENDING, DISCUSSING, IN_PROGRESS = TicketStatus.PENDING, TicketStatus.DISCUSSING, TicketStatus.IN_PROGRESS
BLOCKED, AWAITING_REVIEW, ERROR = TicketStatus.BLOCKED, TicketStatus.AWAITING_REVIEW, TicketStatus.ERROR
DONE, DROPPED = TicketStatus.DONE, TicketStatus.DROPPED

# ── clarification and plan ────────────────────────────────────────────────────────────────────────────────────────


def test_the_manager_asks_the_requester_who_answers_and_then_it_is_planned() -> None:
    scenario = Scenario().opens().clarifies("By when?").stands(Status.CLARIFYING).owing()
    scenario.does(asked.AnswerClarification, by=REQUESTER, number=1, answers=("In March",)).owing("clarify-2")
    scenario.clarifies().stands(Status.PLANNING).owing("plan-1")
    assert scenario.event(happened.ClarificationClosed).why == "answered"


def test_nobody_else_answers_and_no_older_questions() -> None:
    scenario = Scenario().opens().clarifies("By when?")
    scenario.does(asked.AnswerClarification, by=ANN, number=1, answers=("x",)).is_refused(NotAllowed)
    scenario.does(asked.AnswerClarification, by=REQUESTER, number=2, answers=("x",)).is_refused(Outdated)
    scenario.does(asked.AnswerClarification, by=ANN, number=1, answers=("x",), as_admin=True).owing("clarify-2")


def test_without_an_answer_in_time_it_is_planned_with_what_is_known() -> None:
    scenario = Scenario().opens().clarifies("By when?")
    scenario.rings("clarify").then()
    scenario.later(48 * 3600).rings("clarify").stands(Status.PLANNING)
    assert scenario.event(happened.ClarificationClosed).why == "time_is_up"


def test_the_plans_tasks_become_tickets() -> None:
    scenario = Scenario().opens().clarifies()
    scenario.plans(
        PlannedTask(task_id="a", title="A", owner="ann"),
        PlannedTask(task_id="b", title="B", owner="writer", depends_on=("a",)),
    )
    scenario.stands(Status.WORKING).ticket_is(PENDING, "T-1").ticket_is(PENDING, "T-2").owing("instruct-T-1-1")
    assert [each.owner.kind for each in scenario.state.tickets.values()] == [WorkerKind.PERSON, WorkerKind.MODEL]


@pytest.mark.parametrize(
    "tasks",
    [
        (),
        (PlannedTask(task_id="a", title="A", depends_on=("a",)),),
        (
            PlannedTask(task_id="a", title="A", depends_on=("b",)),
            PlannedTask(task_id="b", title="B", depends_on=("a",)),
        ),
        (PlannedTask(task_id="a", title="A"), PlannedTask(task_id="a", title="B")),
        (PlannedTask(task_id="a", title="A", depends_on=("nowhere",)),),
    ],
    ids=["nothing", "itself", "a circle", "one name twice", "an unknown task"],
)
def test_a_plan_that_cannot_be_carried_out_is_asked_for_once_more_and_then_given_up(
    tasks: tuple[PlannedTask, ...],
) -> None:
    scenario = Scenario().opens().clarifies().plans(*tasks).then(happened.PlanRefused).owing("plan-2")
    scenario.plans(*tasks).then(happened.PlanRefused, happened.ReportBegun).owing("report-1")
    scenario.reports().stands(Status.INCOMPLETE)
    assert scenario.state.reason is EndReason.NO_PLAN


def test_a_written_plan_with_a_circle_is_refused_at_once() -> None:
    scenario = Scenario().opens(task("a", depends_on=("b",)), task("b", depends_on=("a",)))
    scenario.is_refused(InvalidPlan, "wait for each other")
    assert not scenario.state.exists


def test_what_was_agreed_before_is_carried_out_as_it_was() -> None:
    handed = HandedTask(
        task_id="room", title="Book the room", owner="ann", deadline="2027-02-01", expected_output="Booking"
    )
    brief = type(BRIEF)(title="x", goal="Meet.", people=BRIEF.people, tasks=(handed,), origin="collab-1")
    scenario = Scenario(brief=brief).opens().stands(Status.WORKING)
    ticket = scenario.ticket()
    assert (ticket.owner.user_id, ticket.task.deadline) == (ANN, "2027-02-01")
    assert [(each.label, each.path) for each in ticket.task.outputs] == [("Booking", "booking.md")]
    assert scenario.state.planned_by is PlannedBy.HANDOVER


def test_a_step_that_nobody_has_taken_is_whoever_asked_s_and_a_named_one_is_theirs_who_agreed() -> None:
    tasks = (
        HandedTask(task_id="step", title="The evening"),
        HandedTask(task_id="site", title="The site", owner="carlos"),
    )
    people = (*BRIEF.people, HandedPerson(person_id="carlos", name="Carlos"))
    brief = type(BRIEF)(title="x", goal="Meet.", people=people, tasks=tasks, origin="collab-1")
    step, site = Scenario(brief=brief).opens().state.tickets.values()

    assert (step.owner.kind, step.owner.user_id, step.need) == (WorkerKind.PERSON, REQUESTER, None)
    assert (site.owner.name, site.need) == ("Carlos", PersonNeed.OWNER)


# ── the state machine ─────────────────────────────────────────────────────────────────────────────────────────────


def test_pending_to_discussing_when_a_proposal_is_needed() -> None:
    scenario = opened(task(needs_proposal=True)).ticket_is(DISCUSSING).owing("propose-T-1-1")
    scenario.proposes().owing()
    answer = {"by": ANN, "ticket_id": "T-1", "agrees": False, "text": "Not before noon."}
    scenario.does(asked.AnswerProposal, **answer).owing("propose-T-1-2")
    scenario.proposes().does(asked.AnswerProposal, by=ANN, ticket_id="T-1", agrees=True).owing("instruct-T-1-1")
    scenario.instructs().ticket_is(IN_PROGRESS)


def test_where_nobody_answers_in_time_the_requester_decides_in_a_discussion() -> None:
    scenario = opened(task(needs_proposal=True)).proposes()
    scenario.rings("discuss-T-1").then()
    scenario.later(24 * 3600).rings("discuss-T-1").then(happened.PersonNeeded).owing()
    scenario.ticket_is(DISCUSSING, need=PersonNeed.CONSENT)


def test_a_machine_is_asked_about_the_proposal_too() -> None:
    opened(task(owner=FOR_WRITER, needs_proposal=True)).proposes().owing("discuss-T-1-1")
    opened(task(owner=FOR_SCRIPT, needs_proposal=True)).proposes().owing("discuss-T-1-1")


def test_pending_to_in_progress_when_the_instruction_is_there_and_the_command_is_started() -> None:
    scenario = opened(task(owner=FOR_AGENT)).ticket_is(PENDING).owing("instruct-T-1-1")
    scenario.instructs().then(happened.InstructionGiven, happened.WorkStarted).ticket_is(IN_PROGRESS)
    assert [each.name for each in scenario.runs()] == ["work-T-1-1"]


def test_in_progress_to_blocked_and_back() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(issues=("Which room?",)).ticket_is(BLOCKED)
    scenario.owing("advise-T-1-1").advises("answer", text="The small one.").ticket_is(IN_PROGRESS)
    scenario.owing("work-T-1-2")
    assert scenario.ticket().answers == ("The small one.",)


def test_blocked_it_waits_for_the_requester_where_the_manager_cannot_tell() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(issues=("Which room?",)).advises("ask", text="Which one?")
    scenario.ticket_is(BLOCKED, need=PersonNeed.BLOCKED).owing()
    scenario.does(asked.AnswerBlock, by=BO, ticket_id="T-1", text="x").is_refused(NotAllowed)
    scenario.does(asked.AnswerBlock, by=REQUESTER, ticket_id="T-1", text="The hall.").ticket_is(IN_PROGRESS)
    scenario.owing("work-T-1-2")


def test_in_progress_to_awaiting_review_when_it_is_reported_with_proof() -> None:
    reported(task(owner=FOR_AGENT)).ticket_is(AWAITING_REVIEW).owing("review-T-1-1")


def test_awaiting_review_back_to_in_progress_when_changes_are_requested() -> None:
    scenario = reported(task(owner=FOR_AGENT)).reviews("changes_requested", requested_changes=("Shorter.",))
    scenario.ticket_is(IN_PROGRESS).owing("work-T-1-2")
    assert scenario.ticket().changes == ("Shorter.",)
    scenario.worked().ticket_is(AWAITING_REVIEW).owing("review-T-1-2")


def test_awaiting_review_to_done_when_it_is_approved() -> None:
    reported(task(owner=FOR_AGENT)).reviews().ticket_is(DONE)


def test_blocked_to_error_when_the_manager_gives_up() -> None:
    scenario = instructed(task(owner=FOR_AGENT)).worked(issues=("All of it",)).advises("give_up", text="No.")
    scenario.ticket_is(ERROR, need=PersonNeed.FAILED)


def test_in_progress_to_error_when_the_retries_are_exhausted() -> None:
    policy = Policy(retries=1, escalations=0, retry_backoff=10)
    scenario = instructed(task(owner=FOR_AGENT), policy=policy).worked(failure="exit").ticket_is(IN_PROGRESS).owing()
    scenario.rings("retry-T-1").owing()
    scenario.later(10).rings("retry-T-1").owing("work-T-1-2")
    scenario.worked(failure="exit").ticket_is(ERROR, need=PersonNeed.FAILED)


def test_error_to_pending_by_a_manual_reset() -> None:
    scenario = instructed(task(owner=FOR_AGENT), policy=Policy(retries=0, escalations=0)).worked(failure="exit")
    scenario.does(asked.ResetTicket, by=BO, ticket_id="T-1").is_refused(NotAllowed)
    scenario.does(asked.ResetTicket, by=REQUESTER, ticket_id="T-1").ticket_is(PENDING).owing("instruct-T-1-2")
    scenario.instructs().owing("work-T-1-2")


def test_when_all_are_done_it_is_reported_and_ends() -> None:
    scenario = reported().reviews().stands(Status.REPORTING).owing("report-1").reports().stands(Status.COMPLETED)
    assert (scenario.state.reason, scenario.event(happened.DeliveryEnded).is_complete) == (EndReason.ALL_DONE, True)


# ── dependencies ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_blocked_ticket_blocks_only_what_depends_on_it() -> None:
    scenario = (
        instructed(task("a", FOR_AGENT), task("b", FOR_SCRIPT, depends_on=("a",)), task("c", FOR_SCRIPT))
        .worked(issues=("x",))
        .advises("ask")
    )
    scenario.ticket_is(BLOCKED, "T-1", need=PersonNeed.BLOCKED).ticket_is(PENDING, "T-2")
    scenario.ticket_is(IN_PROGRESS, "T-3").worked("T-3").reviews(ticket_id="T-3").ticket_is(DONE, "T-3")


def test_what_waits_really_begins_when_it_is_unblocked() -> None:
    scenario = instructed(task("a", FOR_AGENT), task("b", FOR_SCRIPT, depends_on=("a",))).worked(issues=("x",))
    scenario.advises("answer", text="y").worked().reviews().owing("instruct-T-2-1")
    scenario.instructs("T-2").owing("work-T-2-1")


def test_a_dropped_ticket_holds_nothing_up() -> None:
    scenario = instructed(task("a"), task("b", FOR_SCRIPT, depends_on=("a",)))
    scenario.does(asked.DropTicket, by=REQUESTER, ticket_id="T-1").ticket_is(DROPPED).owing("instruct-T-2-1")


def test_a_dependency_that_takes_long_is_told_once() -> None:
    scenario = instructed(task("a"), task("b", FOR_SCRIPT, depends_on=("a",))).later(24 * 3600).rings("late-T-2")
    assert scenario.event(happened.DependencyLate).waits_for == ("T-1",)
    scenario.rings("late-T-2").then()


# ── reviews ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_after_so_many_requested_changes_a_person_decides() -> None:
    scenario = reported(task(owner=FOR_AGENT), policy=Policy(review_cycles=2)).reviews("changes_requested").worked()
    scenario.reviews("changes_requested", requested_changes=("Still.",))
    scenario.ticket_is(AWAITING_REVIEW, need=PersonNeed.REVIEW).decides().ticket_is(DONE)


def test_the_requester_overrules_an_approval() -> None:
    scenario = reported(task("a", FOR_AGENT), task("b")).reviews().ticket_is(DONE)
    scenario.decides(approves=False, changes="It is the wrong day.").ticket_is(IN_PROGRESS).owing("work-T-1-2")


def test_the_requester_overrules_requested_changes() -> None:
    scenario = reported().reviews("changes_requested").ticket_is(IN_PROGRESS).decides().ticket_is(DONE)
    assert scenario.event(happened.ReviewGiven).decision is ReviewDecision.APPROVED


def test_nothing_is_approved_that_nobody_reported() -> None:
    instructed().decides().is_refused(IllegalStep)
    reported().decides(by=ANN).is_refused(NotAllowed)
    reported().decides(report=7).is_refused(Outdated)


def test_the_manager_does_not_review_what_it_did_itself() -> None:
    boss = type(FOR_WRITER)(kind=WorkerKind.MODEL, role_id="manager", name="Manager")
    scenario = instructed(task(owner=boss)).worked()
    scenario.ticket_is(AWAITING_REVIEW, need=PersonNeed.REVIEW).owing()


def test_without_a_review_of_the_manager_the_requester_decides() -> None:
    reported().fails("review-T-1-1").ticket_is(AWAITING_REVIEW, need=PersonNeed.REVIEW).decides().ticket_is(DONE)


# ── who gets it ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_who_can_do_it_gets_a_ticket_without_an_owner() -> None:
    nobody = type(FOR_ANN)()
    scenario = opened(task(owner=nobody, capabilities=("research",)))
    assert scenario.ticket().owner.role_id == "worker_script"


def test_where_nobody_can_the_requester_chooses() -> None:
    scenario = opened(task(owner=type(FOR_ANN)())).ticket_is(PENDING, need=PersonNeed.OWNER).owing()
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_ANN).ticket_is(PENDING)
    scenario.owing("instruct-T-1-1")


def test_as_many_machines_work_at_once_as_may() -> None:
    tasks = [task(f"t{number}", FOR_SCRIPT) for number in range(4)]
    scenario = instructed(*tasks, policy=Policy(workers_at_once=2))
    running = [each.ticket_id for each in scenario.state.tickets.values() if each.running]
    assert running == ["T-1", "T-2"]
    scenario.worked("T-1").then(happened.WorkReported, happened.WorkStarted)
    assert scenario.ticket("T-3").running


def test_a_role_that_may_be_there_only_once_works_on_one_ticket_at_a_time() -> None:

    scenario = Scenario(roles=(replace(SCRIPT, has_instances=False),)).opens(
        task("a", FOR_SCRIPT), task("b", FOR_SCRIPT)
    )
    scenario.instructs("T-1").instructs("T-2")
    assert scenario.ticket("T-1").running
    assert not scenario.ticket("T-2").running
    scenario.worked("T-1")
    assert scenario.ticket("T-2").running


def test_another_owner_begins_anew_and_what_the_former_one_did_is_voided() -> None:
    scenario = instructed(task(owner=FOR_AGENT))
    scenario.does(asked.ChangeOwner, by=REQUESTER, ticket_id="T-1", owner=FOR_ANN)
    assert scenario.last.drop == ["work-T-1-1"]
    scenario.does(asked.RecordWork, ticket_id="T-1", attempt=1, artifacts=()).then()
    scenario.finishes().worked().ticket_is(AWAITING_REVIEW)


# ── how it ends otherwise ─────────────────────────────────────────────────────────────────────────────────────────


def test_stopped_what_runs_is_voided_and_it_is_reported() -> None:
    scenario = instructed(task(owner=FOR_AGENT), task("b"))
    scenario.does(asked.StopDelivery, by=ANN).is_refused(NotAllowed)
    scenario.does(asked.StopDelivery, by=REQUESTER).stands(Status.REPORTING).owing("report-1")
    assert scenario.last.drop == ["work-T-1-1"]
    assert not any(each.running for each in scenario.state.tickets.values())
    scenario.reports().stands(Status.INCOMPLETE)


def test_when_its_time_is_up_it_is_reported() -> None:
    scenario = opened(task(deadline="2027-02-01"))
    scenario.rings("end").then()
    scenario.now = scenario.state.until
    scenario.rings("end").stands(Status.REPORTING)
    assert scenario.state.reason is EndReason.TIME_IS_UP


def test_an_owner_is_reminded_before_the_last_day_ends_and_told_when_it_is_over() -> None:
    scenario = instructed(task(deadline="2027-02-01"))
    (remind,) = (each.due for each in opened(task(deadline="2027-02-01")).last.alarms if each.name == "remind-T-1")
    scenario.now = remind
    scenario.rings("remind-T-1").then(happened.OwnerReminded)
    scenario.rings("due-T-1").then()
    scenario.later(24 * 3600).rings("due-T-1").then(happened.TicketOverdue)
    scenario.rings("due-T-1").then()
