"""Reads a demand: when, where, for how many people and for how much, as data beside the words as they were said."""

from dataclasses import dataclass, replace

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People, When
from engine.lexicon.reading.asked import Found, blanked
from engine.lexicon.reading.money import money_in
from engine.lexicon.reading.people import main_people, people_in
from engine.lexicon.reading.places import Place, places_in
from engine.lexicon.reading.quantities import Quantity, quantities_in
from engine.lexicon.reading.times import main_time, times_in


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says. Everything in it was said; None and empty where it was not."""

    when: When | None = None
    """The time that it is about."""
    times: tuple[When, ...] = ()
    """All times, in their order."""
    place: Place | None = None
    people: People | None = None
    """How many it is for: those who ask do not count if there are others."""
    people_said: str = ""
    money: Money | None = None
    money_said: str = ""
    rest: str = ""
    """The text with blanks in place of its times, sums and numbers of people."""

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """How many of what, without those of people and of time."""
        return tuple(quantities_in(self.rest))

    @property
    def attendees(self) -> int | None:
        """One number of people: the upper end of a range, else the bound."""
        return (self.people.at_most or self.people.at_least or None) if self.people else None


def read(text: str, asked: Asked) -> Reading:
    """Read a text. It never fails: what cannot be resolved stays in words, as a time that is ``unknown``.

    Args:
        asked: the day from which days are counted, and the time zone in which hours are meant. Where the text names
            a city, its time zone is taken.
    """
    places = places_in(text)
    place = next((each.value for each in places), None)
    zone = next((each.value.time_zone for each in places if each.value.time_zone), asked.time_zone)
    times = times_in(text, replace(asked, time_zone=zone))
    rest = blanked(text, *times)
    sums = money_in(rest)
    rest = blanked(rest, *sums)
    people = people_in(rest)
    first, money = main_people(text, people), next(iter(sums), None)
    return Reading(
        when=main_time(times),
        times=tuple(each.value for each in times),
        place=place,
        people=first.value if first else None,
        people_said=_said(text, first),
        money=_total(money.value, first.value if first else People()) if money else None,
        money_said=_said(text, money),
        rest=blanked(rest, *people),
    )


def _said(text: str, found: Found[People] | Found[Money] | None) -> str:
    return text[found.start : found.end].strip() if found else ""


def _total(money: Money, people: People) -> Money:
    """A sum per head, times the people, if their number is known."""
    if not money.per_head or not people.at_most:
        return money
    return Money(amount=money.per_head * people.at_most, currency=money.currency, per_head=money.per_head)
