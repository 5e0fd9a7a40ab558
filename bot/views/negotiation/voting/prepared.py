"""A vote that a twin has prepared, for whoever may give it: the line that tells of it, and its button."""

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.data_words import wanted_words
from bot.views.kit.fit import Fit
from bot.views.negotiation.button_values import VOTE_PREPARED, VoteButton
from bot.views.negotiation.voting.kinds import LOOKS, vote_buttons
from engine.negotiation.events import PreparedVote
from engine.negotiation.state import Negotiation, Seat


def prepared_line(said: PreparedVote, texts: Texts, fit: Fit, who: str = "") -> str:
    """
    Args:
        who: whose twin it is; empty where it is the reader's own.
    """
    look = LOOKS[said.feedback_type]
    text = look.they_would(texts, who) if who else look.would(texts)
    reason = fit.line(wish_of(said, texts) or said.reasoning, 300)
    press = texts.say("Press to make it yours; until you do, nobody else sees it and it counts for nothing.")
    return f"{text} – {reason}\n{press}" if reason else f"{text}\n{press}"


def wish_of(said: PreparedVote, texts: Texts) -> str:
    """What it asks for, in its words; what is data alone, in the reader's language."""
    if said.adjustment_request or said.change is None:
        return said.adjustment_request
    return wanted_words(said.change, texts)


def prepared_button(button: VoteButton, texts: Texts) -> Block:
    return blocks.button(texts.say("Make it mine"), VOTE_PREPARED, button.value(), style="primary")


def buttons_of(state: Negotiation, seat: Seat, button: VoteButton, texts: Texts) -> tuple[Block, ...]:
    """The buttons with which people vote for a seat: first of all, where there is one, that of what is prepared."""
    others = vote_buttons(button, state.kinds_of_vote, texts, is_plain=seat.prepared is not None)
    return others if seat.prepared is None else (prepared_button(button, texts), *others)
