"""That a decision about all of it was taken back, or can be for a while."""

from collections.abc import Iterator
from functools import partial

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import StreamButton
from bot.views.kit.fit import Fit
from bot.views.kit.mrkdwn import local_time, mention
from bot.views.kit.post import Post
from bot.views.negotiation.button_values import UNDO
from bot.views.negotiation.names import LONGEST_NAME
from engine.negotiation.events import StopTakenBack
from engine.negotiation.state import Negotiation


def undo_button(state: Negotiation, texts: Texts) -> list[Block]:
    """Nothing where there is nothing to take back."""
    if not state.reversals.until:
        return []
    return [blocks.button(texts.say("Undo"), UNDO, StreamButton(stream=state.channel_id).value())]


def undo_line(state: Negotiation, texts: Texts) -> list[Block]:
    """Until when it can be taken back, in small print; nothing where it cannot."""
    if not state.reversals.until:
        return []
    until = local_time(state.reversals.until, texts)
    return [blocks.context(texts.say("It can be undone until {moment}.", moment=until))]


def ending_key(state: Negotiation, key: str) -> str:
    """The key of a post about how it ended, which is another one after each stop that was taken back.

    Args:
        key: of the first: a word, and what follows after a slash.
    """
    return key_after(len(state.reversals.stops), key)


def key_after(stops: int, key: str) -> str:
    if not stops:
        return key
    kind, slash, rest = key.partition("/")
    return f"{kind}-{stops + 1}{slash}{rest}"


def stops_taken_back(state: Negotiation, texts: Texts) -> Iterator[Post]:
    """What became of each message of the thread that said it was stopped."""
    for number, each in enumerate(state.reversals.stops):
        text = goes_on_line(each, texts)
        yield Post.from_card(
            key_after(number, "outcome"),
            text,
            partial(_said, text),
            stream=state.channel_id,
            texts=texts,
            is_late=True,
        )


def _said(text: str, _: Fit) -> list[Block]:
    return [blocks.section(text)]


def goes_on_line(back: StopTakenBack, texts: Texts) -> str:
    who = mention(back.by) or Fit().line(back.by, LONGEST_NAME) or "?"
    return texts.say("↩️ It was stopped, and {who} took that back: it goes on where it was.", who=who)


def not_after_all_line(state: Negotiation, texts: Texts, fit: Fit) -> list[str]:
    """That the plan is not carried out after all; nothing where nobody took that back."""
    back = state.reversals.proceeding
    if back is None:
        return []
    who = mention(back.by) or fit.line(back.by, LONGEST_NAME) or "?"
    moment = local_time(back.at, texts)
    return [texts.say("↩️ {who} took back that this plan is carried out ({moment}).", who=who, moment=moment)]
