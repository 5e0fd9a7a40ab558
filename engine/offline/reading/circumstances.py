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
from engine.offline.reading.asking import Spans, clauses_of, sentence_end
from engine.offline.reading.days import FoundDays, days_in
from engine.offline.reading.grammar import rule
from engine.offline.reading.hours import FoundHours, hours_in, parts_of_day
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
    handed: date | None = None
    """When somebody else hands over what is needed first."""


def asked_on(today: dict[str, str]) -> Asked:
    """Return the day of asking, as models are told it."""
    return Asked(date.fromisoformat(today["date"]), today["time_zone"])


def told_in(text: str, asked: Asked, everybody: Callable[[], Iterable[EligibleProfile]] = tuple) -> Told:
    days, hours, people = days_in(text, asked.day), hours_in(text), heads_in(text)
    hours = [each for each in hours if not any(day.start < each.end and each.start < day.end for day in days)]
    sums, places = money_in(text), places_in(text, everybody)
    spans = [*((each.start, each.end) for each in days), *((each.start, each.end) for each in hours)]
    aside = [each for each in spans if rule("days_aside").search(text[: each[0]])]
    handed = [  # of a clause that tells of it, up to its first day
        (first, next((each.end for each in days if first <= each.start < last), last))
        for first, last in clauses_of(text, "asking_given")
    ]
    given = _outside([each for each in days if (each.start, each.end) not in aside], handed)
    own = _outside(given, clauses_of(text, "asking_optional")) or given
    zone = zone_in(text)
    deadlines = tuple(each for each in own if each.is_deadline)
    when = when_of(text, own, [each for each in hours if (each.start, each.end) not in aside], asked)
    if when.first:  # who counts days or weeks beside an event may count them from there
        deadlines = tuple(each for each in deadlines if not rule("days_within").search(text[each.start : each.end]))
    due = min((each.last for each in deadlines), default=date.fromisoformat(when.first) if when.first else date.max)
    before = [each.last for each in days if not each.is_deadline and each.last < due]
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
    spans += [(start, end) for _, start, end in (*people, *sums, *places)]
    spans += [each[1:3] for each in effort_in(text)]
    spans += [zone[1:]] if zone else []
    spans += [each.span() for each in rule("duration").finditer(text)]
    return Told(context, tuple(sorted(spans)), deadlines, max(before, default=None))


def _outside(days: list[FoundDays], spans: Spans) -> list[FoundDays]:
    return [each for each in days if not any(start <= each.start < end for start, end in spans)]


def when_of(text: str, days: list[FoundDays], hours: list[FoundHours], asked: Asked) -> When:
    """Return the time at which it takes place: the day that is nearest to an hour or a part of the day, and its hours.

    Without these a day before a deadline is only when it begins, and of several days none is known.
    """
    named = [each for each in days if not each.is_deadline]
    clocks = [
        (each, sentence_end(text, each.end)) for each in hours if not each.bound or text.startswith("from", each.start)
    ]

    def far(each: FoundDays) -> int:
        ends, is_said = sentence_end(text, each.end), bool(parts_of_day(text[each.start : each.end]))
        near = (abs(hour.start - each.end) for hour, last in clocks if last == ends)
        return 0 if is_said else min(near, default=len(text))

    day = min(named, key=far, default=None)
    is_timed = day is not None and far(day) < len(text)
    if day and not is_timed and any(each.is_deadline and day.last < each.last for each in days):
        day = None
    hour = next((each for each, ends in clocks if not day or sentence_end(text, day.end) == ends), None)
    parts = [(each.start, each.end) for each in (day, hour) if each]
    if not parts:
        return NOT_SAID
    begins, ends = min(parts)[0], max(end for _, end in parts)
    if ends - begins > LONGEST_SAID or sentence_end(text, begins + 1) < ends:
        begins, ends = parts[0]
    when = When(said=text[begins:ends].strip(" .,，。"), time_zone=asked.time_zone)
    if hour is not None:
        when = replace(when, start=hour.opens, end=hour.closes)
    is_one = is_timed or (day and all(day.first <= each.first and each.last <= day.last for each in named))
    if day is None or day.last < asked.day or not is_one:
        return when
    exact = "vague" if day.is_vague else "day" if day.first == day.last else "span"
    return replace(when, first=day.first.isoformat(), last=day.last.isoformat(), exact=exact)
