"""A delivery as it goes, in the terminal: a board that is drawn anew, or a line for each change where nobody looks."""

from collections.abc import Iterator
from typing import Final, Self

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bot.terminal import Terminal, one_line
from bot.texts import texts_in
from bot.views.delivery.names import end_text
from engine.delivery.state import Delivery, Ticket, TicketStatus
from engine.delivery.terms import EndReason, Owner, WorkerKind


def owner_name(owner: Owner) -> str:
    if owner.kind is WorkerKind.NOBODY:
        return owner.name or "nobody"
    if owner.kind is WorkerKind.PERSON:
        return owner.name or "you"
    return owner.name or owner.role_id


MARKS: Final = {
    TicketStatus.PENDING: ("·", "dim"),
    TicketStatus.DISCUSSING: ("?", "cyan"),
    TicketStatus.IN_PROGRESS: ("▶", "yellow"),
    TicketStatus.BLOCKED: ("■", "red"),
    TicketStatus.AWAITING_REVIEW: ("…", "magenta"),
    TicketStatus.DONE: ("✓", "green"),
    TicketStatus.ERROR: ("✗", "red"),
    TicketStatus.DROPPED: ("–", "dim"),
}
TALLEST: Final = 30
"""Tickets that are drawn; what is settled gives way first."""


class LiveBoard:
    """Draws, inside of ``with``."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._live = Live(console=terminal, auto_refresh=False, transient=True) if terminal.is_terminal else None
        self._told: dict[str, str] = {}

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pause()

    def pause(self) -> None:
        """Leave the screen to a question, until the next drawing."""
        if self._live is not None and self._live.is_started:
            self._live.stop()

    def draw(self, state: Delivery) -> None:
        if self._live is not None:
            if not self._live.is_started:
                self._live.start()
            self._live.update(drawn(state), refresh=True)
            return
        for ticket in state.tickets.values():
            said = f"{ticket.status.replace('_', ' ')}{_why(state, ticket)}"
            if self._told.get(ticket.ticket_id) != said:
                self._told[ticket.ticket_id] = said
                self.tell(f"{ticket.ticket_id} {one_line(ticket.task.title)}: {said}")

    def tell(self, line: str) -> None:
        self._terminal.print(line, markup=False, highlight=False, emoji=False, soft_wrap=True)


def drawn(state: Delivery) -> RenderableType:
    """The board of this state."""
    done = sum(each.status is TicketStatus.DONE for each in state.tickets.values())
    head = Text.assemble(
        (one_line(state.brief.title) or "…", "bold"), f"  {state.status} · {done}/{len(state.tickets)}"
    )
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True, ratio=1)
    table.add_column(overflow="ellipsis", no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True)
    shown = _shown(state)
    for ticket in shown:
        mark, style = MARKS[ticket.status]
        table.add_row(
            Text(mark, style),
            ticket.ticket_id,
            Text(one_line(ticket.task.title)),
            Text(one_line(owner_name(ticket.owner)), "dim"),
            Text(f"{ticket.status.replace('_', ' ')}{_why(state, ticket)}", style),
        )
    more = len(state.tickets) - len(shown)
    return Group(head, table, Text(f"and {more} more", "dim")) if more else Group(head, table)


def _shown(state: Delivery) -> list[Ticket]:
    open_ones = [each for each in state.tickets.values() if each.is_open]
    kept = {each.ticket_id for each in open_ones[:TALLEST]}
    for each in reversed([*state.tickets.values()]):
        if len(kept) < TALLEST:
            kept.add(each.ticket_id)
    return [each for each in state.tickets.values() if each.ticket_id in kept]


def _why(state: Delivery, ticket: Ticket) -> str:
    if ticket.waiting_permission is not None:
        return ", asks for permission"
    if ticket.need is not None:
        return f", waits for a decision ({ticket.need})"
    if ticket.status is TicketStatus.PENDING and (waits := state.waits_for(ticket)):
        return f", waits for {', '.join(each.ticket_id for each in waits)}"
    if ticket.claim is not None:
        return ", is checked"
    if ticket.running is None and ticket.attempts and ticket.status is TicketStatus.IN_PROGRESS and ticket.retry_at:
        return f", is tried again ({ticket.attempts[-1].outcome})"
    return ""


def summary(state: Delivery) -> Iterator[str]:
    """What came of it, in lines."""
    if state.reason is not None and state.reason is not EndReason.ALL_DONE:
        yield f"It has ended: {end_text(state.reason, texts_in('en'))}."
    if state.report is not None:
        yield state.report.summary
        yield from (f"Learned: {each}" for each in state.report.learned)
        yield from (f"Next: {each}" for each in state.report.next_steps)
    for ticket in state.tickets.values():
        mark, _ = MARKS[ticket.status]
        yield f"{mark} {ticket.ticket_id} {one_line(ticket.task.title)} ({one_line(owner_name(ticket.owner))})"
        for each in ticket.artifacts if ticket.status is TicketStatus.DONE else ():
            yield f"    {one_line(each.label)}: {one_line(each.uri)} ({each.size_bytes} bytes, {each.digest})"
