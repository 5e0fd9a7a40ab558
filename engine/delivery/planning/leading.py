"""What whoever asked for a delivery does, and admins: they change the plan, answer, reset, and stop it."""

from datetime import date
from math import isfinite

from engine.delivery.commands import (
    AddTicket,
    AnswerBlock,
    ChangeChecking,
    ChangeOwner,
    DecidersCommand,
    DropTicket,
    LeadersCommand,
    RaiseBudget,
    ResetTicket,
    StopDelivery,
)
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.errors import ChecksOwnWork, InvalidPlan, InvalidText
from engine.delivery.events import (
    BudgetRaised,
    CheckingChanged,
    OwnerChanged,
    TicketAdded,
    TicketDropped,
    TicketReset,
    Unblocked,
)
from engine.delivery.planning.planning import check_checkers, completed, faults_of, worker_called
from engine.delivery.review.ending import stop as end
from engine.delivery.state import Delivery, Status, Ticket, TicketStatus
from engine.delivery.terms import EndReason, ExpectedOutput, Owner, PersonNeed, Task, WorkerKind
from engine.delivery.tickets.owners import doers, language, may_lead, may_permit, said
from engine.errors import IllegalStep, NotAllowed, Outdated

LONGEST_TITLE = 200
MOST_REASON = 300
"""Characters."""


def add(draft: DeliveryDraft, command: AddTicket) -> None:
    _check_leader(draft.state, command)
    _check_working(draft.state)
    state = draft.state
    depends = [draft.ticket(ticket_id).task.task_id for ticket_id in command.depends_on]
    output = said(command.expected_output, "expected result", 300, may_be_empty=True)
    task = completed(
        Task(
            task_id=_new_task_id(state),
            title=said(command.title, "title", LONGEST_TITLE),
            description=said(command.description, "description", may_be_empty=True),
            owner=_known_owner(state, command.owner),
            depends_on=tuple(depends),
            deadline=_day(command.deadline),
            outputs=(ExpectedOutput(label=output),) if output else (),
            needs_proposal=command.is_high_risk,
            risk_reason=_risk_reason(command),
            checked_by=command.checked_by,
        ),
        language(state),
    )
    if faults := faults_of([*(each.task for each in state.tickets.values()), task]):
        raise InvalidPlan(" ".join(faults))
    check_checkers([task])
    draft.happens(TicketAdded(**draft.ids, ticket_id=f"T-{state.added + 1}", at=command.at, by=command.by, task=task))


def _risk_reason(command: AddTicket | ChangeChecking) -> str:
    reason = said(command.risk_reason, "reason", MOST_REASON, may_be_empty=True)
    return reason if command.is_high_risk else ""


def _day(said: str) -> str:
    """Return the day as an ISO date; empty for none."""
    try:
        return date.fromisoformat(said).isoformat() if said else ""
    except ValueError:
        raise InvalidText("A deadline is a date, such as 2027-03-09.") from None


def _new_task_id(state: Delivery) -> str:
    taken = {each.task.task_id for each in state.tickets.values()}
    return next(name for number in range(1, len(taken) + 2) if (name := f"added-{number}") not in taken)


def drop(draft: DeliveryDraft, command: DropTicket) -> None:
    ticket = _decided(draft, command)
    if not ticket.is_open:
        raise IllegalStep("This ticket is settled already.")
    why = said(command.why, "reason", may_be_empty=True)
    draft.happens(TicketDropped(**draft.of(ticket, command.at), by=command.by, why=why))


def change_checking(draft: DeliveryDraft, command: ChangeChecking) -> None:
    ticket = _decided(draft, command)
    if not ticket.is_open:
        raise IllegalStep("This ticket is settled already.")
    reason = _risk_reason(command)
    task = ticket.task
    if (command.is_high_risk, reason, command.checked_by) == (task.needs_proposal, task.risk_reason, task.checked_by):
        raise IllegalStep("It says so already.")
    if command.checked_by and command.checked_by in doers(ticket):
        raise ChecksOwnWork(
            f"{command.checked_by} does {ticket.ticket_id}, or showed it, and so cannot check it. Name somebody else."
        )
    draft.happens(
        CheckingChanged(
            **draft.of(ticket, command.at),
            by=command.by,
            is_high_risk=command.is_high_risk,
            risk_reason=reason,
            checked_by=command.checked_by,
        )
    )


def change_owner(draft: DeliveryDraft, command: ChangeOwner) -> None:
    ticket = _decided(draft, command)
    if not ticket.is_open:
        raise IllegalStep("This ticket is settled; nobody has to do it any more.")
    owner = _known_owner(draft.state, command.owner)
    if owner == ticket.owner:
        raise IllegalStep("They have this ticket already.")
    draft.happens(OwnerChanged(**draft.of(ticket, command.at), by=command.by, owner=owner))


def _known_owner(state: Delivery, owner: Owner) -> Owner:
    """Return the owner with the name that the registry or the brief has."""
    if owner.kind is WorkerKind.PERSON and owner.user_id:
        return owner
    if not owner.role_id:
        return Owner()
    return worker_called(owner.role_id, state.roles)


def answer_block(draft: DeliveryDraft, command: AnswerBlock) -> None:
    ticket = _decided(draft, command)
    if ticket.status is not TicketStatus.BLOCKED:
        raise IllegalStep("This ticket does not wait for an answer.")
    text = said(command.text, "answer")
    draft.happens(Unblocked(**draft.of(ticket, command.at), by=command.by, text=text))


def reset(draft: DeliveryDraft, command: ResetTicket) -> None:
    ticket = _decided(draft, command)
    if ticket.status is not TicketStatus.ERROR and ticket.need is not PersonNeed.FAILED:
        raise IllegalStep("Only a ticket that has failed can be reset.")
    draft.happens(TicketReset(**draft.of(ticket, command.at), by=command.by))


def raise_budget(draft: DeliveryDraft, command: RaiseBudget) -> None:
    _check_requester(draft.state, command)
    if not draft.state.is_open:
        raise IllegalStep("This delivery has ended.")
    is_amount = command.tokens >= 0 and isfinite(command.usd) and command.usd >= 0
    if not is_amount or not (command.tokens or command.usd):
        raise InvalidText("Say by how much the budget is raised: tokens, or dollars, more than nothing.")
    draft.happens(BudgetRaised(**draft.ids, by=command.by, tokens=command.tokens, usd=command.usd, at=command.at))


def stop(draft: DeliveryDraft, command: StopDelivery) -> None:
    _check_requester(draft.state, command)
    if not draft.state.is_open or draft.state.status is Status.REPORTING:
        raise IllegalStep("There is nothing to stop: nothing more is done.")
    end(draft, EndReason.STOPPED, command.at, command.by)


def _decided(draft: DeliveryDraft, command: DecidersCommand) -> Ticket:
    """Return the ticket that somebody decides about who may."""
    _check_leader(draft.state, command)
    ticket = draft.ticket(command.ticket_id)
    check_current(ticket, command.decision)
    return ticket


def check_current(ticket: Ticket, decision: int) -> None:
    """Check that the decision that somebody was shown is still open."""
    waiting = ticket.open_decision
    if decision and (waiting is None or waiting.number != decision):
        raise Outdated("This has been decided already, or does not have to be any more.")


def _check_leader(state: Delivery, command: LeadersCommand) -> None:
    if not may_lead(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever asked for this, or an admin, can do that.")


def _check_requester(state: Delivery, command: LeadersCommand) -> None:
    if not may_permit(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever asked for this, or an admin, can do that.")


def _check_working(state: Delivery) -> None:
    if state.status is not Status.WORKING:
        raise IllegalStep("Tickets can be added while the delivery goes on.")
