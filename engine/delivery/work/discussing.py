"""What the Manager says before the work: how it is to be done, and whether a high risk may be taken."""

from typing import Final

from engine.delivery.answers import ProposeAnswer
from engine.delivery.commands import AnswerProposal, RecordDiscussion, RecordInstruction, RecordProposal
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import InstructionGiven, PersonNeeded, ProposalAnswered, ProposalMade, ProposalUnanswered
from engine.delivery.outstanding import effects, is_open_to_people, is_persons_to_discuss
from engine.delivery.state import Ticket, TicketStatus
from engine.delivery.terms import MANAGER, SCHEDULER, PersonNeed, Steps
from engine.delivery.tickets.owners import may_answer_proposal, said
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Millis

# ── a high risk ───────────────────────────────────────────────────────────────────────────────────────────────────────
# How a ticket with a high risk is to be done is discussed first: the Manager proposes, the worker answers.


MOST_ASKED: Final = 2
"""How often a machine is asked about one proposal, before a person decides."""


def proposed(draft: DeliveryDraft, command: RecordProposal) -> None:
    ticket = draft.state.tickets.get(command.ticket_id)
    is_waited_for = ticket is not None and ticket.status is TicketStatus.DISCUSSING
    if ticket is None or not is_waited_for or command.number != len(ticket.proposals) + 1:
        return
    if len(ticket.proposals) > len(ticket.proposal_answers):
        return
    answer = command.answer or _by_code(ticket)
    draft.happens(
        ProposalMade(
            **draft.of(ticket, command.at),
            number=command.number,
            summary=answer.summary,
            draft_steps=answer.draft_steps,
            open_questions=answer.open_questions,
            risks=answer.risks or ticket.task.risks,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def _by_code(ticket: Ticket) -> ProposeAnswer:
    """Propose what the plan says, where no model proposes: whoever has it is asked all the same."""
    task = ticket.task
    return ProposeAnswer(summary=task.title, draft_steps=(task.description,) if task.description else ())


def discussed(draft: DeliveryDraft, command: RecordDiscussion) -> None:
    """Record a machine's word on a proposal. Where none can be read it is asked again, and then a person decides: no
    readable consent is no consent.
    """
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or ticket.status is not TicketStatus.DISCUSSING or ticket.need is PersonNeed.CONSENT:
        return
    number = len(ticket.proposals)
    if len(ticket.proposal_answers) >= number or command.number != number + len(ticket.unanswered):
        return
    answer = command.answer
    if answer is not None:
        draft.happens(
            ProposalAnswered(
                **draft.of(ticket, command.at),
                number=number,
                by=ticket.owner.role_id,
                agrees=answer.agrees,
                answers=(*answer.answers, *answer.concerns),
                model=command.model,
                prompt_hash=command.prompt_hash,
            )
        )
        return
    role = ticket.owner.role_id
    draft.happens(ProposalUnanswered(**draft.of(ticket, command.at), number=number, by=role))
    if draft.ticket(ticket.ticket_id).unanswered.count(number) >= MOST_ASKED:
        draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.CONSENT))


def answered(draft: DeliveryDraft, command: AnswerProposal) -> None:
    ticket = draft.ticket(command.ticket_id)
    if not may_answer_proposal(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, answers its proposal.")
    if not is_open_to_people(ticket) or command.number not in (0, len(ticket.proposals)):
        raise IllegalStep("This proposal is not open any more.")
    text = said(command.text, "answer", may_be_empty=command.agrees)
    draft.happens(
        ProposalAnswered(
            **draft.of(ticket, command.at),
            number=len(ticket.proposals),
            by=command.by,
            agrees=command.agrees,
            answers=(text,) if text else (),
        )
    )


def time_is_up(draft: DeliveryDraft, ticket_id: str, at: Millis) -> None:
    """Let whoever leads decide, where a person was asked and is silent; they may still answer themselves."""
    ticket = draft.state.tickets.get(ticket_id)
    if ticket is None or not is_persons_to_discuss(ticket) or ticket.need is not None or at < ticket.discussed_until:
        return
    draft.happens(PersonNeeded(**draft.of(ticket, at), need=PersonNeed.CONSENT))


# ── instructions ──────────────────────────────────────────────────────────────────────────────────────────────────────
# The Manager's instructions; where no model writes one, code does.


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
