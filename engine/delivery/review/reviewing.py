"""Reviews: the Manager's, and those of whoever asked, who overrules it."""

from engine.delivery.commands import CheckerUnreachable, OpenEvidence, RecordReview, ReviewTicket
from engine.delivery.drafting import DeliveryDraft
from engine.delivery.errors import NamedForApproval
from engine.delivery.events import EvidenceOpened, PersonNeeded, ReviewGiven
from engine.delivery.planning.leading import check_current
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import MANAGER, PersonNeed, ReviewDecision
from engine.delivery.tickets.owners import checker_of, is_peoples_to_review, may_approve, may_review, not_reached, said
from engine.errors import IllegalStep, NotAllowed, Outdated


def recorded(draft: DeliveryDraft, command: RecordReview) -> None:
    state, ticket = draft.state, draft.state.tickets.get(command.ticket_id)
    if ticket is None or ticket.status is not TicketStatus.AWAITING_REVIEW or ticket.need is not None:
        return
    if command.number != len(ticket.reports) or is_peoples_to_review(state, ticket):
        return
    answer = command.answer
    if answer is None:
        draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.REVIEW))
        return
    if answer.decision == "unsure":
        draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.REVIEW, text=answer.notes))
        return
    decision = ReviewDecision(answer.decision)
    said_so = tuple(each for each in answer.requested_changes if each.strip())
    wanted = said_so or ((answer.notes,) if answer.notes else ())
    if decision is ReviewDecision.CHANGES_REQUESTED and ticket.cycles + 1 >= state.policy.review_cycles:
        text = "\n".join(wanted)
        draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.REVIEW, text=text))
        return
    draft.happens(
        ReviewGiven(
            **draft.of(ticket, command.at),
            decision=decision,
            by=MANAGER,
            report=len(ticket.reports),
            notes=answer.notes,
            requested_changes=wanted if decision is ReviewDecision.CHANGES_REQUESTED else (),
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )


def decided(draft: DeliveryDraft, command: ReviewTicket) -> None:
    ticket = draft.ticket(command.ticket_id)
    if not may_review(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NotAllowed(
            "Only whom the ticket names for it, whoever asked for this, or an admin, decides whether it is done."
        )
    if command.approves and not may_approve(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NamedForApproval(_who_approves(draft.state, ticket))
    check_current(ticket, command.decision)
    if command.report and command.report != len(ticket.reports):
        raise Outdated("Something newer has been reported since. Look at that first.")
    if command.approves:
        _check_approvable(ticket)
    elif ticket.status not in (TicketStatus.AWAITING_REVIEW, TicketStatus.DONE):
        raise IllegalStep("There is nothing to request changes of: nothing was reported, or it is worked on already.")
    changes = "" if command.approves else said(command.changes, "change")
    draft.happens(
        ReviewGiven(
            **draft.of(ticket, command.at),
            decision=ReviewDecision.APPROVED if command.approves else ReviewDecision.CHANGES_REQUESTED,
            by=command.by,
            report=len(ticket.reports),
            requested_changes=(changes,) if changes else (),
        )
    )


def _who_approves(state: Delivery, ticket: Ticket) -> str:
    checker, named = checker_of(state, ticket), ticket.task.checked_by
    if checker == named:
        return f"{ticket.ticket_id} names {named}, who alone approves it."
    wanted = f"{ticket.ticket_id} wants another pair of eyes than of whoever did it, or showed it for them"
    if checker:
        return f"{wanted}: {checker} approves it instead of {named}."
    return f"{wanted}. Name somebody else who approves it, or let an admin do it."


def unreachable(draft: DeliveryDraft, command: CheckerUnreachable) -> None:
    """Ask whoever approves it instead, anew, so that they are told."""
    ticket = draft.state.tickets.get(command.ticket_id)
    if ticket is None or ticket.need is not PersonNeed.REVIEW or checker_of(draft.state, ticket) != command.user_id:
        return
    user = command.user_id
    name = next((each.name for each in draft.state.brief.people if each.user_id == user), "") or user
    text = not_reached(draft.state, name)
    draft.happens(PersonNeeded(**draft.of(ticket, command.at), need=PersonNeed.REVIEW, text=text, gone=user))


def opened(draft: DeliveryDraft, command: OpenEvidence) -> None:
    """Remember it of whoever may approve the ticket, while its report waits for that."""
    ticket = draft.ticket(command.ticket_id)
    if not may_review(draft.state, ticket, command.by, as_admin=command.as_admin):
        raise NotAllowed("Only who may approve this ticket looks at what was shown for it.")
    is_newest = ticket.report is not None and command.report == len(ticket.reports)
    is_waited_for = ticket.status in (TicketStatus.AWAITING_REVIEW, TicketStatus.IN_PROGRESS) and is_newest
    one = (command.by, command.output)
    if is_waited_for and 0 < command.output <= len(ticket.artifacts) and one not in ticket.reports[-1].opened:
        draft.happens(
            EvidenceOpened(**draft.of(ticket, command.at), by=command.by, report=command.report, output=command.output)
        )


def _check_approvable(ticket: Ticket) -> None:
    """What was reported with proof may be approved, also after the Manager wanted something changed."""
    is_returned = ticket.status is TicketStatus.IN_PROGRESS and ticket.report is not None
    if ticket.status is not TicketStatus.AWAITING_REVIEW and not is_returned:
        raise IllegalStep("There is nothing to approve: nothing was reported with proof, or it is settled already.")
