"""How a ticket with a high risk is to be done is discussed first: the Manager proposes, the worker answers."""

from engine.delivery.commands import AnswerProposal, RecordDiscussion, RecordProposal
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.events import ProposalAnswered, ProposalMade
from engine.delivery.instructing import instruct_by_code
from engine.delivery.outstanding import is_persons_to_discuss
from engine.delivery.rights import may_work_on
from engine.delivery.state import TicketStatus
from engine.delivery.terms import SCHEDULER
from engine.delivery.wording import said
from engine.errors import IllegalStep, NotAllowed
from engine.kernel import Millis


def proposed(draft: DeliveryDraft, command: RecordProposal) -> None:
    ticket = draft.state.tickets.get(command.ticket_id)
    is_waited_for = ticket is not None and ticket.status is TicketStatus.DISCUSSING
    if ticket is None or not is_waited_for or command.number != len(ticket.proposals) + 1:
        return
    if len(ticket.proposals) > len(ticket.proposal_answers):
        return
    if command.answer is None:
        # Nobody is there to discuss it with; the instruction names the risks.
        instruct_by_code(draft, ticket, command.at)
        return
    draft.happens(
        ProposalMade(
            **draft.of(ticket, command.at),
            number=command.number,
            summary=command.answer.summary,
            draft_steps=command.answer.draft_steps,
            open_questions=command.answer.open_questions,
            risks=command.answer.risks or ticket.task.risks,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def discussed(draft: DeliveryDraft, command: RecordDiscussion) -> None:
    """Record a machine's word on a proposal; where there is none, it is taken to have nothing against it."""
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or ticket.status is not TicketStatus.DISCUSSING or command.number != len(ticket.proposals):
        return
    if len(ticket.proposal_answers) >= len(ticket.proposals):
        return
    answer = command.answer
    draft.happens(
        ProposalAnswered(
            **draft.of(ticket, command.at),
            number=command.number,
            by=ticket.owner.role_id if answer else SCHEDULER,
            agrees=answer.agrees if answer else True,
            answers=(*answer.answers, *answer.concerns) if answer else (),
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def answered(draft: DeliveryDraft, command: AnswerProposal) -> None:
    """
    Raises:
        NotAllowed, IllegalStep, UnknownTicket, InvalidText
    """
    ticket = draft.ticket(command.ticket_id)
    if not may_work_on(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, answers its proposal.")
    if not is_persons_to_discuss(ticket) or command.number not in (0, len(ticket.proposals)):
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
    """Go on without the answer of a person who was asked and is silent."""
    ticket = draft.state.tickets.get(ticket_id)
    if ticket is None or not is_persons_to_discuss(ticket) or at < ticket.discussed_until:
        return
    draft.happens(ProposalAnswered(**draft.of(ticket, at), number=len(ticket.proposals), by=SCHEDULER, agrees=True))
