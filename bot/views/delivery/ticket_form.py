"""*Change a ticket…*: first a ticket is chosen, then it is shown with everything that can be done about it now."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.texts import Texts
from bot.views.delivery.board import ticket_row
from bot.views.delivery.button_values import (
    APPROVE,
    CHANGES,
    CHECKING,
    DROP,
    OWNER,
    RESET,
    TICKET,
    TICKETS,
    TicketButton,
)
from bot.views.delivery.proof import proof
from bot.views.kit import blocks
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fields import choice_field, grouped_choice_field, picked_option
from bot.views.kit.modals import form, modal, read_metadata
from bot.views.kit.mrkdwn import Fit
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import PersonNeed

WHICH: Final = "which"
ACTION: Final = "action"
"""Names of fields: where the errors of a refused form belong."""
MOST_OPTIONS: Final = 100


def tickets_form(state: Delivery, texts: Texts) -> dict[str, Any]:
    ordered = sorted(state.tickets.values(), key=lambda each: not each.is_open)
    options = [(each.ticket_id, f"{each.ticket_id} {each.task.title}") for each in ordered]
    label = texts.say("Which ticket?")
    field = choice_field if len(options) <= MOST_OPTIONS else grouped_choice_field
    metadata = StreamButton(stream=state.session_id).value()
    fields = [field(WHICH, label, options)]
    return form(TICKETS, texts.say("Change a ticket"), texts.say("Next"), fields, texts, metadata=metadata)


def ticket_form(state: Delivery, ticket: Ticket, texts: Texts, *, may_approve: bool) -> dict[str, Any]:
    """What is known of it, and what can be done; where nothing can, only the first.

    Args:
        may_approve: whether whoever looks at it may approve what was reported.
    """
    fit = Fit()
    task = ticket.task
    shown: list[Any] = [blocks.section(ticket_row(state, ticket, texts, fit))]
    shown += blocks.sections([fit.text(task.description, 1_200)])
    shown += blocks.titled_list(texts.say("*Expected*"), [f"• {fit.line(each.label, 200)}" for each in task.outputs])
    shown += proof(state, ticket, texts, fit)
    heading = ticket.ticket_id
    options = actions(ticket, texts, may_approve=may_approve)
    if not options:
        return modal(heading, shown, texts)
    value = TicketButton(
        stream=state.session_id, ticket=ticket.ticket_id, decision=0, report=len(ticket.reports)
    ).value()
    fields = [*shown, choice_field(ACTION, texts.say("What is to be done about it?"), options)]
    return form(TICKET, heading, texts.say("Next"), fields, texts, metadata=value)


def actions(ticket: Ticket, texts: Texts, *, may_approve: bool) -> Sequence[tuple[str, str]]:
    """By the name of the button that does the same elsewhere."""
    found = []
    is_returned = ticket.status is TicketStatus.IN_PROGRESS and ticket.report is not None
    if may_approve and (ticket.status is TicketStatus.AWAITING_REVIEW or is_returned):
        found.append((APPROVE, texts.say("Approve what was reported")))
    if ticket.status in (TicketStatus.AWAITING_REVIEW, TicketStatus.DONE):
        found.append((CHANGES, texts.say("Request changes…")))
    if ticket.status is TicketStatus.ERROR or ticket.need is PersonNeed.FAILED:
        found.append((RESET, texts.say("Try again")))
    if ticket.is_open:
        found.append((OWNER, texts.say("Change owner…")))
        found.append((CHECKING, texts.say("Risk, and who approves it…")))
        found.append((DROP, texts.say("Drop…")))
    return found


def read_which(view: Mapping[str, Any]) -> tuple[str, str]:
    """The stream, and the ticket that was chosen."""
    return read_metadata(view, StreamButton).stream, picked_option(view["state"]["values"], WHICH) or ""


def read_action(view: Mapping[str, Any]) -> tuple[TicketButton, str]:
    """What it was opened for, and what is to be done."""
    return read_metadata(view, TicketButton), picked_option(view["state"]["values"], ACTION) or ""
