"""What agents ask leave for, and who gives it."""

from engine.delivery.commands import AnswerPermission
from engine.delivery.drafting import HOUR, DeliveryDraft, later
from engine.delivery.events import PermissionAnswered
from engine.delivery.state import TicketStatus
from engine.delivery.terms import PermissionChoice
from engine.delivery.tickets.rights import may_permit
from engine.errors import IllegalStep, NotAllowed, Outdated


def answer(draft: DeliveryDraft, command: AnswerPermission) -> None:
    state, ticket = draft.state, draft.ticket(command.ticket_id)
    if not may_permit(state, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever asked for this, or an admin, gives an agent leave.")
    asked = ticket.permissions.get(command.digest)
    if asked is None:
        raise Outdated("The agent asks for something else by now, or for nothing.")
    if asked.choice is not None:
        raise IllegalStep("This question has been answered already.")
    if ticket.status is not TicketStatus.IN_PROGRESS:
        raise IllegalStep("Nothing is worked on in this ticket, so there is nothing to permit.")
    holds = command.choice is PermissionChoice.TICKET
    draft.happens(
        PermissionAnswered(
            **draft.of(ticket, command.at),
            by=command.by,
            digest=command.digest,
            choice=command.choice,
            expires=later(command.at, state.policy.permission_hours * HOUR) if holds else 0,
        )
    )
