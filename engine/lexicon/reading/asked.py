"""What a reader has found in a text."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")

_RANGES = (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"))
_WIDE = {chr(code): chr(code - 0xFEE0) for first, last in _RANGES for code in range(ord(first), ord(last) + 1)}
_USUAL = str.maketrans(_WIDE | {"：": ":", "～": "~", "＋": "+", "　": " "})
"""Full-width letters and digits to their usual forms, one for one, so that positions stay."""

LONGEST = 8_000
"""Characters that are read; what follows is not."""


def in_usual_forms(text: str) -> str:
    """As much of a text as is read, without full-width letters and digits; all positions stay."""
    read = text[:LONGEST]
    return read if read.isascii() else read.translate(_USUAL)


@dataclass(frozen=True, slots=True)
class Found(Generic[Value]):
    """Something in a text, from ``start`` to ``end``."""

    value: Value
    start: int
    end: int


def blanked(text: str, *found: Found[Value]) -> str:
    """The text with those passages replaced by a mark that no reader knows; all positions stay."""
    for each in found:
        text = text[: each.start] + "\x00" * (each.end - each.start) + text[each.end :]
    return text
