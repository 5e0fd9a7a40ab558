"""How each event changes what a delivery knows. The tables of `rules` say which status may follow."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.delivery import events as happened
from engine.delivery.decision_fold import noted
from engine.delivery.state import (
    Clarification,
    Delivery,
    Status,
    Ticket,
)
from engine.delivery.terms import (
    Brief,
    Cost,
    PersonNeed,
    Task,
    TicketEvent,
)
from engine.delivery.ticket_fold import TICKET_CHANGES, attempt_ended
from engine.kernel import Event, Millis

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
