"""How a negotiation stands as Slack tells it of agents."""

from bot.views.kit.session import SessionStatus
from engine.negotiation.state import Negotiation, Seat, Status, Wait

PEOPLE = frozenset({Wait.PEOPLE, Wait.CORRECTIONS, Wait.REQUESTER})
"""What the collecting of offers waits for where nothing goes on before people have decided."""


def session(state: Negotiation) -> SessionStatus | None:
    """Return None for a negotiation that has not begun."""
    if not state.exists:
        return None
    return SessionStatus.SUSPENDED if _awaits_people(state) else _of_machines(state)


def _of_machines(state: Negotiation) -> SessionStatus:
    return SessionStatus.PROCESSING if state.is_open or state.is_searching else SessionStatus.CLOSED


def _awaits_people(state: Negotiation) -> bool:
    """Return whether nothing but a person, or the end of their time, moves it on."""
    if state.current is not None:
        return not any(_is_asked(each) for each in state.current.seats.values())
    return state.awaits_answer or (state.status is Status.COLLECTING and state.wait in PEOPLE)


def _is_asked(seat: Seat) -> bool:
    """Return whether a twin still owes its vote."""
    return seat.twin_asked and seat.human is None
