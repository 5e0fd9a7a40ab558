"""Exports the deadlines of a delivery's tickets as an iCalendar file."""

from datetime import date

from bot.texts import Texts
from bot.views.kit.export.ics import Entry, calendar_file, one_line
from engine.delivery.state import Delivery, Ticket, TicketStatus


def calendar(state: Delivery, texts: Texts) -> bytes:
    """An event for each ticket that has a deadline. The same delivery gives the same bytes."""
    entries = [_entry(state, each, day) for each in _tickets(state) if (day := _day(each))]
    return calendar_file(state.brief.title, entries, undated(state), state.updated_at, texts)


def undated(state: Delivery) -> list[str]:
    """The tickets without a day by which they are done."""
    return [one_line(each.task.title) for each in _tickets(state) if _day(each) is None]


def has_days(state: Delivery) -> bool:
    return any(_day(each) for each in _tickets(state))


def _tickets(state: Delivery) -> list[Ticket]:
    return [each for each in state.tickets.values() if each.status is not TicketStatus.DROPPED]


def _day(ticket: Ticket) -> date | None:
    try:
        return date.fromisoformat(ticket.task.deadline)
    except ValueError:
        return None


def _entry(state: Delivery, ticket: Ticket, day: date) -> Entry:
    names = {each.user_id: each.name for each in state.brief.people if each.user_id}
    owner = ticket.owner.name or names.get(ticket.owner.user_id, "") or ticket.owner.role_id
    expected = ", ".join(each.label for each in ticket.task.outputs)
    details = (owner, expected, *ticket.task.acceptance, state.brief.title)
    return Entry(f"{state.session_id}-{ticket.ticket_id}", day, ticket.task.title, details)
