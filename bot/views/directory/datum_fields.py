"""The fields of a form in which somebody says a limit as data, by its kind, and how they are read."""

from collections.abc import Iterator
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.kit.fields import (
    Values,
    choice_field,
    day_field,
    entered_decimal,
    entered_number,
    entered_text,
    line_field,
    multi_choice_field,
    number_field,
    picked_day,
    picked_option,
    picked_options,
    picked_time,
    time_field,
)
from engine.facts.circumstances import Money, People
from engine.facts.data import KINDS, WEEKDAYS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weeks

ALLOWED, WEEKDAY, FIRST, LAST, START, END = "allowed", "weekday", "first", "last", "start", "end"
FIRST_WEEK, LAST_WEEK, LEAST, MOST, NUMBER, PER = "first_week", "last_week", "least", "most", "number", "per"
AMOUNT, HEAD, CURRENCY, CITY, ONLINE = "amount", "head", "currency", "city", "online"
"""Names of the fields: where the errors of a refused form belong."""

ONLY, NOT = "only", "not"
YES: Final = "yes"
LARGEST: Final = 1_000_000_000


def kind_of(datum: Datum) -> str:
    return str(type(datum).__struct_config__.tag)


def kind_words(texts: Texts) -> tuple[tuple[str, str], ...]:
    """Every kind, and what it is called."""
    return (
        ("days", texts.say("Days")),
        ("hours", texts.say("Hours of the day")),
        ("people", texts.say("Number of people")),
        ("place", texts.say("Place")),
        ("effort", texts.say("Hours of work")),
        ("notice", texts.say("Notice")),
        ("money", texts.say("Money")),
        ("deadline", texts.say("The latest day")),
        ("weeks", texts.say("Weeks of the plan")),
    )


def weekday_options(texts: Texts) -> list[tuple[str, str]]:
    days = {
        "mon": texts.say("Mondays"), "tue": texts.say("Tuesdays"), "wed": texts.say("Wednesdays"),
        "thu": texts.say("Thursdays"), "fri": texts.say("Fridays"), "sat": texts.say("Saturdays"),
        "sun": texts.say("Sundays"),
    }  # fmt: skip
    return [(each, days[each]) for each in WEEKDAYS]


def datum_fields(kind: str, datum: Datum | None, texts: Texts) -> Iterator[Block]:
    """
    Args:
        datum: to start from; one of another kind is left.
    """
    known: Any = datum if datum is not None and kind_of(datum) == kind else _empty(kind)
    match known:
        case Days():
            yield multi_choice_field(WEEKDAY, texts.say("Days"), weekday_options(texts), known.weekdays)
            yield day_field(FIRST, texts.say("From"), known.first)
            yield day_field(LAST, texts.say("Until"), known.last)
            yield _allowed(known.allowed, texts)
        case Hours():
            yield time_field(START, texts.say("From"), known.start)
            yield time_field(END, texts.say("Until"), known.end)
            yield _allowed(known.allowed, texts)
        case Weeks():
            yield _number(FIRST_WEEK, texts.say("From"), known.first)
            yield _number(LAST_WEEK, texts.say("Until"), known.last)
            yield _allowed(known.allowed, texts)
        case People():
            yield _number(LEAST, texts.say("At least"), known.at_least)
            yield _number(MOST, texts.say("At most"), known.at_most)
        case Money():
            yield _number(AMOUNT, texts.say("At least, in all"), known.amount)
            yield _number(HEAD, texts.say("At least, a head"), known.per_head)
            yield line_field(CURRENCY, texts.say("Currency"), "EUR", longest=3, optional=True, initial=known.currency)
        case Place():
            yield line_field(CITY, texts.say("City"), "", longest=80, optional=True, initial=known.city)
            yield multi_choice_field(ONLINE, texts.say("From afar"), [(YES, texts.say("Online"))],
                    [YES] if known.online else [])  # fmt: skip
            yield _allowed(known.allowed, texts)
        case Notice():
            yield _number(NUMBER, texts.say("Days ahead, at least"), known.days)
        case Effort():
            yield number_field(NUMBER, texts.say("Hours, at most"), known.hours or None, least=0, most=10_000,
                    decimal=True)  # fmt: skip
            spans = [("day", texts.say("A day")), ("week", texts.say("A week")), ("whole", texts.say("In all"))]
            yield choice_field(PER, texts.say("In what time?"), spans, known.per)
        case Deadline():
            yield day_field(LAST, texts.say("Until"), known.day)


def read_datum(kind: str, values: Values, before: Datum | None) -> Datum:
    """Return what was entered, which may demand nothing."""
    allowed = picked_option(values, ALLOWED) != NOT
    match _empty(kind):
        case Days():
            picked = picked_options(values, WEEKDAY)
            days = tuple(each for each in WEEKDAYS if each in picked)
            return Days(weekdays=days, first=picked_day(values, FIRST), last=picked_day(values, LAST), allowed=allowed)
        case Hours():
            zone = before.time_zone if isinstance(before, Hours) else ""
            start, end = picked_time(values, START), picked_time(values, END)
            return Hours(start=start, end=end, time_zone=zone, allowed=allowed)
        case Weeks():
            return Weeks(first=_entered(values, FIRST_WEEK), last=_entered(values, LAST_WEEK), allowed=allowed)
        case People():
            return People(at_least=_entered(values, LEAST), at_most=_entered(values, MOST))
        case Money():
            currency = entered_text(values, CURRENCY).upper()
            return Money(amount=_entered(values, AMOUNT), per_head=_entered(values, HEAD), currency=currency)
        case Place():
            online = YES in picked_options(values, ONLINE)
            return Place(city=entered_text(values, CITY), online=online, allowed=allowed)
        case Notice():
            return Notice(days=_entered(values, NUMBER))
        case Effort():
            spans = {"day": Effort(per="day"), "week": Effort(per="week")}
            per = spans.get(picked_option(values, PER) or "", Effort()).per
            return Effort(hours=entered_decimal(values, NUMBER) or 0, per=per)
        case Deadline():
            return Deadline(day=picked_day(values, LAST))
    raise ValueError(f"nothing reads {kind}")


FIRST_FIELDS: Final = {
    "days": WEEKDAY, "hours": START, "weeks": FIRST_WEEK, "people": LEAST, "money": AMOUNT, "place": CITY,
    "notice": NUMBER, "effort": NUMBER, "deadline": LAST,
}  # fmt: skip
"""Where it is said that nothing was entered, by kind."""


def _empty(kind: str) -> Any:
    """Return an empty datum of a kind."""
    known = {str(each.__struct_config__.tag): each for each in KINDS}
    if kind not in known:
        raise ValueError(f"there is no kind {kind!r}")
    return known[kind]()


def _allowed(is_allowed: bool, texts: Texts) -> Block:
    options = [(ONLY, texts.say("Only that")), (NOT, texts.say("Not that"))]
    return choice_field(ALLOWED, texts.say("What holds?"), options, ONLY if is_allowed else NOT)


def _number(name: str, label: str, number: int) -> Block:
    return number_field(name, label, number or None, least=0, most=LARGEST)


def _entered(values: Values, name: str) -> int:
    return entered_number(values, name) or 0
