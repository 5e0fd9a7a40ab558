"""How each event changes what a delivery knows. The tables of `rules` say which status may follow."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.delivery import events as happened
from engine.delivery.state import (
    AskedDecision,
    AskedPermission,
    Attempt,
    Claim,
    Clarification,
    Delivery,
    HandOver,
    Status,
    Ticket,
    TicketStatus,
    WorkReport,
)
from engine.delivery.terms import (
    MANAGER,
    SCHEDULER,
    Brief,
    Cost,
    PersonNeed,
    ReviewDecision,
    Task,
    TicketEvent,
    WorkerKind,
)
from engine.kernel import Event, Millis

# ── a ticket ──────────────────────────────────────────────────────────────────────────────────────────────────────────
# How each event about a ticket changes it. The table of `rules` says which status may follow.


def _dropped(ticket: Ticket, event: happened.TicketDropped) -> Ticket:
    ended = attempt_ended(ticket, event.at, "dropped")
    return replace(
        ended, status=TicketStatus.DROPPED, dropped_by=event.by, dropped_why=event.why, need=None, hand_over_to=""
    )


def _checking_changed(ticket: Ticket, event: happened.CheckingChanged) -> Ticket:
    task = replace(
        ticket.task,
        needs_proposal=event.is_high_risk,
        risk_reason=event.risk_reason,
        checked_by=event.checked_by,
    )
    return replace(ticket, task=task, checker_gone="")


def _owner_changed(ticket: Ticket, event: happened.OwnerChanged) -> Ticket:
    """Whoever has it now begins anew: nothing of the former worker's session is theirs.

    What blocked the former worker need not block a machine that has it now, which tries; a person says so if it does.
    """
    ended = attempt_ended(ticket, event.at, "reassigned")
    tries = ticket.status is TicketStatus.BLOCKED and event.owner.kind not in (WorkerKind.PERSON, WorkerKind.NOBODY)
    return replace(
        _hand_over_answered(ended, is_taken=True) if event.why == "taken" else ended,
        owner=event.owner,
        status=TicketStatus.IN_PROGRESS if tries else ticket.status,
        issues=() if tries else ticket.issues,
        holders=(*ticket.holders, event.owner.user_id) if event.owner.user_id else ticket.holders,
        agent_session="",
        permissions={},
        hand_over_to="",
        failures=0,
        retry_at=0,
        is_stuck=False,
        need=ticket.need if ticket.need is PersonNeed.REVIEW else None,
        escalations=ticket.escalations if event.by in (MANAGER, SCHEDULER) else 0,
        reminded=False,
    )


def _hand_over_asked(ticket: Ticket, event: happened.HandOverAsked) -> Ticket:
    asked = HandOver(by=event.by, to=event.to, at=event.at)
    return replace(ticket, hand_over_to=event.to, hand_overs=(*ticket.hand_overs, asked))


def _hand_over_declined(ticket: Ticket, event: happened.HandOverDeclined) -> Ticket:
    return replace(_hand_over_answered(ticket, is_taken=False), hand_over_to="")


def _hand_over_answered(ticket: Ticket, *, is_taken: bool) -> Ticket:
    *before, last = ticket.hand_overs
    return replace(ticket, hand_overs=(*before, replace(last, is_taken=is_taken)))


def _proposal_needed(ticket: Ticket, event: happened.ProposalNeeded) -> Ticket:
    return replace(ticket, status=TicketStatus.DISCUSSING)


def _proposal_made(ticket: Ticket, event: happened.ProposalMade) -> Ticket:
    return replace(ticket, proposals=(*ticket.proposals, event))


def _proposal_answered(ticket: Ticket, event: happened.ProposalAnswered) -> Ticket:
    need = None if ticket.need is PersonNeed.CONSENT else ticket.need
    return replace(ticket, proposal_answers=(*ticket.proposal_answers, event), need=need)


def _proposal_unanswered(ticket: Ticket, event: happened.ProposalUnanswered) -> Ticket:
    return replace(ticket, unanswered=(*ticket.unanswered, event.number))


def _instruction_given(ticket: Ticket, event: happened.InstructionGiven) -> Ticket:
    return replace(
        ticket,
        status=TicketStatus.IN_PROGRESS,
        instruction=event.instruction,
        instructions=ticket.instructions + 1,
        failures=0,
        retry_at=0,
        is_stuck=False,
        need=None,
        question="",
    )


def _work_started(ticket: Ticket, event: happened.WorkStarted) -> Ticket:
    begun = Attempt(number=event.attempt, by=event.by, started_by=event.started_by, started_at=event.at)
    used = {
        digest: replace(each, told_to=event.attempt) if each.choice is not None and not each.told_to else each
        for digest, each in ticket.permissions.items()
    }
    return replace(ticket, attempts=(*ticket.attempts, begun), retry_at=0, permissions=used)


def _work_claimed(ticket: Ticket, event: happened.WorkClaimed) -> Ticket:
    claim = Claim(
        attempt=event.attempt,
        by=event.by,
        evidence=event.evidence,
        summary=event.summary,
        next_actions=event.next_actions,
    )
    return _paid(replace(ticket, claim=claim, shown=event.evidence), event.cost)


def _work_reported(ticket: Ticket, event: happened.WorkReported) -> Ticket:
    report = WorkReport(
        number=len(ticket.reports) + 1,
        attempt=event.attempt,
        by=event.by,
        at=event.at,
        summary=event.summary,
        artifacts=event.artifacts,
        shown_by=ticket.claim.by if ticket.claim is not None and ticket.claim.by != event.by else "",
        checks=event.checks,
        issues=event.issues,
        next_actions=event.next_actions,
    )
    return replace(
        _attempt_over(ticket, event, "reported"),
        status=TicketStatus.AWAITING_REVIEW,
        reports=(*ticket.reports, report),
        issues=(),
        changes=(),
        failures=0,
        is_stuck=False,
        need=None,
        question="",
        hand_over_to="",
    )


def _work_blocked(ticket: Ticket, event: happened.WorkBlocked) -> Ticket:
    return replace(
        _attempt_over(ticket, event, "blocked"),
        status=TicketStatus.BLOCKED,
        issues=event.issues,
        blocked_by=event.by,
        is_stuck=True,
    )


def _attempt_failed(ticket: Ticket, event: happened.AttemptFailed) -> Ticket:
    ended = _attempt_over(ticket, event, event.code)
    if event.code == "interrupted":
        stuck = not event.retry_at and not ticket.is_a_persons
        return replace(ended, interruptions=ticket.interruptions + 1, retry_at=event.retry_at, is_stuck=stuck)
    return replace(
        ended,
        failures=ticket.failures + 1,
        retry_at=event.retry_at,
        is_stuck=not event.retry_at and not ticket.is_a_persons,
    )


def _permission_asked(ticket: Ticket, event: happened.PermissionAsked) -> Ticket:
    asked = AskedPermission(permission=event.permission, attempt=event.attempt, by=event.by, at=event.at)
    rest = {digest: each for digest, each in ticket.permissions.items() if digest != event.permission.digest}
    return replace(
        _attempt_over(ticket, event, "permission"),
        permissions={**rest, event.permission.digest: asked},
        need=PersonNeed.PERMISSION,
    )


def _permission_answered(ticket: Ticket, event: happened.PermissionAnswered) -> Ticket:
    answered = replace(
        ticket.permissions[event.digest],
        choice=event.choice,
        answered_by=event.by,
        answered_at=event.at,
        expires=event.expires,
        told_to=0,
    )
    changed = replace(ticket, permissions={**ticket.permissions, event.digest: answered})
    is_waiting = changed.waiting_permission is not None
    return changed if is_waiting else replace(changed, need=None)


def _advice_given(ticket: Ticket, event: happened.AdviceGiven) -> Ticket:
    return replace(
        ticket, advice=(*ticket.advice, event), escalations=ticket.escalations + 1, is_stuck=False, failures=0
    )


def _unblocked(ticket: Ticket, event: happened.Unblocked) -> Ticket:
    return replace(
        ticket,
        status=TicketStatus.IN_PROGRESS,
        answers=(*ticket.answers, event.text),
        issues=(),
        is_stuck=False,
        need=None,
        question="",
        failures=0,
        retry_at=0,
        escalations=ticket.escalations if event.by == MANAGER else 0,
    )


def _person_needed(ticket: Ticket, event: happened.PersonNeeded) -> Ticket:
    gone = event.gone or ticket.checker_gone
    return replace(ticket, need=event.need, question=event.text, is_stuck=False, checker_gone=gone)


def _review_given(ticket: Ticket, event: happened.ReviewGiven) -> Ticket:
    *before, last = ticket.reports
    reviewed = replace(ticket, reports=(*before, replace(last, review=event)), need=None, question="")
    if event.decision is ReviewDecision.APPROVED:
        ended = attempt_ended(reviewed, event.at, "approved")
        answered = {digest: each for digest, each in ticket.permissions.items() if each.choice is not None}
        ended = replace(ended, permissions=answered)
        return replace(ended, status=TicketStatus.DONE, done_at=event.at, retry_at=0, hand_over_to="", changes=())
    is_managers = event.by == MANAGER
    return replace(
        reviewed,
        status=TicketStatus.IN_PROGRESS,
        changes=event.requested_changes,
        cycles=ticket.cycles + 1 if is_managers else 0,
        done_at=0,
        failures=0,
        overdue=False,
    )


def _evidence_opened(ticket: Ticket, event: happened.EvidenceOpened) -> Ticket:
    number = event.report - 1
    report = ticket.reports[number]
    opened = replace(report, opened=report.opened | {(event.by, event.output)})
    return replace(ticket, reports=(*ticket.reports[:number], opened, *ticket.reports[number + 1 :]))


def _ticket_failed(ticket: Ticket, event: happened.TicketFailed) -> Ticket:
    ended = attempt_ended(ticket, event.at, "failed")
    return replace(ended, status=TicketStatus.ERROR, failure=event.code, is_stuck=False, need=PersonNeed.FAILED)


def _ticket_reset(ticket: Ticket, event: happened.TicketReset) -> Ticket:
    """It begins anew; what was tried, and what it has cost, stays on record."""
    return replace(
        ticket,
        status=TicketStatus.PENDING,
        instruction=None,
        failure=None,
        need=None,
        question="",
        failures=0,
        interruptions=0,
        cycles=0,
        escalations=0,
        retry_at=0,
        is_stuck=False,
        agent_session="",
        issues=(),
        late_told=False,
    )


def _dependency_late(ticket: Ticket, event: happened.DependencyLate) -> Ticket:
    return replace(ticket, late_told=True)


def _owner_reminded(ticket: Ticket, event: happened.OwnerReminded) -> Ticket:
    return replace(ticket, reminded=True)


def _overdue(ticket: Ticket, event: happened.TicketOverdue) -> Ticket:
    return replace(ticket, overdue=True)


def _attempt_over(ticket: Ticket, event: Any, outcome: str) -> Ticket:
    """Close the attempt that an event is about, with what it has cost."""
    ended = attempt_ended(ticket, event.at, outcome, getattr(event, "detail", ""))
    *before, last = ended.attempts
    last = replace(last, worker=event.worker, cost=last.cost.plus(event.cost))
    kept = event.agent_session or ticket.agent_session
    return _paid(replace(ended, attempts=(*before, last), agent_session=kept), event.cost)


def attempt_ended(ticket: Ticket, at: Millis, outcome: str, detail: str = "") -> Ticket:
    """End the attempt that is under way, if one is; a claim of it is settled with it."""
    running = ticket.running
    if running is None:
        return replace(ticket, claim=None) if ticket.claim is not None else ticket
    ended = replace(running, ended_at=at, outcome=outcome, detail=detail)
    return replace(ticket, attempts=(*ticket.attempts[:-1], ended), claim=None)


def _paid(ticket: Ticket, cost: Cost) -> Ticket:
    return replace(ticket, spent=ticket.spent.plus(cost)) if cost != Cost() else ticket


TICKET_CHANGES: Final[Mapping[type[Event], Callable[[Ticket, Any], Ticket]]] = {
    happened.TicketDropped: _dropped,
    happened.CheckingChanged: _checking_changed,
    happened.OwnerChanged: _owner_changed,
    happened.HandOverAsked: _hand_over_asked,
    happened.HandOverDeclined: _hand_over_declined,
    happened.ProposalNeeded: _proposal_needed,
    happened.ProposalMade: _proposal_made,
    happened.ProposalAnswered: _proposal_answered,
    happened.ProposalUnanswered: _proposal_unanswered,
    happened.InstructionGiven: _instruction_given,
    happened.WorkStarted: _work_started,
    happened.WorkClaimed: _work_claimed,
    happened.WorkReported: _work_reported,
    happened.WorkBlocked: _work_blocked,
    happened.AttemptFailed: _attempt_failed,
    happened.PermissionAsked: _permission_asked,
    happened.PermissionAnswered: _permission_answered,
    happened.AdviceGiven: _advice_given,
    happened.Unblocked: _unblocked,
    happened.PersonNeeded: _person_needed,
    happened.ReviewGiven: _review_given,
    happened.EvidenceOpened: _evidence_opened,
    happened.TicketFailed: _ticket_failed,
    happened.TicketReset: _ticket_reset,
    happened.DependencyLate: _dependency_late,
    happened.OwnerReminded: _owner_reminded,
    happened.TicketOverdue: _overdue,
}


# ── what people had to decide ─────────────────────────────────────────────────────────────────────────────────────────
# Remembers what people had to decide about a ticket, and how each decision was settled.


OUTCOMES: Final[Mapping[type[Event], str]] = {
    happened.Unblocked: "answered",
    happened.OwnerChanged: "owner_changed",
    happened.TicketDropped: "dropped",
    happened.TicketReset: "reset",
    happened.BudgetRaised: "budget_raised",
}
MOVED_ON: Final = "moved_on"
"""It went on by itself."""


def noted(before: Ticket, after: Ticket, event: Event, at: Millis) -> Ticket:
    """Return the ticket after an event, with the decision that the event asks for or settles."""
    is_asked = isinstance(event, happened.PersonNeeded | happened.PermissionAsked | happened.TicketFailed)
    if after.need is before.need and not is_asked:
        return after
    kept = after.decisions
    if kept and not kept[-1].outcome:
        outcome, by = _outcome(event), getattr(event, "by", "") if not is_asked else ""
        owner = event.owner if isinstance(event, happened.OwnerChanged) else kept[-1].given_to
        kept = (*kept[:-1], replace(kept[-1], outcome=outcome, by=by, settled_at=at, given_to=owner))
    if after.need is not None:
        asked = _asked(after, after.need, len(kept) + 1, at)
        kept = (*kept, replace(asked, is_together=isinstance(event, happened.PersonNeeded) and event.is_together))
    return replace(after, decisions=kept)


def _asked(ticket: Ticket, need: PersonNeed, number: int, at: Millis) -> AskedDecision:
    permission = ticket.waiting_permission if need is PersonNeed.PERMISSION else None
    text = permission.permission.title if permission else ticket.question or "\n".join(ticket.issues)
    return AskedDecision(
        number=number,
        need=need,
        text=text,
        at=at,
        report=len(ticket.reports),
        digest=permission.permission.digest if permission else "",
    )


def _outcome(event: Event) -> str:
    match event:
        case happened.ReviewGiven():
            return str(event.decision)
        case happened.ProposalAnswered():
            return "agreed" if event.agrees else "suggested"
        case happened.PermissionAnswered():
            return str(event.choice)
        case _:
            return OUTCOMES.get(type(event), MOVED_ON)


# ── a delivery ────────────────────────────────────────────────────────────────────────────────────────────────────────


KEPT_REJECTED: Final = 20


def apply(state: Delivery, event: Event) -> Delivery:
    if isinstance(event, TicketEvent) and not isinstance(event, happened.TicketAdded):
        ticket = state.tickets[event.ticket_id]
        changed = noted(ticket, TICKET_CHANGES[type(event)](ticket, event), event, event.at)
        changed = replace(changed, since=event.at) if changed.status is not ticket.status else changed
        state = replace(state, tickets={**state.tickets, ticket.ticket_id: changed})
        if changed.spent is not ticket.spent:
            state = replace(state, spent=state.spent.plus(getattr(event, "cost", Cost())))
        if isinstance(event, happened.ProposalMade | happened.ProposalNeeded):
            state = _discussed_until(state, event)
    else:
        state = _CHANGES[type(event)](state, event)
    at = getattr(event, "at", 0)
    return replace(state, updated_at=at) if at else state


# ── the whole ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _opened(state: Delivery, event: happened.DeliveryOpened) -> Delivery:
    return replace(
        state,
        status=Status.PLANNING if event.is_planned else Status.CLARIFYING,
        session_id=event.session_id,
        requester_id=event.requester_id,
        conversation_id=event.conversation_id,
        brief=event.brief,
        policy=event.policy,
        roles={each.role_id: each for each in event.roles},
        place=event.place,
        opened_at=event.at,
    )


def _clarification_asked(state: Delivery, event: happened.ClarificationAsked) -> Delivery:
    asked = Clarification(
        number=event.number, questions=event.questions, intent_summary=event.intent_summary, until=event.until
    )
    return replace(
        state,
        brief=_spoken(state, event.language),
        clarifications=(*state.clarifications, asked),
        intent_summary=event.intent_summary or state.intent_summary,
    )


def _clarification_answered(state: Delivery, event: happened.ClarificationAnswered) -> Delivery:
    *before, last = state.clarifications
    return replace(state, clarifications=(*before, replace(last, answers=event.answers, by=event.by)))


def _clarification_closed(state: Delivery, event: happened.ClarificationClosed) -> Delivery:
    return replace(
        state,
        status=Status.PLANNING,
        brief=_spoken(state, event.language),
        intent_summary=event.intent_summary or state.intent_summary,
    )


def _spoken(state: Delivery, language: str) -> Brief:
    """Return the brief with the language that the Manager has told, where nobody knew it before."""
    return replace(state.brief, language=language) if language and not state.brief.language else state.brief


def _plan_refused(state: Delivery, event: happened.PlanRefused) -> Delivery:
    return replace(state, plans_refused=state.plans_refused + 1, plan_faults=event.faults)


def _plan_received(state: Delivery, event: happened.PlanReceived) -> Delivery:
    tickets = {
        each.ticket_id: each
        for each in (_ticket(number, task, event.at) for number, task in enumerate(event.tasks, state.added + 1))
    }
    return replace(
        state,
        status=Status.WORKING,
        tickets={**state.tickets, **tickets},
        added=state.added + len(event.tasks),
        planned_by=event.by,
        planned_at=event.at,
        until=event.until,
        plan_faults=(),
    )


def ticket_id(number: int) -> str:
    return f"T-{number}"


def _ticket(number: int, task: Task, at: Millis, added_by: str = "") -> Ticket:
    return Ticket(
        ticket_id=ticket_id(number),
        task=task,
        owner=task.owner,
        created_at=at,
        since=at,
        added_by=added_by,
        holders=(task.owner.user_id,) if task.owner.user_id else (),
    )


def _ticket_added(state: Delivery, event: happened.TicketAdded) -> Delivery:
    ticket = _ticket(state.added + 1, event.task, event.at, event.by)
    return replace(state, tickets={**state.tickets, ticket.ticket_id: ticket}, added=state.added + 1)


def _roles_changed(state: Delivery, event: happened.RolesChanged) -> Delivery:
    return replace(state, roles={each.role_id: each for each in event.roles}, policy=event.policy)


def _budget_raised(state: Delivery, event: happened.BudgetRaised) -> Delivery:
    tickets = {
        name: noted(each, replace(each, need=None, failures=0), event, event.at)
        if each.need is PersonNeed.BUDGET
        else each
        for name, each in state.tickets.items()
    }
    return replace(
        state,
        tokens_raised=state.tokens_raised + event.tokens,
        usd_raised=state.usd_raised + event.usd,
        is_spent=False,
        tickets=tickets,
    )


def _budget_spent(state: Delivery, event: happened.BudgetSpent) -> Delivery:
    return replace(state, is_spent=True)


def _rejected(state: Delivery, event: happened.EnvelopeRejected) -> Delivery:
    return replace(state, rejected=(*state.rejected, event)[-KEPT_REJECTED:])


def _report_begun(state: Delivery, event: happened.ReportBegun) -> Delivery:
    tickets = {name: attempt_ended(each, event.at, "stopped") for name, each in state.tickets.items()}
    return replace(state, status=Status.REPORTING, reason=event.reason, stopped_by=event.by, tickets=tickets)


def _final_report(state: Delivery, event: happened.FinalReportWritten) -> Delivery:
    return replace(state, report=event)


def _delivery_ended(state: Delivery, event: happened.DeliveryEnded) -> Delivery:
    status = Status.COMPLETED if event.is_complete else Status.INCOMPLETE
    return replace(state, status=status, reason=event.reason, ended_at=event.at)


def _erased(state: Delivery, event: happened.WordsErased) -> Delivery:
    return replace(state, erased="*" if not event.whose or state.erased == "*" else event.whose)


def _place_changed(state: Delivery, event: happened.PlaceChanged) -> Delivery:
    return replace(state, place=replace(state.place, channel=event.channel, shared=event.shared))


def _discussed_until(state: Delivery, event: TicketEvent) -> Delivery:
    """A person is waited for as long as the policy says, from when the proposal stood."""
    until = event.at + round(state.policy.proposal_hours * 3_600_000)
    ticket = replace(state.tickets[event.ticket_id], discussed_until=until)
    return replace(state, tickets={**state.tickets, event.ticket_id: ticket})


_CHANGES: Final[Mapping[type[Event], Callable[[Delivery, Any], Delivery]]] = {
    happened.DeliveryOpened: _opened,
    happened.ClarificationAsked: _clarification_asked,
    happened.ClarificationAnswered: _clarification_answered,
    happened.ClarificationClosed: _clarification_closed,
    happened.PlanRefused: _plan_refused,
    happened.PlanReceived: _plan_received,
    happened.TicketAdded: _ticket_added,
    happened.RolesChanged: _roles_changed,
    happened.BudgetRaised: _budget_raised,
    happened.BudgetSpent: _budget_spent,
    happened.EnvelopeRejected: _rejected,
    happened.ReportBegun: _report_begun,
    happened.FinalReportWritten: _final_report,
    happened.DeliveryEnded: _delivery_ended,
    happened.WordsErased: _erased,
    happened.PlaceChanged: _place_changed,
}
