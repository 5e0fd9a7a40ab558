"""Holds what a deliberation says to the bounds of its JSON."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from engine.deliberation.answers import LONGEST_OUTPUT
from engine.deliberation.envelopes.fields import LONGEST_LIST, MOST_ROUNDS
from engine.facts.shortening import shorten
from engine.facts.visible import without_surrogates

LONGEST_ID: Final = 200


def text(said: str) -> str:
    return shorten(without_surrogates(said), LONGEST_OUTPUT)


def texts(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(text(each) for each in said if each)[:LONGEST_LIST]


def an_id(said: str) -> str:
    return without_surrogates(said)[:LONGEST_ID]


def ids(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(an_id(each) for each in said if each)[:LONGEST_LIST]


def day(said: str) -> str | None:
    """Return an ISO date as it is; None for anything else, which a model may have written."""
    try:
        return date.fromisoformat(said).isoformat()
    except ValueError:
        return None


def fraction(level: float) -> float:
    return float(min(1, max(0, level)))


def round_number(number: int) -> int:
    return min(MOST_ROUNDS, max(1, number))
