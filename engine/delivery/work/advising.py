"""The Manager looks at tickets that are blocked or have failed too often."""

from msgspec.structs import replace

from engine.delivery.commands import RecordAdvice
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import AdviceGiven, InstructionGiven, OwnerChanged, PersonNeeded, TicketFailed, Unblocked
from engine.delivery.outstanding import effects
from engine.delivery.state import Ticket, TicketStatus
from engine.delivery.terms import MANAGER, AdviceAction, PersonNeed, Steps, as_failure
from engine.delivery.tickets.advancing import owner_of


def recorded(draft: DeliveryDraft, command: RecordAdvice) -> None:
    state, ticket = draft.state, draft.state.tickets.get(command.ticket_id)
    if ticket is None or f"advise-{command.ticket_id}-{command.number}" not in effects(state):
        return
    answer, at = command.answer, command.at
    action = AdviceAction(answer.action) if answer else AdviceAction.ASK
    text = answer.text if answer else ""
    is_blocked = ticket.status is TicketStatus.BLOCKED
    role = state.roles.get(answer.role_id) if answer else None
    if action is AdviceAction.REASSIGN and (role is None or role.is_manager or role.role_id == ticket.owner.role_id):
        action = AdviceAction.ASK
    if action is AdviceAction.ANSWER and not (is_blocked and text.strip()):
        action = AdviceAction.INSTRUCT if text.strip() else AdviceAction.ASK
    draft.happens(
        AdviceGiven(
            **draft.of(ticket, at),
            number=command.number,
            action=action,
            text=text,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    match action:
        case AdviceAction.ANSWER:
            draft.happens(Unblocked(**draft.of(ticket, at), by=MANAGER, text=text))
        case AdviceAction.INSTRUCT:
            draft.happens(InstructionGiven(**draft.of(ticket, at), instruction=_steps(ticket, command), by=MANAGER))
        case AdviceAction.REASSIGN if role is not None:
            draft.happens(OwnerChanged(**draft.of(ticket, at), by=MANAGER, owner=owner_of(role), why="reassigned"))
            draft.happens(InstructionGiven(**draft.of(ticket, at), instruction=_steps(ticket, command), by=MANAGER))
        case AdviceAction.GIVE_UP:
            last = ticket.attempts[-1].outcome if ticket.attempts else ""
            draft.happens(TicketFailed(**draft.of(ticket, at), code=as_failure(last), text=text))
        case _:
            need = PersonNeed.BLOCKED if is_blocked else PersonNeed.FAILED
            draft.happens(PersonNeeded(**draft.of(ticket, at), need=need, text=text))


def _steps(ticket: Ticket, command: RecordAdvice) -> Steps:
    """The instruction as it was, with what the Manager says now."""
    before = ticket.instruction or Steps(summary=ticket.task.title)
    said = command.answer
    if said is None:
        return before
    return replace(before, summary=said.text or before.summary, steps=said.steps or before.steps)
