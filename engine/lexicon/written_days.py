"""Reads a day in a plan's own words, if they are a day, perhaps with its hours, and nothing else; no guesses."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Final

Day = date | datetime
"""A datetime without a time zone is in the reader's local time."""

YEARS: Final = range(1970, 3000)

_NUMBERS: Final = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY_FIRST: Final = re.compile(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+(\d{{4}})")
_MONTH_FIRST: Final = re.compile(rf"{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})")

_WEEKDAY: Final = r"(?:mon|tue|wed|thu|fri|sat|sun|周[一二三四五六日]|星期[一二三四五六日天])"
_DATED: Final = rf"(\d{{4}}-\d\d-\d\d)(?:\s?[(（]{_WEEKDAY}[)）])?"
_HOURS: Final = r"(?: (?:[01]\d|2[0-3]):[0-5]\d(?:\s?[-–]\s?(?:[01]\d|2[0-3]):[0-5]\d)?(?: [a-z_]+(?:/[a-z_]+)*)?)?"
_DAY_WITH_HOURS: Final = re.compile(_DATED + _HOURS)
"""``2027-05-20 (Thu) 19:00–21:00 Asia/Shanghai``, as simple rules write. Its hours are in no clock that is known."""
_SPAN: Final = re.compile(rf"{_DATED}\s?(?:[-–]|to|至|到)\s?{_DATED}{_HOURS}")

_FROM_A_DAY: Final = re.compile(r"(?P<how_far>[^()（）]{1,200}?)\s{0,20}[(（](?P<day>[^()（）]+)[)）]")
"""``4 weeks before (14 November 2026)``, as simple rules write where no model is connected."""
_DISTANCE: Final = re.compile(
    r"(?P<n>\d{1,3}) (?P<unit>day|week)s? (?P<side>before|after)"
    r"|活动(?P<side_zh>[前后])(?P<n_zh>\d{1,3}|[一两二三四])(?P<unit_zh>[天周])"
)
_NEAR: Final = {"the day before": -1, "the day itself": 0, "the day after": 1, "活动当天": 0}
"""Days."""
_FEW: Final = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4}


def read_day(text: str) -> Day | None:
    text = " ".join(text.split()).lower()
    try:
        found = _written_out(text) or _from_a_day(text)
    except (ValueError, OverflowError):  # the 30th of February
        return None
    return found if found and found.year in YEARS else None


def read_days(text: str) -> tuple[date, date] | None:
    """Return the first and the last of some days, equal for one; where a time is told with its zone, the days of that
    zone.
    """
    low = " ".join(text.split()).lower()
    if found := _SPAN.fullmatch(low):
        try:
            first, last = date.fromisoformat(found[1]), date.fromisoformat(found[2])
        except ValueError:
            return None
        return (first, last) if first <= last and first.year in YEARS and last.year in YEARS else None
    day = read_day(text)
    if isinstance(day, datetime):
        day = date.fromisoformat(low[:10]) if _LOCAL.match(low) else day.date()
    return (day, day) if day is not None else None


_LOCAL: Final = re.compile(r"\d{4}-\d\d-\d\d")


def _written_out(text: str) -> Day | None:
    for read in (_iso, _numbers, _words, _with_hours):
        if found := read(text):
            return found
    return None


def _iso(text: str) -> Day | None:
    for read in _ISO:
        try:
            found = read(text.upper())
        except ValueError:
            continue
        return found.astimezone(UTC) if isinstance(found, datetime) and found.tzinfo else found
    return None


_ISO: Final[tuple[Callable[[str], Day], ...]] = (date.fromisoformat, datetime.fromisoformat)


def _numbers(text: str) -> Day | None:
    """A date in digits with the year first; other orders are ambiguous."""
    found = _NUMBERS.fullmatch(text)
    return date(int(found[1]), int(found[2]), int(found[3])) if found else None


def _with_hours(text: str) -> Day | None:
    found = _DAY_WITH_HOURS.fullmatch(text)
    return date.fromisoformat(found[1]) if found else None


def _words(text: str) -> Day | None:
    if found := _DAY_FIRST.fullmatch(text):
        day, month, year = found.groups()
    elif found := _MONTH_FIRST.fullmatch(text):
        month, day, year = found.groups()
    else:
        return None
    return date(int(year), _MONTHS.index(month[:3]) + 1, int(day))


def _from_a_day(text: str) -> Day | None:
    found = _FROM_A_DAY.fullmatch(text)
    day = _written_out(found["day"].strip()) if found else None
    days = _days(found["how_far"]) if found else None
    return day + timedelta(days) if day is not None and days is not None else None


def _days(how_far: str) -> int | None:
    if how_far in _NEAR:
        return _NEAR[how_far]
    found = _DISTANCE.fullmatch(how_far)
    if found is None:
        return None
    number = found["n"] or found["n_zh"]
    days = _FEW.get(number) or int(number)
    days *= 7 if (found["unit"] or found["unit_zh"]) in ("week", "周") else 1
    return -days if (found["side"] or found["side_zh"]) in ("before", "前") else days
