"""Says what somebody asks to be changed, why it was not, and how it was understood, which they can correct."""

from collections.abc import Callable

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import wanted_words
from bot.views.kit.fit import Fit
from bot.views.negotiation.button_values import NOT_MEANT, SeatButton
from bot.views.negotiation.plan.dates import asked_on
from engine.negotiation.answers import RequestDeclined
from engine.negotiation.events import RequestUnderstood
from engine.negotiation.state import Negotiation, Round
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


def understood_of(state: Negotiation, agent_id: str, shown: Round) -> RequestUnderstood | None:
    """How a wish of this round was understood; None where it was not read, or somebody has said otherwise.

    Args:
        agent_id: whose seat it was asked for; empty for the requester's own wish.
    """
    found = state.understood.get(agent_id or state.requester_id)
    return found if found is not None and found.round == shown.number and found.agent_id == agent_id else None


def understood_blocks(
    stream: str, agent_id: str, understood: RequestUnderstood | None, texts: Texts, fit: Fit
) -> list[Block]:
    """A line with a button; nothing where nothing was read."""
    if understood is None or not (what := fit.line(understood.understood, 240)):
        return []
    button = blocks.button(
        texts.say("Not what I meant…"), NOT_MEANT, SeatButton(stream=stream, agent_id=agent_id).value()
    )
    return [blocks.section(texts.say("💡 Understood as: {what}", what=what)) | {"accessory": button}]


def asked_by_requester(state: Negotiation, shown: Round, texts: Texts, fit: Fit) -> list[Block]:
    """How the wishes of whoever asked were understood: their own, and those for seats that are linked to nobody. They
    have no direct message about a round, so it stands in the thread, where the wishes do.
    """
    seats = [
        each.agent_id
        for each in shown.seats.values()
        if not each.user_id and each.human is not None and each.human.by == state.requester_id
    ]
    found: list[Block] = []
    for agent_id in ("", *seats):
        found += understood_blocks(state.channel_id, agent_id, understood_of(state, agent_id, shown), texts, fit)
    return found
