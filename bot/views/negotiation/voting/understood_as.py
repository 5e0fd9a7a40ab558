"""Says how what somebody asked for was understood, with a button by which they say that it was meant otherwise."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.fit import Fit
from bot.views.negotiation.button_values import NOT_MEANT, SeatButton
from engine.negotiation.events import RequestUnderstood
from engine.negotiation.state import Negotiation, Round


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
