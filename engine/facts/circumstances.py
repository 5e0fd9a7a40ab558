"""When, for how many, and for how much: what people say of it, as data that can be compared.

Dates are ISO 8601 (``2027-05-03``), times of day ``HH:MM`` on a clock of 24 hours, and what is not known is empty or 0.
Empty texts stand for "not said" instead of null, because a schema for a model takes only a few fields that may be null.
"""

import re
from datetime import date, time
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from engine.kernel import ModelAnswer

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?")


def _date(value: Any) -> Any:
    """Drop what is no date: a model may write "TBD" there, and a wrong date is worse than none."""
    if not isinstance(value, str):
        return "" if value is None else value
    try:
        return date.fromisoformat(value.strip()[:10]).isoformat()
    except ValueError:
        return ""


def _time(value: Any) -> Any:
    if not isinstance(value, str):
        return "" if value is None else value
    match = _TIME.fullmatch(value.strip())
    return f"{int(match[1]):02d}:{match[2]}" if match else ""


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    return "" if value is None else value


def _exactness(value: Any) -> Any:
    known = isinstance(value, str) and value.strip().lower() in ("day", "span", "vague", "unknown")
    return value.strip().lower() if known else "unknown"


def _count(value: Any) -> Any:
    return max(0, round(value)) if isinstance(value, int | float) else (0 if value is None else value)


Day = Annotated[str, BeforeValidator(_date)]
"""A date, or empty."""
Clock = Annotated[str, BeforeValidator(_time)]
"""A time of day, or empty."""
Said = Annotated[str, BeforeValidator(_text)]
Count = Annotated[int, BeforeValidator(_count)]
"""Not negative; 0 where it is not known."""


class When(ModelAnswer):
    """A time: which days, and which hours of each.

    ``day`` is one day; ``span`` any or all of the days from ``first`` to ``last`` ("the second week of May"); ``vague``
    is less than that ("soon"); ``unknown`` could not be resolved, and is asked.
    """

    said: Said = ""
    """The words, as they were said."""
    first: Day = ""
    last: Day = ""
    """Equal to ``first`` for a single day; alone, a deadline."""
    start: Clock = ""
    end: Clock = ""
    """After midnight if it is not later than ``start``."""
    time_zone: Said = ""
    """IANA, e.g. ``Asia/Shanghai``."""
    exact: Annotated[Literal["day", "span", "vague", "unknown"], BeforeValidator(_exactness)] = "unknown"

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day; None unless both are known and in order. Of one day that ends after midnight, the
        next is none of its own.
        """
        if not (self.first and self.last) or self.first > self.last:
            return None
        first, last = date.fromisoformat(self.first), date.fromisoformat(self.last)
        is_night = self.exact == "day" and self.end and self.end <= self.start
        return (first, first) if is_night and (last - first).days == 1 else (first, last)

    @property
    def hours(self) -> tuple[time, time] | None:
        """From and until when on a day; None unless both are known."""
        return (time.fromisoformat(self.start), time.fromisoformat(self.end)) if self.start and self.end else None


class People(ModelAnswer, tag_field="kind", tag="people"):
    """A number of people: exact, a range, or a bound."""

    at_least: Count = 0
    at_most: Count = 0


class Money(ModelAnswer, tag_field="kind", tag="money"):
    """A sum in whole units of its currency. ``none`` says that there is no money at all, which 0 does not."""

    amount: Count = 0
    currency: Said = ""
    """ISO 4217, e.g. ``CNY``; empty where it was not said."""
    none: bool = False
    per_head: Count = 0
    """What each person may cost, where it was said so; ``amount`` is all of it, if their number is known too."""
