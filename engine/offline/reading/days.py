"""Reads days out of English and Chinese, counted from the day on which somebody wrote."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Final

from engine.offline.reading.grammar import NUMBER_EN, NUMBER_ZH
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
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?<![\d.:,])(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_DAY2: Final = r"(?:\s*(?:-|–|to|until|through)\s*(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b(?!:))?"
_YEAR: Final = r"(?:,?\s+(?P<year>20\d\d)\b)?"
_WEEKDAY: Final = r"(?P<weekday>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?"
_LEAD: Final = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?)?"


def _in_year(today: date, month: int, day: int, year: str | None) -> date:
    """
    Raises:
        ValueError: there is no such day.
    """
    if year:
        return date(int(year), month, day)
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def _month(said: str) -> int:
    """
    Raises:
        ValueError: it is the verb "may".
    """
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


def _week_of(first: date, which: int) -> Span:
    monday = first + timedelta(-first.weekday() % 7 + 7 * (which - 1))
    return monday, monday + timedelta(6)


def _week_of_month(match: _Match, today: date) -> Span:
    return _week_of(_month_of(match, today)[0], _ORDINALS[match["nth"].lower()])


def _near(match: _Match, today: date) -> Span:
    said = match[0].lower()
    ahead = (
        3
        if said[0] == "大"
        else 2
        if "after" in said or "后" in said
        else 1
        if "tomorrow" in said or "明" in said
        else 0
    )
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
    if match["nth"]:
        return _week_of(span[0], round(number(match["nth"])))
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


@cache
def _english() -> tuple[tuple[re.Pattern[str], Callable[[_Match, date], Span]], ...]:
    named = rf"(?:{_MONTH}{_YEAR}|(?P<which>this|next)\s+month)"
    part = r"(?P<part>early|beginning of|start of|mid|middle of|late|end of)[\s-]+(?:the\s+)?"
    weekend = r"(?P<weekend>weekend (?:of|around)\s+(?:the\s+)?)?"
    rules: list[tuple[str, Callable[[_Match, date], Span]]] = [
        (r"\b20\d\d-\d\d-\d\d\b", _iso),
        (rf"\b{weekend}{_LEAD}{_MONTH}\s+(?:the\s+)?{_DAY}{_DAY2}{_YEAR}", _of_month),
        (rf"\b{weekend}{_LEAD}{_DAY}{_DAY2}\s+(?:of\s+)?{_MONTH}{_YEAR}", _of_month),
        (
            rf"\b(?:the\s+)?(?P<nth>first|second|third|fourth|[1-4](?:st|nd|rd|th)) week (?:of|in) {named}",
            _week_of_month,
        ),
        (rf"\b(?:the\s+)?{part}{named}", _part_of_month),
        (rf"\b(?:in|during|of|for|around|by|until|before|(?P<_>this|next))\s+{named}(?!\s+\d)", _month_of),
        (r"\b(?P<which>this|next)\s+month\b(?P<month>(?!))?(?P<year>(?!))?", _month_of),
        (r"\b(?:the\s+)?day after tomorrow\b|\btomorrow\b|\btoday\b|\btonight\b|\bthis (?:evening|afternoon)\b", _near),
        (rf"\b(?:the\s+)?(?:(?P<which>this|next|coming|upcoming)\s+)?{_WEEKDAY}(?!s\b)", _on_weekday),
        (r"\b(?:(?:on|over|at)\s+)?(?:the\s+)?(?P<which>this|next|coming|the)\s+weekend\b", _weekend),
        (r"\b(?:the\s+)?end of (?:the\s+|(?P<which>this|next)\s+)?week\b", _week_end),
        (r"\b(?:the\s+)?end of (?:the\s+|this\s+)?year\b", _year_end),
        (r"\b(?P<which>this|next)\s+week\b", _week),
        (rf"\b(?:in|within)\s+(?:the next\s+)?(?P<n>{NUMBER_EN}|an?)\s+(?P<unit>days?|weeks?|months?)\b", _ahead),
        (r"\bon the (?P<day>\d{1,2})(?:st|nd|rd|th)\b", _day_alone),
    ]
    return tuple((re.compile(pattern, re.IGNORECASE), read) for pattern, read in rules)


@cache
def _chinese() -> tuple[tuple[re.Pattern[str], Callable[[_Match, date], Span]], ...]:
    month, day = rf"(?P<month>{NUMBER_ZH})\s*月(?:份)?", rf"(?P<day>{NUMBER_ZH})\s*[日号]"
    until = rf"(?:\s*(?:到|至|-|–|—|~)\s*(?:(?P<month2>{NUMBER_ZH})月)?(?P<day2>{NUMBER_ZH})\s*[日号])?"
    rules: list[tuple[str, Callable[[_Match, date], Span]]] = [
        (rf"(?:(?P<year>20\d\d)\s*年)?{month}(?:(?:{NUMBER_ZH})\s*(?:-|到|至)\s*)?{day}{until}", _of_month_zh),
        (
            rf"(?:{month}|(?P<which>[下本这]+)个?月)的?"
            rf"(?:(?P<part>上旬|中旬|下旬|初|中|底)|第(?P<nth>[一二三四1-4])(?:个)?(?:周|星期))?",
            _month_zh,
        ),
        (r"(?P<which>)(?P<month>(?!))?月(?P<part>底|初|中)(?P<nth>(?!))?", _month_zh),
        (r"年底", _year_end),
        (r"大后天|后天|明天|明晚|明早|今天|今晚|今日|明日", _near),
        (
            r"(?<!每)(?P<which>下下|下|这|本)?个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])(?![次个场名位])",
            _weekday_zh,
        ),
        (r"(?P<which>下下|下|这|本)个?(?:周|星期|礼拜)(?![一二三四五六日天末])", _week),
        (rf"(?P<n>{NUMBER_ZH})\s*(?P<unit>天|周|个?星期|个?礼拜|个月)(?:以后|之后|后|以内|之内|内)", _ahead),
        (rf"(?<![月\d第]){day}(?!\s*(?:楼|线|馆|厅|会议室|房))", _day_alone),
    ]
    return tuple((re.compile(pattern), read) for pattern, read in rules)


_BY: Final = re.compile(
    r"(?:\b(?:by|before|no later than|not later than|until|till|due(?: on| by)?|deadline(?: is|:)?)\s+"
    r"(?:the\s+)?(?:end of\s+)?|截止(?:到|于|日期是?)?\s*|最晚\s*|不晚于\s*)$",
    re.IGNORECASE,
)
_BY_ZH: Final = re.compile(r"\s*(?:晚上|下班|中午)?(?:之前|以前|前|截止|为止)(?!\w*提)")
_ALREADY_BY: Final = re.compile(r"^(?:by|before|until)\s", re.IGNORECASE)
_JOINED: Final = re.compile(r"\s*(?:to|-|–|—|~|until|till|through|and|到|至|和)\s*(?:the\s+)?", re.IGNORECASE)


def days_in(text: str, today: date) -> list[FoundDays]:
    """Return the days that a text names, in its order; a deadline is one day, by which something is done."""
    masked, found = text, []
    for pattern, read in (*_english(), *_chinese()):
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
