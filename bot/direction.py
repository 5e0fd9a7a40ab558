"""Keeps a text that is written from right to left from turning around what stands beside it."""

import re
from typing import Final

FIRST_STRONG_ISOLATE: Final = "\u2068"
END_OF_ISOLATE: Final = "\u2069"

_FROM_RIGHT_TO_LEFT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and the like, by their blocks."""


def runs_from_right(text: str) -> bool:
    """Whether a text has letters that are written from right to left."""
    return not text.isascii() and _FROM_RIGHT_TO_LEFT.search(text) is not None


def isolated(text: str) -> str:
    """Isolate a text that has letters from right to left, so that the order of what stands around it stays; any other
    text stays as it is.
    """
    if not runs_from_right(text):
        return text
    return "\n".join(map(_isolated, text.split("\n")))  # no isolate reaches beyond its line


def _isolated(line: str) -> str:
    is_done = line.startswith(FIRST_STRONG_ISOLATE) and line.endswith(END_OF_ISOLATE)
    return line if is_done or not runs_from_right(line) else f"{FIRST_STRONG_ISOLATE}{line}{END_OF_ISOLATE}"
