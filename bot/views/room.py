"""How much of everything a message has room for. Most texts are short and are shown whole; only where a message would
grow beyond what Slack takes is everything in it shortened, by the same measure."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.views.blocks import Block
from bot.views.mrkdwn import length, line, said

MOST_BLOCKS: Final = 50
LONGEST_MESSAGE: Final = 12_500
"""Characters of blocks as JSON; Slack refuses somewhere above 13,000."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Room:
    scale: float = 1.0
    """1: as much as reads well. What it allows shrinks with it."""

    def text(self, text: str, most: int) -> str:
        return said(text, self._share(most))

    def line(self, text: str, most: int) -> str:
        return line(text, self._share(most))

    def first(self, items: Sequence[Item], most: int) -> Sequence[Item]:
        return items[: max(2, round(most * self.scale))]

    def _share(self, most: int) -> int:
        return max(min(most, 12), round(most * self.scale))


SCALES: Final = (1.0, 0.7, 0.5, 0.35, 0.25, 0.17, 0.12, 0.08, 0.05, 0.03, 0.01)


def fitting(card: Callable[[Room], list[Block]]) -> tuple[Block, ...]:
    """The card with as much room as a message has."""
    blocks = card(Room())
    if _fits(blocks):
        return tuple(blocks)
    tight, wide = len(SCALES) - 1, 0
    blocks = card(Room(SCALES[tight]))
    while tight - wide > 1:
        middle = (tight + wide) // 2
        attempt = card(Room(SCALES[middle]))
        if _fits(attempt):
            tight, blocks = middle, attempt
        else:
            wide = middle
    return tuple(blocks)


def _fits(blocks: Sequence[Block]) -> bool:
    return len(blocks) <= MOST_BLOCKS and size(blocks) <= LONGEST_MESSAGE


def size(blocks: Sequence[Block]) -> int:
    """Characters, as Slack counts a message's blocks."""
    return length(json.dumps(blocks, ensure_ascii=False))
