"""Takes out of data whatever a model could have written words into."""

import re
from typing import Final

from msgspec.structs import replace

from engine.facts.circumstances import Money, People
from engine.facts.data import Datum, Days, Deadline, Effort

_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def tag_of(language: str) -> str:
    """Return the tag of a language by BCP 47; empty where it is none."""
    return language if _TAG.fullmatch(language) else ""


def comparable(datum: Datum | None) -> Datum | None:
    """Return what a plan can be held against, with nothing in it that a model could write words into. Tasks have days,
    hours of work and owners, and no place, no hour of the day and no notice: what demands these stays as it was said.
    """
    match datum:
        case Money():
            return without_words_of(datum)
        case Days() | Deadline() | Effort() | People():
            return datum
        case _:
            return None


def without_words_of(sum_: Money) -> Money:
    return replace(sum_, currency=sum_.currency if _CURRENCY.fullmatch(sum_.currency) else "")
