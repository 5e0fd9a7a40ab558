"""Holds what a person never breaks against a demand and against a plan: their fields, their data, and their words."""

import re
from collections.abc import Iterable, Sequence
from math import ceil

from msgspec.structs import replace

from engine.directory.profile import HeldLimit, Profile
from engine.facts.asked import Asked
from engine.facts.circumstances import People, When
from engine.facts.data import WEEKDAYS, Datum
from engine.facts.free_times import FreeTime, hours_a_week, is_free
from engine.facts.holding import Part, holds
from engine.facts.language import Language
from engine.facts.places import same_city
from engine.facts.quoting import stands_in
from engine.negotiation.answers import LimitAnswer, LimitVerdict, Understanding
from engine.negotiation.plan.parts import demanded, iso_day
from engine.offline.model import phrase
from engine.offline.reading.grammar import rule
from engine.offline.reading.hours import hours_in, parts_of_day
from engine.offline.reading.numbers import WEEKS, effort_in, work_in
from engine.offline.reading.wishes import datum_in, notice_in, weekdays_in


def part_of(demand: Understanding, when: When | None = None) -> Part:
    """Return what a demand says of the whole, with the time of a plan where there is one."""
    return replace(demanded(demand.context), when=when or demand.context.when)


def declined_for(profile: Profile, demand: Understanding, language: Language) -> str:
    """Return why a demand is none for this person, by their fields and the hours they give; empty where it is."""
    limits, context = profile.limits, demand.context
    if limits.busy:
        return phrase("decline.busy", language, why=limits.busy.said_in(language))
    if reason := unfit_size(limits.max_attendees or 0, limits.min_attendees or 0, context.people, language):
        return reason
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


def unfit_size(most: int, least: int, people: People, language: Language) -> str:
    """Return, with both data, that so many people are too many or too few; empty where they are not."""
    if 0 < most < people.at_least:
        return phrase("decline.too_many", language, limit=most, wanted=people.at_least)
    is_few = 0 < people.at_most < least
    return phrase("decline.too_few", language, limit=least, wanted=people.at_most) if is_few else ""


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
        is_unsure = stands or (datum is not None and holds(datum, part).status == "broken")
        verdict = LimitVerdict.UNSURE if is_unsure else LimitVerdict.KEPT
        answers.append(LimitAnswer(number=number, verdict=verdict, quote=each.words if stands else ""))
    return tuple(answers)


def is_free_then(profile: Profile, when: When, zone: str, asked: Asked) -> bool:
    """Whether when they have time lets them come, as far as rules read it; an hour may be of either time zone."""
    said = profile.availability
    if rule("free_other").search(said):
        return True
    is_here = rule("free_zone").search(said) or zone != (when.time_zone or zone)
    begins = replace(when, start="") if rule("free_zone").search(said) else when
    return is_free(_slots(said), begins, () if is_here else parts_of_day(when.said), {"", zone}, asked.day)


def notice_of(profile: Profile, words: Iterable[str]) -> int:
    """Return how many days ahead somebody has to be asked for what these words say, whatever the day; 0 if unsaid."""
    told = re.split(r"[,.;，；、。]", f"{profile.availability}; {profile.profile_summary}")
    said = [each for each in told if not (weekdays_in(each)[0] or rule("free_if").search(each))]
    found = (notice_in(each, by) for each in (*words, *said) for by in ("wish_notice", "lead_time"))
    return max((each.days for each in found if each), default=0)


def work_asked(demand: Understanding, asked: Asked) -> tuple[int, int]:
    """Return how many hours of work a demand asks of one person, 0 where that is not said, and in how many weeks."""
    due = iso_day(demand.context.deadline or demand.context.when.last)
    hours, weeks = work_in(demand.surface_demand, (due - asked.day).days // 7 if due else 1)
    is_one = len(demand.needs) < 2 or re.search(r"\beach\b|每人", demand.surface_demand)
    return (ceil(hours) if is_one else 0), weeks


def hours_of(profile: Profile, demand: Understanding, asked: Asked) -> int:
    """Return how many hours somebody says they have until then, where these are enough; else nothing is known."""
    wanted, weeks = work_asked(demand, asked)
    by_clock = _hours_a_week(profile.availability) if hours_in(profile.availability) else 0
    a_week, *_, a_month = (*effort_in(profile.availability), (by_clock, 0, 0, False))[0]
    spare = a_week * max(weeks, WEEKS * a_month)
    return int(spare) if 0 < wanted <= spare else 0


def _slots(said: str) -> list[FreeTime]:
    """Return when somebody has time, piece by piece."""
    found, weekdays = [], WEEKDAYS
    for piece in re.split(r"[,;，；、。]|\band\b|以?及|和", said):
        named = weekdays_in(rule("free_days").sub(lambda each: f"{each[0]}s", piece))[0]
        hours, notice = tuple(parts_of_day(piece)), notice_in(piece)
        weekdays = named or weekdays
        if (named or hours or notice) and not rule("free_if").search(piece):
            days = (named or WEEKDAYS) if notice else weekdays
            found.append(FreeTime(days, hours, notice.days if notice else 0))
    return found


def _hours_a_week(said: str) -> float:
    return 0 if rule("free_other").search(said) else hours_a_week(_slots(said))
