"""Finds times in a text: which days, and which hours of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import Literal

from dateutil.relativedelta import relativedelta

from engine.facts.asked import Asked
from engine.facts.circumstances import When
from engine.lexicon.forms import Form, meant
from engine.lexicon.reading.asked import Found, in_usual_forms
from engine.lexicon.reading.calendar import DAY, UNKNOWN, VAGUE, Calendar, Days, Unit
from engine.lexicon.reading.chinese_dates import chinese_rules
from engine.lexicon.reading.english_dates import Meaning, english_rules
from engine.lexicon.reading.holidays import holidays_in
from engine.lexicon.reading.hours import Hours, hours_in
from engine.lexicon.reading.numbers import ENGLISH, amount

_DEADLINE = re.compile(
    r"\b(?P<bound>by|before|until|till|no later than|not later than|due(?: on| by)?|deadline(?: is|:)?|up to)"
    r"\s(?:the\s)?$",
    re.IGNORECASE | re.ASCII,
)
_DEADLINE_ZH = re.compile(
    r"(?:最晚|最迟|不晚于|不迟于|截止(?:到|至|日期(?:是|为|:))?|赶在|deadline(?:是|为|:)?\s?)$", re.IGNORECASE
)
_NOT_BEFORE = re.compile(
    r"\b(?:not before|no earlier than|not earlier than)\s(?:the\s)?$|(?:不早于|最早)$", re.IGNORECASE
)
_EXCLUDED = re.compile(
    r"(?:不要|不能|不在|别在|别|除了|避开|不选)\s?$|\b(?:not on|except|but not|avoid|other than|never on)\s$",
    re.IGNORECASE,
)
_AWAY = re.compile(
    rf"(?P<count>{ENGLISH}|an?|a couple of)\s(?P<unit>day|week|month)s?\s(?P<side>before|after)\s(?:the\s)?$",
    re.IGNORECASE,
)
_AWAY_ZH = re.compile(
    r"(?:的)?(?P<side>前|后)(?P<count>\d{1,2}|[一两二三四五六七八九十]{1,2})个?(?P<unit>天|周|星期|月)"
)
_UNITS: dict[str, Unit] = {"day": "day", "week": "week", "month": "month", "天": "day", "月": "month"}
_UNITS |= {"周": "week", "星期": "week"}
_BEGINNING = re.compile(
    r"\b(?:starting(?: on| from| in)?|from|as of|since|beginning(?: in| on)?|after)\s(?:the\s)?$|(?:从|自)$",
    re.IGNORECASE,
)
_UP_TO = re.compile(
    r"\s?(?P<bound>之前|以前|前(?!后|端|台|期|往|提|辈|面)|为止|截止|止)|\sat the latest\b", re.IGNORECASE
)
_FROM = re.compile(r"\s?(?:之后|以后|后(?!天|台|端|期|勤|续|面|院|记)|开始|起(?!草|来|码)|onwards?\b)")
_TO = re.compile(r"\s?(?:-|–|—|~|to|until|till|through|到|至)\s?(?:the\s)?", re.IGNORECASE)
_AND = re.compile(r"\s?(?:and|or|&|/|和|或者?|、|与)\s?(?:on\s)?", re.IGNORECASE)
_BESIDE = re.compile(r"[\s,，(（]{0,2}(?:the\s)?")
_BETWEEN = re.compile(r"[\s,，的)）]{0,2}(?:(?:at|on|in|from|the|of|around|for|between)\s){0,2}", re.IGNORECASE)


_LONG_SPAN = 100
"""Days. A longer span says less than a deadline."""
_NO_HOURS = Hours()


@dataclass(frozen=True, slots=True)
class _Dated:
    days: Days
    start: int
    end: int
    hours: Hours = _NO_HOURS


def times_in(text: str, asked: Asked) -> list[Found[When]]:
    """Every time that a text names, in its order. No day of them is before the day of asking.

    A deadline has only ``last``, a beginning only ``first``; hours without a day have neither, and are ``vague``.
    """
    plain = in_usual_forms(text)
    calendar = Calendar(asked.day)
    dated = [_bounded(plain, each, calendar) for each in _joined(plain, _dates(plain, calendar))]
    return [Found(_when(text, each, asked), each.start, each.end) for each in _timed(plain, dated)]


def main_time(times: Sequence[Found[When]]) -> When | None:
    """The time that the text is about: a day before a span before what is vague, and the first of equals.

    Hours that were said elsewhere in the text, without a day, are taken for its hours.
    """
    if not times:
        return None
    when = min((each.value for each in times), key=_vagueness)
    hours = next((each.value for each in times if _is_hours(each.value)), None)
    if hours is None or _is_hours(when) or when.start or when.end or not (when.first or when.last):
        return when
    return When(
        said=f"{when.said}, {hours.said}",
        first=when.first,
        last=when.last,
        start=hours.start,
        end=hours.end,
        time_zone=when.time_zone,
        exact=when.exact,
    )


def _is_hours(when: When) -> bool:
    return bool(when.start or when.end) and not (when.first or when.last)


def _vagueness(when: When) -> int:
    if when.exact == "day":
        return 0
    if when.days is not None:
        return 1 if (when.days[1] - when.days[0]).days <= _LONG_SPAN else 2
    if when.last or when.first:
        return 1 if when.last else 2
    return 3 if when.exact == "unknown" else 4 if _is_hours(when) else 5


@cache
def _rules() -> tuple[tuple[Form, Meaning], ...]:
    return (*english_rules(), *chinese_rules())


def _dates(text: str, calendar: Calendar) -> list[_Dated]:
    """Without overlaps: the longest words that begin first."""
    candidates = [
        _Dated(days, match.start(), match.end())
        for match, meaning in meant(text, _rules())
        if match.end() > match.start() and (days := _meant(match, meaning, calendar)) is not None
    ]
    candidates += (_Dated(days, start, end) for start, end, days in holidays_in(text, calendar))
    kept: list[_Dated] = []
    for each in sorted(candidates, key=lambda each: (each.start, -each.end)):
        if kept and each.start < kept[-1].end:
            if each.end - each.start > kept[-1].end - kept[-1].start:
                kept[-1] = each
        else:
            kept.append(each)
    return [each for each in kept if not each.days.is_context]


def _meant(match: re.Match[str], meaning: Meaning, calendar: Calendar) -> Days | None:
    try:
        return meaning(match, calendar)
    except (ValueError, OverflowError, IndexError):
        return UNKNOWN  # there is no such day, such as 31 April


def _joined(text: str, dated: Sequence[_Dated]) -> list[_Dated]:
    """Join "from A to B", and "A and B" where both are days of one week."""
    joined: list[_Dated] = []
    for each in dated:
        if _EXCLUDED.search(text[max(0, each.start - 12) : each.start]):
            continue  # "not on Monday"
        before = joined[-1] if joined else None
        days = _both(text[before.end : each.start], before.days, each.days) if before else None
        if before is not None and days is not None:
            joined[-1] = _Dated(days, before.start, each.end)
        else:
            joined.append(each)
    return joined


def _both(between: str, one: Days, other: Days) -> Days | None:
    if one.is_weekday != other.is_weekday and one.is_day and other.is_day and _BESIDE.fullmatch(between):
        return one if other.is_weekday else other  # "Saturday 5 December", 12月5日（周六）
    first, last = one.first, other.last
    if first is None or last is None:
        return None
    if last < first:
        last = last + relativedelta(years=1) if (first - last).days > 31 else last + 7 * DAY
    if _TO.fullmatch(between) and (last - first).days <= 366:
        return Days(first, last, is_range=True)
    if _AND.fullmatch(between) and one.is_day and other.is_day and (last - first).days <= 7:
        return Days(first, last, is_range=True)
    return None


_END = re.compile(r"\b(?:end|close|eo[dwmqy])\b|(?:(?<!周)末|底)$", re.IGNORECASE)
_MIDDLE = re.compile(r"\b(?:mid|middle)\b|中旬", re.IGNORECASE)


def _bounded(text: str, dated: _Dated, calendar: Calendar) -> _Dated:
    """A deadline for "by Friday", a beginning for "from May on", with those words."""
    dated = _moved(text, dated, calendar)
    days, start, end = dated.days, dated.start, dated.end
    before = text[max(0, start - 24) : start]
    if days.first is not None and (floor := _NOT_BEFORE.search(before)):
        return _Dated(Days(days.first, None), start - (len(before) - floor.start()), end)
    if (
        days.first is not None
        and re.match(r"before\s", text[start:end], re.IGNORECASE)
        and before.lower().endswith("not ")
    ):
        return _Dated(Days(days.first, None), start - 4, end)
    lead, after = _DEADLINE.search(before) or _DEADLINE_ZH.search(before), _UP_TO.match(text, end)
    own = re.match(r"(?P<bound>by|before|until|till)\s", text[start:end], re.IGNORECASE)
    if days.last is not None and (lead or after or own):
        found = lead or own
        word = (found.groupdict().get("bound") or "").lower() if found else after["bound"] or "" if after else ""
        # "Before Friday" is Thursday at the latest; 周五之前 includes the Friday, but 五月之前 is over in April.
        # Before the end of a month is as late as its last day.
        is_open = word == "before" or (word in ("之前", "以前", "前") and not days.is_day)
        exclusive = is_open and not _END.search(text[start:end])
        last = days.first - DAY if exclusive and days.first and days.first > calendar.today else days.last
        if days.first and last == days.last and _MIDDLE.search(text[start:end]):
            last = days.first + (days.last - days.first) // 2  # "by mid June" is over in the middle of the month
        begin = start - (len(before) - lead.start()) if lead and not own else start
        return _Dated(Days(None, last), begin, after.end() if after else end)
    beginning, onwards = _BEGINNING.search(before), _FROM.match(text, end)
    if days.first is not None and not days.is_range and (beginning or onwards):
        is_after = (beginning and beginning[0].lower().startswith("after")) or (onwards and "后" in onwards[0])
        first = days.last + DAY if is_after and days.last else days.first
        return _Dated(
            Days(first, None),
            start - (len(before) - beginning.start()) if beginning else start,
            onwards.end() if onwards else end,
        )
    return dated


def _moved(text: str, dated: _Dated, calendar: Calendar) -> _Dated:
    """ "two weeks before Christmas", 春节前两周."""
    before, after = _AWAY.search(text[max(0, dated.start - 30) : dated.start]), _AWAY_ZH.match(text, dated.end)
    found = before or after
    if found is None:
        own = re.match(r"before\s|after\s", text[dated.start : dated.end], re.IGNORECASE)
        found = before = _AWAY.search(text[max(0, dated.start - 30) : dated.start] + own[0]) if own else None
    if found is None or not dated.days.is_known:
        return dated
    said = found["count"].lower()
    count = 1 if said in ("a", "an") else 2 if said.startswith("a couple") else amount(said)
    if count is None:
        return dated
    sign = -1 if found["side"].lower() in ("before", "前") else 1
    try:
        days = calendar.away_from(dated.days, sign * count, _UNITS[found["unit"].lower()])
    except (ValueError, OverflowError):
        return dated
    start = max(0, dated.start - 30) + before.start() if before else dated.start
    return _Dated(days, start, after.end() if after and not before else dated.end)


def _timed(text: str, dated: Sequence[_Dated]) -> list[_Dated]:
    """Add the hours that stand right beside a date to it; the others stay on their own."""
    found = [*dated]
    for hours in hours_in(text):
        beside = next((at for at, each in enumerate(found) if _is_beside(text, each, hours)), None)
        if beside is not None:
            each = found[beside]
            found[beside] = replace(
                each, start=min(each.start, hours.start), end=max(each.end, hours.end), hours=hours.value
            )
        elif not any(each.start < hours.end and hours.start < each.end for each in found):
            found.append(_Dated(VAGUE, hours.start, hours.end, hours.value))
    return sorted(found, key=lambda each: each.start)


def _is_beside(text: str, dated: _Dated, hours: Found[Hours]) -> bool:
    if dated.hours != _NO_HOURS or not dated.days.is_known:
        return False
    if hours.start <= dated.start and dated.end <= hours.end:
        return True
    one, other = (dated.end, hours.start) if dated.end <= hours.start else (hours.end, dated.start)
    return 0 <= other - one <= 16 and _BETWEEN.fullmatch(text, one, other) is not None


def _when(text: str, dated: _Dated, asked: Asked) -> When:
    days, hours = dated.days, dated.hours
    exact: Literal["day", "span", "vague", "unknown"] = "unknown"
    if days.is_known:
        exact = "day" if days.is_day else "span"
    elif days.is_vague:
        exact = "vague"
    return When(
        said=text[dated.start : dated.end].strip(),
        first=_iso(days.first),
        last=_iso(days.last),
        start=hours.start,
        end=hours.end,
        time_zone=asked.time_zone if days.is_known or hours != _NO_HOURS else "",
        exact=exact,
    )


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""
