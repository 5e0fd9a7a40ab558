"""Reads days out of English and Chinese, counted from the day on which somebody wrote."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from engine.facts import calendar
from engine.facts.calendar import Span, single
from engine.offline.reading.grammar import rule, rules
from engine.offline.reading.numbers import number


@dataclass(frozen=True, slots=True)
class FoundDays:
    """Days that a text names, and where it does."""

    first: date
    last: date
    start: int
    end: int
    is_vague: bool = False  # counted in weeks or months: nobody means that very day
    is_deadline: bool = False


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ZH: Final = {each: at for at, each in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_FIRST: Final = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_EARLY: Final = dict.fromkeys(("early", "beginning", "start", "初", "上旬"), 1)
_PARTS: Final = _EARLY | dict.fromkeys(("mid", "middle", "中", "中旬"), 11)  # else the 21st


def _span(match: re.Match[str], today: date) -> Span:
    """Return the days that a pattern of `days` has found, by what its groups are called.

    Raises:
        ValueError: there is no such day, or it is the verb "may".
    """
    said, text = match.groupdict(), match[0].lower()
    which = (said.get("which") or "").lower()
    ahead = which.count("下") + (which == "next")
    if said.get("n"):
        unit = said["unit"].lower()
        days = 30 if "month" in unit or "月" in unit else 1 if unit.startswith(("day", "天")) else 7
        return single(today + timedelta(round(number(said["n"])) * days))
    if said.get("weekday"):
        return _weekday(said["weekday"], which, ahead, today)
    if said.get("day"):
        return _numbered(said, text, today)
    if "month" in said:
        month = _month(said["month"]) if said["month"] else 0
        year = int(said.get("year") or today.year + (month < today.month))
        whole = calendar.month_span(year, month) if month else calendar.month_ahead(today, ahead)
        if said.get("nth"):
            return calendar.week_of_month(whole[0], int(_FIRST.get(said["nth"].lower(), said["nth"][0])))
        return (
            calendar.third_of_month(whole, _PARTS.get(re.split(r"\W", part.lower())[0], 21))
            if (part := said.get("part"))
            else whole
        )
    if "which" in said:
        monday, sunday = calendar.week_ahead(today, ahead)
        if "end of" in text:
            return single(monday + timedelta(4))
        return max(today, monday + timedelta(5 * ("weekend" in text))), sunday
    if text in ("christmas", "圣诞", "圣诞节"):
        return single(date(today.year, 12, 25))
    if "year" in text or "年" in text:
        return single(date(today.year, 12, 31))
    if text[0].isdigit():
        return single(date.fromisoformat(text))
    days = 3 if text[0] == "大" else 2 if re.search("after|后", text) else int("tomorrow" in text or "明" in text)
    return single(today + timedelta(days))


def _month(said: str) -> int:
    if said == "may":
        raise ValueError(said)
    return _MONTHS.index(said[:3].lower()) + 1 if said[0].isalpha() and said.isascii() else round(number(said))


def _numbered(said: Mapping[str, str | None], text: str, today: date) -> Span:
    """A day by its number, of a month or of the next that has it still to come."""
    day, name = round(number(said["day"] or "")), said.get("month")
    if not name:
        return single(calendar.next_numbered(today, day))
    first = calendar.next_dated(today, _month(name), day, int(said.get("year") or 0))
    if said.get("weekend"):
        return calendar.weekend_of(first)
    if not said.get("day2"):
        return single(first)
    month = round(number(said.get("month2") or "")) or first.month
    if " and " in text and int(said["day2"] or 0) != day + 1:
        raise ValueError(text)
    return first, first.replace(first.year + (month < first.month), month, round(number(said["day2"] or "")))


def _weekday(name: str, which: str, ahead: int, today: date) -> Span:
    """A day of the week; nobody calls today by it."""
    at = _WEEKDAYS.index(name[:3].lower()) if name.isascii() else _WEEKDAYS_ZH[name]
    found = calendar.week_ahead(today, ahead)[0] + timedelta(at)
    is_past = found < today or (found == today and not which and name != "末")
    found += timedelta(7 * (is_past and (name.isascii() or not which)))
    return (max(today, found), found + timedelta(1)) if name == "末" else single(found)


_ALREADY_BY: Final = re.compile(r"^(?:by|before|until)\s", re.IGNORECASE)
_JOINED: Final = re.compile(r"\s{0,3}(?:to|-|–|—|~|until|till|through|and|到|至|和)\s{0,3}(?:the\s{1,3})?", re.I)


def days_in(text: str, today: date) -> list[FoundDays]:
    """Return the days that a text names, in its order; a deadline is one day, by which something is done."""
    masked, found = text, []
    for pattern in rules("days"):
        for match in pattern.finditer(masked):
            try:
                first, last = _span(match, today)
            except (ValueError, OverflowError):
                continue
            unit = match.groupdict().get("unit") or "day"
            is_vague = not unit.lower().startswith(("day", "天"))
            tail = rule("days_tail").match(masked, match.end())
            one = FoundDays(first, last, match.start(), tail.end() if tail else match.end(), is_vague)
            found.append(_as_deadline(one, text, match))
        for start, end in [
            *((each.start, each.end) for each in found),
            *(each.span() for each in pattern.finditer(masked)),
        ]:
            masked = masked[:start] + "\0" * (end - start) + masked[end:]
    return _joined(sorted(found, key=lambda each: each.start), text)


def _as_deadline(one: FoundDays, text: str, match: re.Match[str]) -> FoundDays:
    before = rule("days_by").search(text[: one.start])
    after = rule("days_before").match(text, one.end)
    is_within = rule("days_within").search(match[0])
    inside = _ALREADY_BY.match(match[0])
    if not (before or after or is_within or inside):
        return one
    said = (before[0] if before else inside[0] if inside else "").strip().lower()
    last = one.first - timedelta(1) if said.startswith("before") else one.last
    start, end = before.start() if before else one.start, after.end() if after else one.end
    return replace(one, first=last, last=last, start=start, end=end, is_deadline=True)


def _joined(found: list[FoundDays], text: str) -> list[FoundDays]:
    """Join what is said from one day to another."""
    kept: list[FoundDays] = []
    for each in found:
        before = kept[-1] if kept else None
        between = _JOINED.fullmatch(text[before.end : each.start]) if before else None
        if before and between and before.last < each.last and not before.is_deadline:
            is_next = each.first - before.last == timedelta(1)
            if is_next or between[0].strip().lower() not in ("and", "和"):
                kept[-1] = replace(before, last=each.last, end=each.end)
                continue
        kept.append(each)
    return kept
