"""The buttons by which people work on tickets. Each carries its stream and its ticket, and what it was shown with."""

from typing import Final

from bot.views.kit.button_values import ButtonValue

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
