"""Takes out of data whatever a model could have written words into."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import Compared
from engine.facts.circumstances import Money
from engine.facts.data import is_empty

_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}")


def tag_of(language: str) -> str:
    """Return the tag of a language by BCP 47; empty where it is none."""
    return language if _TAG.fullmatch(language) else ""


def demanding(data: Iterable[Compared | None]) -> tuple[Compared, ...]:
    """Return those that demand something, with nothing in them that a model could write words into."""
    clean = (without_words_of(each) if isinstance(each, Money) else each for each in data)
    return tuple(each for each in clean if each is not None and not is_empty(each))


def without_words_of(sum_: Money) -> Money:
    return replace(sum_, currency=sum_.currency if _CURRENCY.fullmatch(sum_.currency) else "")
