"""The buttons of a delivery: each carries its stream, and what it was shown with."""

from typing import Final

from bot.views.kit.button_values import ButtonValue
from engine.kernel import Validated

STOP: Final = "deliver.stop"
ADD: Final = "deliver.add"
TICKETS: Final = "deliver.tickets"
TICKET: Final = "deliver.ticket"
"""The form that shows one ticket."""
BUDGET: Final = "deliver.budget"
EXPORT: Final = "deliver.export"
CLARIFY: Final = "deliver.clarify"
ANSWER: Final = "deliver.answer"
ALLOW_ONCE: Final = "deliver.allow_once"
ALLOW_TICKET: Final = "deliver.allow_ticket"
REFUSE: Final = "deliver.refuse"
OPEN: Final = "deliver.open"
"""Opens a link that was shown, or sends a file."""
APPROVE: Final = "deliver.approve"
CHANGES: Final = "deliver.changes"
OWNER: Final = "deliver.owner"
OWNERS: Final = "deliver.owners"
"""The form that asks who does each of the tickets that nobody has."""
CHECKING: Final = "deliver.checking"
RESET: Final = "deliver.reset"
DROP: Final = "deliver.drop"


class TicketButton(ButtonValue):
    """The value of a button about a ticket, and what a form about it remembers."""

    stream: str
    ticket: str = ""
    decision: int = 0
    """The decision that it was shown with, counted from 1; 0 where it waits for none."""
    report: int = 0
    """The newest report that it was shown with, counted from 1; 0 before there is any."""
    digest: str = ""
    """Of exactly what an agent asks leave for."""


class AskedOwner(Validated):
    """One of the tickets of a form in which several get somebody."""

    ticket: str
    decision: int
    """As which decision it was asked then, counted from 1."""


class OwnersButton(ButtonValue):
    """What the form remembers in which several tickets get somebody: those that share a field, for each field."""

    stream: str
    fields: tuple[tuple[AskedOwner, ...], ...] = ()


class EvidenceButton(ButtonValue):
    """The value of *Open* beside something that was shown for a ticket."""

    stream: str
    ticket: str
    report: int
    output: int
    """Both counted from 1."""


class ClarifyButton(ButtonValue):
    """The value of *Answer…* below the Manager's questions."""

    stream: str
    number: int
    """Which questions, counted from 1."""


START: Final = "ticket.start"
BLOCK: Final = "ticket.block"
FINISH: Final = "ticket.finish"
HAND_OVER: Final = "ticket.hand_over"
TAKE: Final = "ticket.take"
DECLINE: Final = "ticket.decline"
AGREE: Final = "ticket.agree"
SUGGEST: Final = "ticket.suggest"
RESULTS: Final = "ticket.results"
"""Gets what earlier tickets have made, as files."""


class OwnTicketButton(ButtonValue):
    """The value of a button on a person's ticket, and what its form remembers."""

    stream: str
    ticket: str
    number: int = 0
    """Which proposal, or which hand-over, counted from 1; 0 where it is about neither."""
