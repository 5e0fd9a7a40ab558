"""Says what somebody asks to be changed, and why it was not."""

from collections.abc import Callable

from bot.texts import Texts
from bot.views.kit.data_words import wanted_words
from bot.views.negotiation.plan.dates import asked_on
from engine.negotiation.answers import RequestDeclined
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.wishes_read import datum_of

Line = Callable[[str], str]
"""Escapes a text for where it stands, on one line."""


def wish_text(state: Negotiation, who: str, request: str, texts: Texts, line: Line) -> str:
    """What they ask for, in their words; what they want as data alone, in the reader's language."""
    if request:
        return line(request)
    datum = datum_of(state, who, "")
    return line(wanted_words(datum, texts, asked_on(state))) if datum is not None else ""


def why_open(state: Negotiation, asked: RequestDeclined, missing: str, texts: Texts, line: Line) -> str:
    """Why it was not taken up.

    Args:
        missing: where nobody has given a reason, and there was a version after it.
    """
    if reason := line(asked.reason):
        return reason
    if _is_too_late(state, asked):
        return texts.say("it was asked for in the last round, too late for another version")
    return missing


def _is_too_late(state: Negotiation, asked: RequestDeclined) -> bool:
    """Whether it was asked for in the last round that there may be."""
    if state.is_open or not state.rounds or state.rounds[-1].number < state.policy.max_rounds:
        return False
    last = state.rounds[-1]
    if last.request is not None and last.request.by == asked.agent_id:
        return True
    seat = last.seats.get(asked.agent_id)
    vote = seat.vote if seat else None
    return vote is not None and bool(vote.adjustment_request or vote.change is not None)
