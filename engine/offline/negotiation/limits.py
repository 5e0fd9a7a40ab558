"""Holds what a person never breaks against a demand and against a plan: their fields, their data, and their words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from engine.directory.profile import HeldLimit, Profile
from engine.facts.asked import Asked
from engine.facts.circumstances import When
from engine.facts.data import WEEKDAYS, Datum, Place, Weekday
from engine.facts.holding import Part, holds
from engine.facts.language import Language
from engine.facts.places import same_city
from engine.facts.quotes import stands_in
from engine.negotiation.answers import LimitAnswer, LimitVerdict, Understanding
from engine.offline.phrasing import phrase
from engine.offline.reading.grammar import rule
from engine.offline.reading.hours import parts_of_day
from engine.offline.reading.numbers import effort_in
from engine.offline.reading.wishes import datum_in, notice_in, weekdays_in


def part_of(demand: Understanding, when: When | None = None) -> Part:
    """Return what a demand says of the whole, with the time of a plan where there is one."""
    context = demand.context
    place = context.place if context.place != Place() else None
    return Part(when=when or context.when, place=place, people=context.people, money=context.money)


def declined_for(profile: Profile, demand: Understanding, language: Language) -> str:
    """Return why a demand is none for this person, by their fields and the hours they give; empty where it is."""
    limits, context = profile.limits, demand.context
    if limits.busy:
        return phrase("decline.busy", language, why=limits.busy.said_in(language))
    most, least = limits.max_attendees, limits.min_attendees
    if most and context.people.at_least > most:
        return phrase("decline.too_many", language, limit=most, wanted=context.people.at_least)
    if least and 0 < context.people.at_most < least:
        return phrase("decline.too_few", language, limit=least, wanted=context.people.at_most)
    if limits.paid_only and context.money.none:
        return phrase("decline.unpaid", language)
    city = context.place.city
    if limits.locations and city and not any(same_city(each, city) is not False for each in limits.locations):
        return phrase("decline.far", language, city=city)
    given, wanted = effort_in(profile.availability), effort_in(demand.surface_demand)
    spare = given[0][0] if given else _hours_a_week(profile.availability)
    if wanted and 0 < spare < (fewest := min(wanted))[0]:
        return no_time(profile, demand.surface_demand[fewest[1] : fewest[2]], language)
    broken = broken_datum(profile.data_limits, demand, None, is_own_time=False)
    return phrase("decline.limit", language) if broken is not None else ""


def no_time(profile: Profile, wanted: str, language: Language) -> str:  # both data, in their words
    return phrase("decline.time", language, said=profile.availability, wanted=wanted.strip(" ,，"))


def broken_datum(
    limits: Iterable[HeldLimit], demand: Understanding, when: When | None, *, is_own_time: bool
) -> Datum | None:
    """Return the first datum that is broken; one about somebody's own part only where that is the time of the whole."""
    whole = part_of(demand, when)
    own = whole if is_own_time else Part(place=whole.place)
    for each in limits:
        part = whole if each.scope == "whole" else own
        if each.data is not None and holds(each.data, part).status == "broken":
            return each.data
    return None


def limit_answers(
    limits: Sequence[HeldLimit], texts: Sequence[str], demand: Understanding, asked: Asked, when: When | None = None
) -> tuple[LimitAnswer, ...]:
    """Answer each limit in words: unsure where they stand in a text, or what is read of them is broken; else kept."""
    part = part_of(demand, when)
    answers = []
    for number, each in enumerate(limits, 1):
        stands = stands_in(each.words, *texts)
        datum, _ = datum_in(each.words, asked)
        is_broken = datum is not None and holds(datum, part).status == "broken"
        verdict = LimitVerdict.UNSURE if stands or is_broken else LimitVerdict.KEPT
        answers.append(LimitAnswer(number=number, verdict=verdict, quote=each.words if stands else ""))
    return tuple(answers)


def is_free(profile: Profile, when: When, zone: str, asked: Asked) -> bool:
    """Whether when they have time lets them come, as far as rules read it; an hour may be of either time zone."""
    said = profile.availability
    if not when.first or when.exact not in ("day", "span") or rule("free_other").search(said):
        return True
    first, last = (date.fromisoformat(each) for each in (when.first, when.last or when.first))
    asked_for = {WEEKDAYS[(first + timedelta(each)).weekday()] for each in range(min(7, (last - first).days + 1))}
    begins = {when.start} if when.start and not rule("free_zone").search(said) else set()
    if begins and zone:
        here = datetime.fromisoformat(f"{when.first}T{when.start}").replace(tzinfo=ZoneInfo(when.time_zone or zone))
        begins.add(f"{here.astimezone(ZoneInfo(zone)):%H:%M}")
    fits = []
    for piece, free, hours in _slots(said):
        if notice := notice_in(piece):
            if asked_for <= {*free} and (first - asked.day).days < notice.days:
                return False
            if len(free) == len(WEEKDAYS):
                continue  # it says nothing of when
        is_then = not (hours and begins) or any(a <= start < b for a, b in hours for start in begins)
        fits.append(bool(asked_for & {*free}) and is_then)
    return not fits or any(fits)


def notice_of(profile: Profile, words: Iterable[str]) -> int:
    """Return how many days ahead somebody has to be asked for what these words say, whatever the day; 0 if unsaid."""
    said = [each for each in re.split(r"[,;，；、。]", profile.availability) if not weekdays_in(each)[0]]
    texts = [*words, *(each for each in said if not rule("free_if").search(each))]
    found = (notice_in(each, by) for each in texts for by in ("wish_notice", "lead_time"))
    return max((each.days for each in found if each), default=0)


def _slots(said: str) -> Iterator[tuple[str, Sequence[Weekday], list[tuple[str, str]]]]:
    """Return when somebody has time, piece by piece: on which days of the week, and from when to when."""
    weekdays: Sequence[Weekday] = ()
    for piece in re.split(r"[,;，；、。]|\band\b|以?及|和", said):
        named = weekdays_in(rule("free_days").sub(lambda each: f"{each[0]}s", piece))[0]
        hours = parts_of_day(piece)
        weekdays = named or weekdays
        if (named or hours or notice_in(piece)) and not rule("free_if").search(piece):
            yield piece, (named if notice_in(piece) else weekdays) or WEEKDAYS, hours


def _hours_a_week(said: str) -> float:
    """Return the most hours that somebody can have within the times that they write; 0 where that is not bounded."""
    slots = [*_slots(said)]
    if rule("free_other").search(said) or not all(hours for _, _, hours in slots):
        return 0
    return sum(len(days) * (int(b[:2]) - int(a[:2]) + 1) for _, days, hours in slots for a, b in hours)
