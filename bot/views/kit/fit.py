"""Shortens a card until it fits into a message.

Most cards fit as they are. Where one would exceed Slack's limits, all its texts and lists are scaled down alike, and a
button shows it in full.
"""

import json
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import UNLIMITED, Fit

MOST_BLOCKS: Final = 50
LONGEST_MESSAGE: Final = 9_000
"""Bytes of blocks as JSON, in UTF-8. Slack refuses somewhere above 13,000 characters, and counts a Chinese one, as far
as anybody could measure, like three English ones.
"""


Card = Callable[[Fit], list[Block]]
"""Draws a card within the given limits."""

SCALES: Final = (1.0, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12, 0.08, 0.05, 0.03, 0.01)


class Drawn(NamedTuple):
    blocks: tuple[Block, ...]
    has_newer: bool = False
    """Whether a workspace that lacks Slack's newer blocks must get another drawing."""


def fit_to_message(card: Card, show_all: Block) -> Drawn:
    """The card as it reads best where it fits, with Slack's newer blocks; else as `fit_without_newer` draws it, since
    those take more of what a message may have.
    """
    fit = Fit(newer=True)
    drawn = card(fit)
    drawn = blocks.with_button(drawn, show_all) if fit.cut else drawn
    if not _fits(drawn):
        return Drawn(fit_without_newer(card, show_all))
    return Drawn(tuple(drawn), has_newer=fit.has_newer)


def fit_without_newer(card: Card, show_all: Block) -> tuple[Block, ...]:
    """The card at the largest scale that fits into a message; with the button ``show_all`` if anything was cut."""
    drawn = _drawn(card, SCALES[0], show_all)
    if _fits(drawn):
        return tuple(drawn)
    tight, wide = len(SCALES) - 1, 0
    drawn = _drawn(card, SCALES[tight], show_all)
    while tight - wide > 1:
        middle = (tight + wide) // 2
        attempt = _drawn(card, SCALES[middle], show_all)
        if _fits(attempt):
            tight, drawn = middle, attempt
        else:
            wide = middle
    return tuple(drawn)


def draw_whole(card: Card) -> list[Block]:
    """The card with nothing cut, which may exceed Slack's limits."""
    return card(Fit(scale=UNLIMITED))


def _drawn(card: Card, scale: float, show_all: Block) -> list[Block]:
    fit = Fit(scale)
    drawn = card(fit)
    return blocks.with_button(drawn, show_all) if fit.cut else drawn


def _fits(drawn: Sequence[Block]) -> bool:
    return len(drawn) <= MOST_BLOCKS and size(drawn) <= LONGEST_MESSAGE


def size(drawn: Sequence[Block]) -> int:
    """Bytes of the blocks as JSON, in UTF-8."""
    return len(as_json(drawn))


def as_json(drawn: Sequence[object]) -> bytes:
    """In UTF-8, without spaces."""
    try:
        return msgspec.json.encode(drawn)
    except UnicodeEncodeError:  # half a character, as Slack sends it where somebody's text was cut
        return json.dumps(drawn, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
