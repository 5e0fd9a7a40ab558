"""Reads what a text says of place, size, time and money with the grammar; it goes with the grammar."""

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People, When
from engine.facts.language import Language
from engine.negotiation.answers import Circumstances


def circumstances_in(text: str, asked: Asked, language: Language) -> Circumstances:
    """What a text says of place, size, time and money, in its words and as data."""
    from engine.lexicon.reading.reader import read  # the first text that is read loads the grammar

    reading = read(text, asked)
    when = reading.when
    is_dated = when is not None and bool(when.first or when.last or not (when.start or when.end))
    return Circumstances(
        location=reading.place.said_in(language) if reading.place else None,
        expected_attendees=reading.attendees,
        date=when.said if when and is_dated else None,
        budget=reading.money_said or None,
        when=when or When(),
        people=reading.people or People(),
        money=reading.money or Money(),
    )


def time_of(context: Circumstances, asked: Asked) -> When:
    """When it is to be: as data, or read from the words where a model gave only these."""
    if context.when.first or context.when.last or not context.date:
        return context.when
    return circumstances_in(context.date, asked, "en").when
