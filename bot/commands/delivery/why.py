"""What a delivery says to ``towow why``: of which task a ticket is, and what was done about it."""

from collections.abc import Iterator
from typing import Final

from bot.commands.delivery.wording import owner_name
from bot.commands.why_part import Step, WhyPart, written
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import PlannedBy
from engine.kernel import iso

PLANNED: Final = {
    PlannedBy.HANDOVER: "was agreed before",
    PlannedBy.MANAGER: "was planned by the Manager",
    PlannedBy.FILE: "was written down by whoever asked",
}


def _step(state: Delivery, part: str) -> Step:
    ticket = state.tickets.get(part)
    said = [*_of_ticket(state, ticket)] if ticket else [f"{state.brief.title} is carried out: {state.status}"]
    if ticket is not None and ticket.added_by:
        return Step(said)
    if state.brief.origin:
        said.append(f"{state.requester_id} had it carried out at {iso(state.opened_at)}")
        return Step(said, state.brief.origin, ticket.task.task_id if ticket else "")
    said += [f"{each.by or 'nobody'} answered: {text}" for each in state.clarifications for text in each.answers or ()]
    return Step([*said, written(state.requester_id, state.brief.goal, state.place, iso(state.opened_at))])


def _of_ticket(state: Delivery, ticket: Ticket) -> Iterator[str]:
    title = ticket.task.title or "(its words were erased)"
    yield f"ticket {ticket.ticket_id}: {title}; {ticket.status.replace('_', ' ')}, of {owner_name(ticket.owner)}"
    if ticket.dropped_by:
        yield f"dropped by {ticket.dropped_by}{f': {ticket.dropped_why}' if ticket.dropped_why else ''}"
    if (report := ticket.report) is not None and report.review is not None:
        yield f"{report.review.decision.replace('_', ' ')} by {report.review.by}, on {len(report.artifacts)} results"
    needed = [each for each in state.tickets.values() if ticket.task.task_id in each.task.depends_on]
    if needed:
        yield f"needed by {', '.join(each.ticket_id for each in needed)}"
    if ticket.added_by:
        yield f"added by {ticket.added_by} at {iso(ticket.created_at)}"
    else:
        by = PLANNED[state.planned_by] if state.planned_by else "is planned"
        yield f"task {ticket.task.task_id} {by}, at {iso(state.planned_at)}"


def _tickets(state: Delivery) -> tuple[str, ...]:
    return tuple(state.tickets)


PART: Final = WhyPart(_step, _tickets)
