"""Shortens a card until it fits into a message.

Most cards fit as they are. Where one would exceed Slack's limits, all its texts and lists are scaled down alike, and a
button shows it in full.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

import msgspec

from bot.direction import isolated
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import exact_text, safe_line, safe_text

MOST_BLOCKS: Final = 50
LONGEST_MESSAGE: Final = 9_000
"""Bytes of blocks as JSON, in UTF-8. Slack refuses somewhere above 13,000 characters, and counts a Chinese one, as far
as anybody could measure, like three English ones.
"""

UNLIMITED: Final = 1_000_000_000
"""Characters: more than any text has."""

Item = TypeVar("Item")
Shown = TypeVar("Shown")


@dataclass(slots=True)
class Fit:
    scale: float = 1.0
    """Multiplies every limit; 1 gives the lengths that read best."""
    newer: bool = False
    """Whether Slack's newer blocks may be used (`bot.views.kit.surfaces`)."""
    cut: bool = field(default=False, init=False)
    """Whether anything has been shortened or left out."""
    has_newer: bool = field(default=False, init=False)
    """Whether any of them was used."""

    def use_newer(self) -> bool:
        """Return whether they may be used, and notice that they are."""
        self.has_newer = self.has_newer or self.newer
        return self.newer

    @property
    def is_whole(self) -> bool:
        """Whether everything is shown, on the pages behind *Show all*."""
        return self.scale >= UNLIMITED

    def only_whole(self) -> bool:
        """Whether something is shown that only the pages behind *Show all* have; elsewhere, it counts as cut."""
        self.cut = self.cut or not self.is_whole
        return self.is_whole

    def text(self, text: str, most: int) -> str:
        return self._noticed(safe_text(text, self._share(most)), safe_text(text, UNLIMITED))

    def line(self, text: str, most: int) -> str:
        """A text on one line, which may stand beside others: isolated where it is written from right to left."""
        return isolated(self._noticed(safe_line(text, self._share(most)), safe_line(text, UNLIMITED)))

    def exact(self, text: str, most: int) -> str:
        """For `blocks.verbatim`."""
        return self._noticed(exact_text(text, self._share(most)), exact_text(text, UNLIMITED))

    def first(self, items: Sequence[Item], most: int) -> Sequence[Item]:
        return self._noticed(items[: max(2, round(most * self.scale))], items)

    def _noticed(self, shown: Shown, whole: Shown) -> Shown:
        self.cut = self.cut or shown != whole
        return shown

    def _share(self, most: int) -> int:
        return max(min(most, 12), round(most * self.scale))


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
