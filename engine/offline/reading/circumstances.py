"""Reads when, where, for how many and for how much out of a text, each with its words and as data."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from msgspec.structs import replace

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People, When
from engine.facts.data import Place
from engine.facts.places import time_zone_of
from engine.negotiation.answers import Circumstances
from engine.negotiation.given import EligibleProfile
from engine.offline.reading.asking import given_in, sentence_end
from engine.offline.reading.days import FoundDays, days_in
from engine.offline.reading.grammar import rule
from engine.offline.reading.hours import FoundHours, hours_in
from engine.offline.reading.numbers import effort_in, heads_in, money_in
from engine.offline.reading.places import places_in, zone_in

NOT_SAID: Final = When()
LONGEST_SAID: Final = 60  # characters, from a day to its hours


@dataclass(frozen=True, slots=True)
class Told:
    """What a text tells of time, place, size and money, and where it does."""

    context: Circumstances
    spans: tuple[tuple[int, int], ...]
    deadlines: tuple[FoundDays, ...]

    def deadline_in(self, start: int, end: int) -> str:
        """Return the day by which what stands there is to be done; empty where that is not said."""
        return next((each.last.isoformat() for each in self.deadlines if start <= each.start < end), "")


def asked_on(today: dict[str, str]) -> Asked:
    """Return the day of asking, as models are told it."""
    return Asked(date.fromisoformat(today["date"]), today["time_zone"])


def told_in(text: str, asked: Asked, everybody: Callable[[], Iterable[EligibleProfile]] = tuple) -> Told:
    days, hours, people = days_in(text, asked.day), hours_in(text), heads_in(text)
    hours = [each for each in hours if not any(day.start < each.end and each.start < day.end for day in days)]
    sums, places = money_in(text), places_in(text, everybody)
    spans = [*((each.start, each.end) for each in days), *((each.start, each.end) for each in hours)]
    given = [*given_in(text), *(each for each in spans if rule("days_aside").search(text[: each[0]]))]
    zone = zone_in(text)
    own = [each for each in days if not any(start <= each.start < end for start, end in given)]
    deadlines = tuple(each for each in own if each.is_deadline)
    when = when_of(text, own, [each for each in hours if not any(a <= each.start < b for a, b in given)], asked)
    said = when.said or next((text[each.start : each.end] for each in deadlines), "")
    place = places[0][0] if places else Place()
    where = text[places[0][1] : places[0][2]] if places else ""
    if when != NOT_SAID:
        named = zone[0] if zone else time_zone_of(place.city) if place.city else ""
        when = replace(when, time_zone=named or when.time_zone)
    context = Circumstances(
        location=place.city if place.city and place.city in where else where or None,
        expected_attendees=(people[0].people.at_most or people[0].people.at_least) if people else None,
        date=said.strip(" .,，。") or None,
        budget=text[slice(*sums[0][1:])].strip() if sums else None,
        when=when,
        people=people[0].people if people else People(),
        money=sums[0][0] if sums else Money(),
        place=place,
        deadline=deadlines[0].last.isoformat() if deadlines else "",
    )
    spans += [(start, end) for _, start, end in (*people, *sums, *places, *effort_in(text))]
    spans += [zone[1:]] if zone else []
    spans += [each.span() for each in rule("duration").finditer(text)]
    return Told(context, tuple(sorted(spans)), deadlines)


def when_of(text: str, days: list[FoundDays], hours: list[FoundHours], asked: Asked) -> When:
    """Return the first time that is no deadline, with the hours that stand beside it."""
    named = [each for each in days if not each.is_deadline]
    day = named[0] if named else None
    ends = sentence_end(text, day.end) if day else 0
    hour = next((each for each in hours if not each.bound and (not day or sentence_end(text, each.end) == ends)), None)
    if day is None and hour is None:
        return NOT_SAID
    parts: list[tuple[int, int]] = [(day.start, day.end)] if day else []
    parts += [(hour.start, hour.end)] if hour else []
    begins, ends = min(parts)[0], max(end for _, end in parts)
    if ends - begins > LONGEST_SAID or sentence_end(text, begins + 1) < ends:
        begins, ends = parts[0]
    said = text[begins:ends]
    when = When(said=said.strip(" .,，。"), time_zone=asked.time_zone)
    if hour is not None:
        when = replace(when, start=hour.opens, end=hour.closes)
    if day is None or day.last < asked.day or not all(_is_same(day, each, text) for each in named):
        return when
    exact = "vague" if day.is_vague else "day" if day.first == day.last else "span"
    return replace(when, first=day.first.isoformat(), last=day.last.isoformat(), exact=exact)


def _is_same(day: FoundDays, other: FoundDays, text: str) -> bool:
    """Whether what a text names later is in those days, or says of what weekday they are."""
    is_inside = day.first <= other.first and other.last <= day.last
    between = text[day.end : other.start]
    return is_inside or (other.first.weekday() == day.first.weekday() and not any(map(str.isalnum, between)))
