"""The three buttons with which people vote, wherever they are asked."""

from bot.texts import Texts
from bot.views import blocks
from bot.views.ballot import ACCEPT, NEGOTIATE, WITHDRAW, Ballot
from bot.views.blocks import Block


def vote_buttons(ballot: Ballot, texts: Texts) -> tuple[Block, ...]:
    value = ballot.value()
    return (
        blocks.button(texts.say("Accept"), ACCEPT, value, style="primary"),
        blocks.button(texts.say("Negotiate…"), NEGOTIATE, value),
        blocks.button(texts.say("Withdraw…"), WITHDRAW, value),
    )
