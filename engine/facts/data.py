"""What somebody demands of a plan, as data that can be compared: a limit, a condition, a wish.

A model reads it out of words, or a person types it; `engine.facts.holding` compares it with what a plan says. Each
class is one kind of datum; as JSON it has a ``kind``. What is not known is empty or 0.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, PlainSerializer

from engine.facts.circumstances import Clock, Count, Day, Money, People, Said
from engine.kernel import ModelAnswer, plain

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: Final[tuple[Weekday, ...]] = get_args(Weekday)
"""Monday first, as `date.weekday` counts them."""


def _weekdays(value: Any) -> Any:
    """Keep what names a day of the week by its first three letters; a model may write the whole name."""
    if not isinstance(value, list | tuple):
        return () if value is None else value
    short = [each.strip().lower()[:3] for each in value if isinstance(each, str)]
    return tuple(each for each in dict.fromkeys(short) if each in WEEKDAYS)


class Days(ModelAnswer, tag_field="kind", tag="days"):
    """Only on these days: of the week, from ``first`` to ``last``, or both. If not ``allowed``, on none of them."""

    weekdays: Annotated[tuple[Weekday, ...], BeforeValidator(_weekdays)] = ()
    first: Day = ""
    last: Day = ""
    allowed: bool = True


class Hours(ModelAnswer, tag_field="kind", tag="hours"):
    """Only between ``start`` and ``end`` of a day; if not ``allowed``, never then. After midnight where ``end`` is not
    later than ``start``; one of them alone is a bound.
    """

    start: Clock = ""
    end: Clock = ""
    time_zone: Said = ""
    """IANA; empty: wherever the plan takes place."""
    allowed: bool = True


class Weeks(ModelAnswer, tag_field="kind", tag="weeks"):
    """Only in the weeks ``first`` to ``last`` of the plan, or in none of them. The first week is 1; 0: no bound."""

    first: Count = 0
    last: Count = 0
    allowed: bool = True


class Place(ModelAnswer, tag_field="kind", tag="place"):
    """Only in this city, or only online, or, where both are said, in either; if not ``allowed``, not there."""

    city: Said = ""
    online: bool = False
    allowed: bool = True


class Notice(ModelAnswer, tag_field="kind", tag="notice"):
    """Something is known or done so many days before it takes place."""

    days: Count = 0


class Effort(ModelAnswer, tag_field="kind", tag="effort"):
    """At most so many hours of work."""

    hours: Annotated[float, BeforeValidator(lambda value: 0 if value is None else value)] = 0
    per: Literal["day", "week", "whole"] = "whole"


class Deadline(ModelAnswer, tag_field="kind", tag="deadline"):
    """Done on this day at the latest."""

    day: Day = ""


Datum = Days | Hours | Weeks | People | Money | Place | Notice | Effort | Deadline
"""Of `People` and `Money` as a demand: so many people, within its bounds; so much money is there for it."""
KINDS: Final[tuple[type[ModelAnswer], ...]] = get_args(Datum)


def _known(value: Any) -> Any:
    """Drop what is none of the kinds: a datum that cannot be compared is none."""
    if isinstance(value, dict):
        kinds = [each.__struct_config__.tag for each in KINDS]
        return value if value.get("kind") in kinds else None
    return value if isinstance(value, KINDS) else None


MaybeDatum = Annotated[Datum | None, BeforeValidator(_known), PlainSerializer(plain)]
"""A datum, or none where the words are about nothing that can be compared."""


QUALIFYING: Final = frozenset({"allowed", "per", "currency", "time_zone"})
"""Fields that say how, and demand nothing of their own: "not", of no day, is no demand."""


def is_empty(datum: Datum | None) -> bool:
    """Whether it demands nothing."""
    if datum is None:
        return True
    nothing = type(datum)()
    names = (each for each in datum.__struct_fields__ if each not in QUALIFYING)
    return all(getattr(datum, each) == getattr(nothing, each) for each in names)


def as_data(values: Sequence[Datum | None]) -> tuple[Datum, ...]:
    """Return those that demand something."""
    return tuple(each for each in values if each is not None and not is_empty(each))
