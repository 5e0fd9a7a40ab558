"""Remembers what people had to decide about a ticket, and how each decision was settled."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from engine.delivery import events as happened
from engine.delivery.state import AskedDecision, Ticket
from engine.delivery.terms import PersonNeed
from engine.kernel import Event, Millis

OUTCOMES: Final[Mapping[type[Event], str]] = {
    happened.Unblocked: "answered",
    happened.OwnerChanged: "owner_changed",
    happened.TicketDropped: "dropped",
    happened.TicketReset: "reset",
    happened.BudgetRaised: "budget_raised",
}
MOVED_ON: Final = "moved_on"
"""It went on by itself."""


def noted(before: Ticket, after: Ticket, event: Event, at: Millis) -> Ticket:
    """Return the ticket after an event, with the decision that the event asks for or settles."""
    is_asked = isinstance(event, happened.PersonNeeded | happened.PermissionAsked | happened.TicketFailed)
    if after.need is before.need and not is_asked:
        return after
    kept = after.decisions
    if kept and not kept[-1].outcome:
        outcome, by = _outcome(event), getattr(event, "by", "") if not is_asked else ""
        kept = (*kept[:-1], replace(kept[-1], outcome=outcome, by=by, settled_at=at))
    if after.need is not None:
        asked = _asked(after, after.need, len(kept) + 1, at)
        kept = (*kept, replace(asked, is_together=isinstance(event, happened.PersonNeeded) and event.is_together))
    return replace(after, decisions=kept)


def _asked(ticket: Ticket, need: PersonNeed, number: int, at: Millis) -> AskedDecision:
    permission = ticket.waiting_permission if need is PersonNeed.PERMISSION else None
    text = permission.permission.title if permission else ticket.question or "\n".join(ticket.issues)
    return AskedDecision(
        number=number,
        need=need,
        text=text,
        at=at,
        report=len(ticket.reports),
        digest=permission.permission.digest if permission else "",
    )


def _outcome(event: Event) -> str:
    match event:
        case happened.ReviewGiven():
            return str(event.decision)
        case happened.ProposalAnswered():
            return "agreed" if event.agrees else "suggested"
        case happened.PermissionAnswered():
            return str(event.choice)
        case _:
            return OUTCOMES.get(type(event), MOVED_ON)
