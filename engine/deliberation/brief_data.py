"""Takes out of data whatever a model could have written words into."""

import re
from typing import Final
from zoneinfo import available_timezones

from msgspec.structs import replace

from engine.facts.circumstances import Money
from engine.facts.data import Datum, Hours, Place

_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def tag_of(language: str) -> str:
    """Return the tag of a language by BCP 47; empty where it is none."""
    return language if _TAG.fullmatch(language) else ""


def without_words(datum: Datum | None) -> Datum | None:
    """Return a datum with nothing in it that a model could write words into; None of a place, which no plan names."""
    match datum:
        case Money():
            return without_words_of(datum)
        case Hours():
            return replace(datum, time_zone=datum.time_zone if datum.time_zone in available_timezones() else "")
        case Place():
            return None
        case _:
            return datum


def without_words_of(sum_: Money) -> Money:
    return replace(sum_, currency=sum_.currency if _CURRENCY.fullmatch(sum_.currency) else "")
