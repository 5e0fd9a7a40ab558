"""When somebody works and when they are away: limits of their own part that are stated as data, under names that people
know. Nothing is kept twice: whoever changes it here changes the limit.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from engine.directory.profile import Limits, Profile, StatedLimit
from engine.facts.data import Datum, Days, Effort, Hours, Weekday
from engine.facts.places import time_zone_of
from engine.times.availability import Availability, ReadCalendar

MOST_AWAY: Final = 50
"""Times away that somebody can have before them."""


class WorkingTimes(Struct, frozen=True, gc=False):
    """On which days of the week somebody works, from when until when, and how much. What is not said is empty or 0."""

    weekdays: tuple[Weekday, ...] = ()
    start: str = ""
    end: str = ""
    """After midnight if it is not later than ``start``."""
    time_zone: str = ""
    """IANA, of the hours."""
    hours_a_week: float = 0


def working_times(limits: Limits) -> WorkingTimes:
    days, hours, effort = (_first(limits, is_about) for is_about in (_are_days, _are_hours, _is_effort))
    return WorkingTimes(
        weekdays=days.weekdays if isinstance(days, Days) else (),
        start=hours.start if isinstance(hours, Hours) else "",
        end=hours.end if isinstance(hours, Hours) else "",
        time_zone=hours.time_zone if isinstance(hours, Hours) else "",
        hours_a_week=effort.hours if isinstance(effort, Effort) else 0,
    )


def with_working_times(limits: Limits, said: WorkingTimes) -> Limits:
    """Return the limits with these times in place of those that there are; the very same where nothing differs."""
    if said == working_times(limits):
        return limits
    found: list[Datum] = []
    if said.weekdays:
        found.append(Days(weekdays=said.weekdays))
    if said.start and said.end:
        found.append(Hours(start=said.start, end=said.end, time_zone=said.time_zone))
    if said.hours_a_week:
        found.append(Effort(hours=said.hours_a_week, per="week"))
    kept = [each for each in limits.data if not _is_working_time(each)]
    return limits.model_copy(update={"data": (*(StatedLimit(data=each) for each in found), *kept)})


def with_time_away(limits: Limits, first: str, last: str, today: str) -> Limits:
    """Return the limits with another time away, and without those that are over.

    Args:
        today: an ISO date, the earliest that it is anywhere.
    """
    away = StatedLimit(data=Days(first=first, last=last, allowed=False))
    kept = [each for each in limits.data if each != away and not _is_over(each, today)]
    return limits.model_copy(update={"data": (*kept, away)})


def is_time_away(first: str, last: str) -> bool:
    """Whether these are two ISO dates in their order."""
    said = Days.checked({"first": first, "last": last})
    return bool(first and last) and (said.first, said.last) == (first, last) and first <= last


def times_away(limits: Limits) -> tuple[Days, ...]:
    return tuple(each.data for each in limits.data if isinstance(each.data, Days) and _is_away(each))


def _first(limits: Limits, is_about: Callable[[StatedLimit], bool]) -> Datum | None:
    return next((each.data for each in limits.data if is_about(each)), None)


def _are_days(limit: StatedLimit) -> bool:
    data = limit.data
    is_whole = isinstance(data, Days) and data.allowed and bool(data.weekdays) and not (data.first or data.last)
    return limit.scope == "own" and is_whole


def _are_hours(limit: StatedLimit) -> bool:
    data = limit.data
    return limit.scope == "own" and isinstance(data, Hours) and data.allowed and bool(data.start and data.end)


def _is_effort(limit: StatedLimit) -> bool:
    return limit.scope == "own" and isinstance(limit.data, Effort) and limit.data.per == "week"


def _is_working_time(limit: StatedLimit) -> bool:
    return _are_days(limit) or _are_hours(limit) or _is_effort(limit)


def _is_away(limit: StatedLimit) -> bool:
    data = limit.data
    return limit.scope == "own" and isinstance(data, Days) and not data.allowed and bool(data.first and data.last)


def _is_over(limit: StatedLimit, today: str) -> bool:
    return _is_away(limit) and isinstance(limit.data, Days) and limit.data.last < today


def available_by(profile: Profile, calendar: ReadCalendar | None, zone: str, end: int) -> Availability:
    """Return what somebody holds to of their own part, as data that is about time, and when they are busy.

    Args:
        zone: where it takes place.
        end: up to when it is looked at; a calendar that does not reach so far does not say that they are free.
    """
    held = tuple(each.data for each in profile.data_limits if each.data is not None)
    busy, has_calendar, away = (calendar.busy, calendar.until >= end, calendar.away) if calendar else ((), False, ())
    return Availability(held, zone, busy, has_calendar, time_zone_of(profile.location), away)
