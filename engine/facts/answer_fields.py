"""The fields of what models answer: lenient where a model is careless about form (case, range, null), and cleaned of
what nobody can see."""

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from engine.facts.shortening import shorten, visible
from engine.kernel import PRIVATE

MOST_TEXTS: Final = 50
"""Of one list; a model that lists more has gone astray."""
LONGEST_TEXT: Final = 8_000
"""Characters; whatever is longer is cut after a word, and shows that it is."""
LONGEST_ITEM: Final = 2_000
"""Characters of a text in a list."""


def lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def cleaned(value: Any) -> Any:
    """Take what nobody can see, and what turns a text around, out of a text that a model has written."""
    if not isinstance(value, str) or (value.isprintable() and value.isascii() and len(value) <= LONGEST_TEXT):
        return value  # most texts are clean
    return shorten(visible(value), LONGEST_TEXT)


def no_null(value: Any) -> Any:
    return "" if value is None else cleaned(value)


def no_null_list(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_item(each) for each in value[:MOST_TEXTS]]
    return () if value is None else value


def _item(value: Any) -> Any:
    return shorten(visible(value), LONGEST_ITEM) if isinstance(value, str) else value


def item(value: Any) -> Any:
    return "" if value is None else _item(value)


def percent(value: Any) -> Any:
    return min(100, max(0, round(value))) if isinstance(value, int | float) else value


def fraction(value: Any) -> Any:
    return min(1.0, max(0.0, value)) if isinstance(value, int | float) else value


Text = Annotated[str, PRIVATE, BeforeValidator(no_null)]
"""What a model has written: it may quote people, so it is as private as their own words."""
Item = Annotated[str, PRIVATE, BeforeValidator(item)]
"""A text that is one of many in a list."""
Texts = Annotated[tuple[str, ...], PRIVATE, BeforeValidator(no_null_list)]
Needed = Annotated[str, PRIVATE, BeforeValidator(cleaned), Field(min_length=1)]
"""A text that may not be empty."""
Id = Annotated[str, BeforeValidator(no_null)]
Ids = Annotated[tuple[str, ...], BeforeValidator(no_null_list)]
"""Ids that a model has written. Code keeps those that exist."""
Level = Annotated[Literal["high", "medium", "low"], BeforeValidator(lower)]
Percent = Annotated[int, BeforeValidator(percent)]
Fraction = Annotated[float, BeforeValidator(fraction)]
