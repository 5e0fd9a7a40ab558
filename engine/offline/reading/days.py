"""Reads days out of English and Chinese, counted from the day on which somebody wrote."""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from engine.offline.reading.grammar import rules
from engine.offline.reading.numbers import number

Span = tuple[date, date]
_Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class FoundDays:
    """Days that a text names, and where it does."""

    first: date
    last: date
    start: int
    end: int
    is_vague: bool = False
    """Counted in weeks or months: nobody means that very day."""
    is_deadline: bool = False


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS_ZH: Final = {each: at for at, each in enumerate("一二三四五六日")} | {"天": 6, "末": 5}
_FIRST: Final = {"first": "1", "second": "2", "third": "3", "fourth": "4"}


def _in_year(today: date, month: int, day: int, year: str | None) -> date:
    """Raise `ValueError` where there is no such day."""
    if year:
        return date(int(year), month, day)
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def _month(said: str) -> int:
    """Raise `ValueError` where it is the verb "may"."""
    if said == "may":
        raise ValueError(said)
    return _MONTHS.index(said[:3].lower()) + 1


def _of_month(match: _Match, today: date) -> Span:
    month = _month(match["month"])
    first = _in_year(today, month, int(match["day"]), match["year"])
    last = first.replace(day=int(match["day2"])) if match["day2"] else first
    if match["weekend"]:
        saturday = first + timedelta((5 - first.weekday()) % 7 if first.weekday() != 6 else -1)
        return saturday, saturday + timedelta(1)
    return first, last


def _iso(match: _Match, today: date) -> Span:
    first = date.fromisoformat(match[0])
    return first, first


def month_span(year: int, month: int) -> Span:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following - timedelta(1)


def _month_of(match: _Match, today: date) -> Span:
    said = match["month"]
    if said is None:
        step = 1 if match["which"].lower() == "next" else 0
        return month_span(today.year + (today.month - 1 + step) // 12, (today.month - 1 + step) % 12 + 1)
    month = _month(said)
    year = int(match["year"] or today.year + (month < today.month))
    return month_span(year, month)


def _part_of(span: Span, part: str) -> Span:
    first, last = span
    if part in ("early", "beginning", "start", "初", "上旬"):
        return first, first.replace(day=10)
    if part in ("mid", "middle", "中", "中旬"):
        return first.replace(day=11), first.replace(day=20)
    return first.replace(day=21), last


def _part_of_month(match: _Match, today: date) -> Span:
    return _part_of(_month_of(match, today), re.split(r"\W", match["part"].lower())[0])


def _week_of_month(match: _Match, today: date) -> Span:
    first = _month_of(match, today)[0]
    monday = first + timedelta(-first.weekday() % 7 + 7 * (int(_FIRST.get(match["nth"].lower(), match["nth"][0])) - 1))
    return monday, monday + timedelta(6)


def _near(match: _Match, today: date) -> Span:
    said = match[0].lower()
    ahead = 3 if said[0] == "大" else 2 if re.search("after|后", said) else int("tomorrow" in said or "明" in said)
    return today + timedelta(ahead), today + timedelta(ahead)


def _monday(today: date, weeks: int) -> date:
    return today + timedelta(7 * weeks - today.weekday())


def _on_weekday(match: _Match, today: date) -> Span:
    at = _WEEKDAYS.index(match["weekday"][:3].lower())
    if (match["which"] or "").lower() == "next":
        found = _monday(today, 1) + timedelta(at)
    else:
        found = today + timedelta((at - today.weekday()) % 7)
    return found, found


def _weekend(match: _Match, today: date) -> Span:
    weeks = 1 if (match["which"] or "").lower() == "next" else 0
    saturday = _monday(today, weeks) + timedelta(5)
    return max(today, saturday), saturday + timedelta(1)


def _week(match: _Match, today: date) -> Span:
    which = match["which"].lower()
    monday = _monday(today, 1 if which == "next" else which.count("下"))
    return max(today, monday), monday + timedelta(6)


def _week_end(match: _Match, today: date) -> Span:
    friday = _monday(today, 1 if (match["which"] or "").lower() == "next" else 0) + timedelta(4)
    return friday, friday


def _year_end(match: _Match, today: date) -> Span:
    return date(today.year, 12, 31), date(today.year, 12, 31)


def _ahead(match: _Match, today: date) -> Span:
    unit = match["unit"].lower()
    days = (
        30 if unit.startswith("month") or "月" in unit else 7 if unit.startswith("week") or unit[-1] in "周期拜" else 1
    )
    found = today + timedelta(round(number(match["n"])) * days)
    return found, found


def _day_alone(match: _Match, today: date) -> Span:
    day = int(number(match["day"]))
    first, last = month_span(today.year, today.month)
    if day < today.day:
        first, last = month_span(last.year + last.month // 12, last.month % 12 + 1)
    return first.replace(day=day), first.replace(day=day)


def _of_month_zh(match: _Match, today: date) -> Span:
    month = round(number(match["month"]))
    first = _in_year(today, month, round(number(match["day"])), match["year"])
    if not match["day2"]:
        return first, first
    return first, first.replace(
        month=round(number(match["month2"] or match["month"])), day=round(number(match["day2"]))
    )


def _month_zh(match: _Match, today: date) -> Span:
    said = match["month"]
    if said:
        month = round(number(said))
        span = month_span(today.year + (month < today.month), month)
    else:
        step = (match["which"] or "").count("下")
        span = month_span(today.year + (today.month - 1 + step) // 12, (today.month - 1 + step) % 12 + 1)
    return _part_of(span, match["part"]) if match["part"] else span


def _weekday_zh(match: _Match, today: date) -> Span:
    weeks, at = (match["which"] or "").count("下"), _WEEKDAYS_ZH[match["weekday"]]
    first = _monday(today, weeks) + timedelta(at)
    if not match["which"] and first < today:
        first += timedelta(7)
    if match["weekday"] == "末":
        return max(today, first), first + timedelta(1)
    return first, first


_VAGUE: Final = (_ahead,)


_READERS: Final = (
    _iso, _of_month, _of_month, _week_of_month, _part_of_month, _month_of, _month_of, _near, _on_weekday,
    _weekend, _week_end, _year_end, _week, _ahead, _day_alone, _of_month_zh, _month_zh, _month_zh, _year_end,
    _near, _weekday_zh, _week, _ahead, _day_alone,
)  # fmt: skip
"""Of the patterns `days`, in their order."""
_BY: Final = re.compile(
    r"(?:\b(?:by|before|no later than|not later than|until|till|due(?: on| by)?|deadline(?: is|:)?)\s+"
    r"(?:the\s+)?(?:end of\s+)?|截止(?:到|于|日期是?)?\s*|最晚\s*|不晚于\s*)$",
    re.IGNORECASE,
)
_BY_ZH: Final = re.compile(r"\s{0,5}(?:晚上|下班|中午)?(?:之前|以前|前|截止|为止)(?!\w*提)")
_ALREADY_BY: Final = re.compile(r"^(?:by|before|until)\s", re.IGNORECASE)
_JOINED: Final = re.compile(
    r"\s{0,3}(?:to|-|–|—|~|until|till|through|and|到|至|和)\s{0,3}(?:the\s{1,3})?", re.IGNORECASE
)


def days_in(text: str, today: date) -> list[FoundDays]:
    """Return the days that a text names, in its order; a deadline is one day, by which something is done."""
    masked, found = text, []
    for pattern, read in zip(rules("days"), _READERS, strict=True):
        for match in pattern.finditer(masked):
            try:
                first, last = read(match, today)
            except (ValueError, OverflowError):
                continue
            one = FoundDays(first, last, match.start(), match.end(), read in _VAGUE and not _is_days(match))
            found.append(_as_deadline(one, text, match))
        masked = pattern.sub(lambda each: "\0" * len(each[0]), masked)
    return _joined(sorted(found, key=lambda each: each.start), text)


def _is_days(match: _Match) -> bool:
    return match["unit"].lower().startswith(("day", "天"))


def _as_deadline(one: FoundDays, text: str, match: _Match) -> FoundDays:
    before = _BY.search(text[: one.start])
    after = _BY_ZH.match(text, one.end)
    is_within = bool(re.match(r"within\b", match[0], re.IGNORECASE)) or match[0].endswith("内")
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
