"""The Manager's instructions; where no model writes one, code does."""

from engine.delivery.commands import RecordInstruction
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import InstructionGiven
from engine.delivery.outstanding import effects
from engine.delivery.state import Ticket
from engine.delivery.terms import MANAGER, SCHEDULER, Steps
from engine.kernel import Millis


def recorded(draft: DeliveryDraft, command: RecordInstruction) -> None:
    ticket = draft.state.tickets.get(command.ticket_id)
    name = f"instruct-{command.ticket_id}-{command.number}"
    if ticket is None or name not in effects(draft.state):
        return
    answer = command.answer
    if answer is None:
        instruct_by_code(draft, ticket, command.at)
        return
    steps = Steps(
        summary=answer.summary,
        steps=answer.steps,
        resources=answer.resources,
        acceptance=answer.acceptance_criteria or ticket.task.acceptance,
    )
    draft.happens(
        InstructionGiven(
            **draft.of(ticket, command.at),
            instruction=steps,
            by=MANAGER,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def instruct_by_code(draft: DeliveryDraft, ticket: Ticket, at: Millis) -> None:
    """Say what the plan says, in its own words."""
    task = ticket.task
    steps = Steps(
        summary=task.title,
        steps=(task.description,) if task.description else (),
        resources=task.risks,
        acceptance=task.acceptance,
    )
    draft.happens(InstructionGiven(**draft.of(ticket, at), instruction=steps, by=SCHEDULER))
