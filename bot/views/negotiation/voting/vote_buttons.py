"""The three buttons with which people vote."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW, VoteButton
from engine.negotiation.state import Negotiation, Seat


def vote_button(state: Negotiation, seat: Seat) -> VoteButton:
    """What the buttons of a seat of the latest round carry."""
    latest = state.rounds[-1]
    return VoteButton(stream=state.channel_id, round=latest.number, digest=latest.digest, agent_id=seat.agent_id)


def vote_buttons(button: VoteButton, texts: Texts) -> tuple[Block, ...]:
    value = button.value()
    return (
        blocks.button(texts.say("Accept"), ACCEPT, value, style="primary"),
        blocks.button(texts.say("Negotiate…"), NEGOTIATE, value),
        blocks.button(texts.say("Withdraw…"), WITHDRAW, value),
    )
