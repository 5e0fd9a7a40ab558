"""What a delivery owes to the world, as a function of its state: who is asked, what runs, when it is looked at again.

Every name says which one of its kind it is, so that nothing that was done already is owed again.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Final

from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import PersonNeed, WorkerKind
from engine.facts.asked import zone_of
from engine.kernel import Ask, Effect, Millis, Outstanding, RegisterOutputs, RunWorker

CLARIFY: Final = "clarify"
END: Final = "end"
RETRY, DISCUSS, LATE, REMIND, DUE = "retry", "discuss", "late", "remind", "due"
"""Alarms of a ticket: ``retry-T-1``."""

COMMANDS: Final = frozenset({WorkerKind.ACP, WorkerKind.ENVELOPE})
"""What runs in a process of its own."""


def outstanding(state: Delivery) -> Outstanding:
    return Outstanding(dict.fromkeys(_effects(state)), alarms(state))


# ── effects ───────────────────────────────────────────────────────────────────────────────────────────────────────


def effects(state: Delivery) -> dict[str, Effect]:
    """Return what is owed at the moment, by name."""
    return {each.name: each for each in _effects(state)}


def _effects(state: Delivery) -> Iterator[Effect]:
    match state.status:
        case Status.CLARIFYING if state.open_clarification is None:
            yield _ask("clarify", len(state.clarifications) + 1)
        case Status.PLANNING:
            yield _ask("plan", state.plans_refused + 1)
        case Status.WORKING:
            for ticket in state.tickets.values():
                if (owed := _of_ticket(state, ticket)) is not None:
                    yield owed
        case Status.REPORTING if state.report is None:
            yield _ask("report", 1)
        case _:
            pass


def _ask(prompt: str, number: int) -> Ask:
    name = f"{prompt}-{number}"
    return Ask(name=name, scope=name, prompt=prompt, about=str(number))


def _of_ticket(state: Delivery, ticket: Ticket) -> Effect | None:
    """What one ticket owes: one thing at a time."""
    match ticket.status:
        case TicketStatus.PENDING if is_ready(state, ticket) and not wants_proposal(state, ticket):
            return _ask_about(ticket, "instruct", ticket.instructions + 1)
        case TicketStatus.DISCUSSING:
            return _discussion(state, ticket)
        case TicketStatus.IN_PROGRESS:
            return _work(ticket)
        case TicketStatus.BLOCKED if ticket.is_stuck and not ticket.is_a_persons:
            return _ask_about(ticket, "advise", len(ticket.advice) + 1)
        case TicketStatus.AWAITING_REVIEW if ticket.need is None:
            return _ask_about(ticket, "review", len(ticket.reports))
        case _:
            return None


def _ask_about(ticket: Ticket, prompt: str, number: int) -> Ask:
    name = f"{prompt}-{ticket.ticket_id}-{number}"
    return Ask(name=name, scope=name, prompt=prompt, about=ticket.ticket_id)


def _run(ticket: Ticket, purpose: str, number: int) -> RunWorker:
    name = f"{purpose}-{ticket.ticket_id}-{number}"
    return RunWorker(name=name, scope=name, about=ticket.ticket_id, purpose=purpose)


def _discussion(state: Delivery, ticket: Ticket) -> Effect | None:
    made = len(ticket.proposals)
    if made == len(ticket.proposal_answers):
        is_settled = bool(made) and (ticket.proposal_answers[-1].agrees or made >= state.policy.proposal_rounds)
        if is_settled:
            return _ask_about(ticket, "instruct", ticket.instructions + 1)
        return _ask_about(ticket, "propose", made + 1)
    if ticket.need is PersonNeed.CONSENT:
        return None
    asked = made + len(ticket.unanswered)
    if ticket.owner.kind is WorkerKind.MODEL:
        return _ask_about(ticket, "discuss", asked)
    if ticket.owner.kind in COMMANDS:
        return _run(ticket, "discuss", asked)
    return None  # a person is waited for


def _work(ticket: Ticket) -> Effect | None:
    if ticket.claim is not None:
        name = f"register-{ticket.ticket_id}-{ticket.claim.attempt}"
        return RegisterOutputs(name=name, scope=name, about=ticket.ticket_id)
    if (running := ticket.running) is not None:
        if ticket.owner.kind is WorkerKind.MODEL:
            return _ask_about(ticket, "work", running.number)
        if ticket.owner.kind in COMMANDS:
            return _run(ticket, "work", running.number)
        return None  # a person works
    if ticket.is_stuck:
        return _ask_about(ticket, "advise", len(ticket.advice) + 1)
    return None


def is_ready(state: Delivery, ticket: Ticket) -> bool:
    """Whether work on it may be prepared: somebody has it, and all it depends on is settled."""
    return ticket.owner.kind is not WorkerKind.NOBODY and not state.waits_for(ticket)


def is_high_risk(state: Delivery, ticket: Ticket) -> bool:
    """Whether its task says so, or the role that has it."""
    role = state.roles.get(ticket.owner.role_id)
    return ticket.task.needs_proposal or (role is not None and role.is_high_risk)


def wants_proposal(state: Delivery, ticket: Ticket) -> bool:
    return is_high_risk(state, ticket) and not ticket.proposals


# ── alarms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def alarms(state: Delivery) -> dict[str, Millis]:
    """Return when it has to be looked at again, by name."""
    if not state.is_open:
        return {}
    if (asked := state.open_clarification) is not None:
        return {CLARIFY: asked.until}
    if state.status is not Status.WORKING:
        return {}
    found = {END: state.until}
    for ticket in state.tickets.values():
        if ticket.is_open:
            found.update({f"{name}-{ticket.ticket_id}": due for name, due in _alarms(state, ticket)})
    return found


def _alarms(state: Delivery, ticket: Ticket) -> Iterator[tuple[str, Millis]]:
    policy = state.policy
    if ticket.status is TicketStatus.IN_PROGRESS and ticket.retry_at and ticket.running is None:
        yield RETRY, ticket.retry_at
    if is_persons_to_discuss(ticket) and ticket.need is None:
        yield DISCUSS, ticket.discussed_until
    if ticket.status is TicketStatus.PENDING and not ticket.late_told and state.waits_for(ticket):
        yield LATE, ticket.since + round(policy.dependency_alert_hours * 3_600_000)
    due = due_at(state, ticket)
    if due is not None:
        if is_to_remind(ticket):
            yield REMIND, max(ticket.created_at, due - round(policy.reminder_hours * 3_600_000))
        if not ticket.overdue:
            yield DUE, due


def is_to_remind(ticket: Ticket) -> bool:
    """Whether its owner is a person who still has something to do, and was not reminded."""
    is_left = ticket.status not in (TicketStatus.AWAITING_REVIEW, TicketStatus.ERROR) and ticket.is_open
    return is_left and ticket.is_a_persons and not ticket.reminded


def is_persons_to_discuss(ticket: Ticket) -> bool:
    is_open = len(ticket.proposals) > len(ticket.proposal_answers)
    return ticket.status is TicketStatus.DISCUSSING and ticket.is_a_persons and is_open


def is_open_to_people(ticket: Ticket) -> bool:
    """Whether somebody can say what they think of a proposal: a person who has it, or whoever decides in the place of
    who has not answered.
    """
    is_open = ticket.status is TicketStatus.DISCUSSING and len(ticket.proposals) > len(ticket.proposal_answers)
    return is_open and (ticket.is_a_persons or ticket.need is PersonNeed.CONSENT)


def due_at(state: Delivery, ticket: Ticket) -> Millis | None:
    """When its last day is over, where the requester is; None where none was agreed."""
    try:
        day = date.fromisoformat(ticket.task.deadline)
    except ValueError:
        return None
    if day.year >= 9999:
        return None
    end = datetime.combine(day + timedelta(days=1), time(), zone_of(state.brief.time_zone))
    return round(end.timestamp() * 1000)
