"""The fields in which somebody says what should change: what it is about, that as data, and their own words.

What it is about is chosen first, and its fields appear then; the form that they stand in is redrawn from itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.datum_fields import (
    AMOUNT,
    CURRENCY,
    END,
    HEAD,
    LEAST,
    MOST,
    NUMBER,
    START,
    datum_fields,
    read_datum,
)
from bot.views.kit.data_words import wanted_words
from bot.views.kit.fields import (
    Values,
    choice_field,
    day_field,
    entered_text,
    number_field,
    picked_day,
    picked_option,
    text_field,
    time_field,
)
from engine.facts.data import Datum, Days, is_empty
from engine.negotiation.state import Negotiation

ABOUT: Final = "wish_about"
"""Of the choice, and what a click in it is called."""
CHANGE, DAY = "change", "day"
"""Names of other fields; those of data have theirs."""
TIME, PART, PEOPLE, MONEY = "time", "part", "people", "money"
ALL: Final = (TIME, PART, PEOPLE, MONEY)
OF_THE_WHOLE: Final = (TIME, PEOPLE)
"""What whoever asked can say of the plan; of what it may cost, their demand speaks."""
_FIELDS: Final = {
    TIME: (DAY, START, END),
    PART: (NUMBER,),
    PEOPLE: (LEAST, MOST),
    MONEY: (AMOUNT, HEAD, CURRENCY),
}
"""Names of the fields in which each is said as data."""
_TYPED: Final = frozenset(name for names in _FIELDS.values() for name in names)


def wish_fields(texts: Texts, abouts: Sequence[str], words: str = "") -> list[Block]:
    """Return what to choose from, and a field for words.

    Args:
        abouts: of `ALL`, those that there are to choose from.
        words: which the field starts with.
    """
    called = {
        TIME: texts.say("The time"),
        PART: texts.say("My part"),
        PEOPLE: texts.say("How many people"),
        MONEY: texts.say("The money"),
    }
    choices = choice_field(
        ABOUT, texts.say("What should change?"), [(each, called[each]) for each in abouts], optional=True, tells=True
    )
    hint = texts.say("What, how much, by when. Everyone in the thread can read it")
    return [choices, text_field(CHANGE, texts.say("In your own words"), hint, initial=words)]


def asks_for_data(view: Mapping[str, Any]) -> bool:
    """Whether something was chosen whose fields the form does not show yet, and no words were entered."""
    values = view["state"]["values"]
    about = picked_option(values, ABOUT)
    return about in _FIELDS and not entered_text(values, CHANGE) and _FIELDS[about][0] not in values


def with_data(view: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Return a form of these fields as it goes on once it was chosen what it is about: words are not needed then."""
    about = picked_option(view["state"]["values"], ABOUT)
    kept = [each for each in view["blocks"] if each["block_id"] not in _TYPED]
    at = next(number for number, each in enumerate(kept, 1) if each["block_id"] == ABOUT)
    typed = [each.to_dict() for each in _data_fields(about, texts)]
    blocks = [
        each | {"optional": about is not None} if each["block_id"] == CHANGE else each
        for each in (*kept[:at], *typed, *kept[at:])
    ]
    same = ("type", "callback_id", "title", "submit", "close", "private_metadata")
    return {each: view[each] for each in same if view.get(each)} | {"blocks": blocks}


def _data_fields(about: str | None, texts: Texts) -> Iterator[Block]:
    if about == TIME:
        yield day_field(DAY, texts.say("Day"))
        yield time_field(START, texts.say("From"))
        yield time_field(END, texts.say("Until"))
    elif about == PART:
        yield number_field(NUMBER, texts.say("Hours, at most"), None, least=0, most=10_000, decimal=True)
    elif about is not None:
        yield from datum_fields(about, None, texts)


def day_of(state: Negotiation) -> str:
    """Return the day on which the newest version begins, as an ISO date; empty where it says none."""
    return state.proposals[-1].when.first if state.proposals else ""


def read_wish(values: Values, texts: Texts, today: str, day: str) -> tuple[str, Datum | None]:
    """Return what was asked for, in words and as data.

    Args:
        today: an ISO date.
        day: of the plan, as an ISO date. Where a day and hours are asked for and it is that day already, the hours are
            what changes.
    """
    data = [each for each in _data(values) if not is_empty(each)]
    said = texts.say(", ").join(wanted_words(each, texts, today) for each in data)
    text = " – ".join(filter(None, (said, entered_text(values, CHANGE))))
    if len(data) > 1 and data[0] == Days(first=day, last=day):
        data = data[1:]
    return text, data[0] if data else None


def _data(values: Values) -> Iterator[Datum]:
    about = picked_option(values, ABOUT)
    if about == TIME:
        day = picked_day(values, DAY)
        yield Days(first=day, last=day)
        yield read_datum("hours", values, None)
    elif about is not None:
        yield read_datum("effort" if about == PART else about, values, None)
