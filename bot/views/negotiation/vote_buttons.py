"""The three buttons with which people vote."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.negotiation.button_values import ACCEPT, NEGOTIATE, WITHDRAW, VoteButton


def vote_buttons(button: VoteButton, texts: Texts) -> tuple[Block, ...]:
    value = button.value()
    return (
        blocks.button(texts.say("Accept"), ACCEPT, value, style="primary"),
        blocks.button(texts.say("Negotiate…"), NEGOTIATE, value),
        blocks.button(texts.say("Withdraw…"), WITHDRAW, value),
    )
