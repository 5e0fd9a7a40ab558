"""Holidays and festivals that people date things by, in both languages."""

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from dateutil.easter import easter
from dateutil.relativedelta import MO, TH, relativedelta

from engine.lexicon.forms import Form
from engine.lexicon.reading.calendar import DAY, Calendar, Days

DatesOf = Callable[[int], tuple[date, date]]
"""The first and the last day in a year."""


def _fixed(month: int, day: int, lasting: int = 1) -> DatesOf:
    return lambda year: (date(year, month, day), date(year, month, day) + (lasting - 1) * DAY)


def _lunar(month: int, day: int, before: int = 0, lasting: int = 1) -> DatesOf:
    def of(year: int) -> tuple[date, date]:
        from borax.calendars.lunardate import LunarDate  # only a text with such a festival needs it

        first: date = LunarDate(year, month, day).to_solar_date() - before * DAY
        return first, first + (lasting - 1) * DAY

    return of


def _easter(offset: int = 0, lasting: int = 1) -> DatesOf:
    return lambda year: (easter(year) + offset * DAY, easter(year) + (offset + lasting - 1) * DAY)


def _thanksgiving(offset: int = 0) -> DatesOf:
    def of(year: int) -> tuple[date, date]:
        day = date(year, 11, 1) + relativedelta(weekday=TH(4)) + offset * DAY
        return day, day

    return of


def _labor_day(year: int) -> tuple[date, date]:
    day = date(year, 9, 1) + relativedelta(weekday=MO(1))
    return day, day


def _tomb_sweeping(year: int) -> tuple[date, date]:
    """Qingming is the fifteenth day after the equinox: the fourth of April, or the fifth in two years of four."""
    day = date(year, 4, 4 if year % 4 in (0, 1) else 5)
    return day, day


_HOLIDAYS: tuple[tuple[str, DatesOf], ...] = (
    (r"元旦|new year'?s day", _fixed(1, 1)),
    (r"跨年(?:夜)?|new year'?s eve", _fixed(12, 31)),
    (r"情人节|valentine'?s(?: day)?", _fixed(2, 14)),
    (r"妇女节|三八节|international women'?s day", _fixed(3, 8)),
    (r"愚人节|april fools'?(?: day)?", _fixed(4, 1)),
    (r"清明(?:节|假期|小长假)?|qingming(?: festival)?", _tomb_sweeping),
    (
        r"(?<![一二三四五六七八九十\d])五一(?:劳动节|假期|期间|长假|小长假|节|黄金周)?(?!广场|路|大道|六|[二三四五七八九十])|劳动节",
        _fixed(5, 1, 5),
    ),
    (r"五四(?:青年节)|青年节", _fixed(5, 4)),
    (r"六一(?:儿童节|节)?(?![零一二三四五六七八九十])|儿童节|children'?s day", _fixed(6, 1)),
    (r"(?<!\d)618(?:大促|期间|活动)", _fixed(6, 18)),
    (r"教师节", _fixed(9, 10)),
    (
        r"国庆(?:节|假期|期间|长假|小长假|黄金周)?"
        r"|(?<![一二三四五六七八九十\d第])十一(?:期间|假期|长假|黄金周|国庆)(?:节|期间|假期)?",
        _fixed(10, 1, 7),
    ),
    (r"万圣节(?:前夜)?|halloween", _fixed(10, 31)),
    (r"双十一|双11|double eleven|singles'? day", _fixed(11, 11)),
    (r"双十二|双12", _fixed(12, 12)),
    (r"感恩节|thanksgiving(?: day)?", _thanksgiving()),
    (r"黑色星期五|black friday", _thanksgiving(1)),
    (r"cyber monday", _thanksgiving(4)),
    (r"平安夜|christmas eve", _fixed(12, 24)),
    (r"boxing day", _fixed(12, 26)),
    (r"圣诞(?:节|期间|假期)?|christmas(?: day)?|xmas", _fixed(12, 25)),
    (r"good friday", _easter(-2)),
    (r"easter monday", _easter(1)),
    (r"复活节(?:假期)?|easter(?: sunday| weekend)?", _easter(-2, 4)),
    (r"labou?r day", _labor_day),
    (r"juneteenth", _fixed(6, 19)),
    (r"independence day|(?:4th|fourth) of july", _fixed(7, 4)),
    (r"除夕(?:夜)?|大年三十|年三十|年夜饭|chinese new year'?s eve|lunar new year'?s eve", _lunar(1, 1, before=1)),
    (r"大年初一|正月初一|年初一", _lunar(1, 1)),
    (r"春节(?:期间|假期|长假)?|过年期间|chinese new year|lunar new year|spring festival", _lunar(1, 1, 1, 8)),
    (r"元宵节?|正月十五|lantern festival", _lunar(1, 15)),
    (r"端午(?:节|假期|小长假)?|dragon boat festival", _lunar(5, 5)),
    (r"七夕节?|qixi(?: festival)?", _lunar(7, 7)),
    (r"中秋(?:节|假期|小长假|夜)?|八月十五|mid-?autumn(?: festival)?", _lunar(8, 15)),
    (r"重阳节?|double ninth(?: festival)?", _lunar(9, 9)),
    (r"腊八节?", _lunar(12, 8)),
)
_YEARS = {"今年": 0, "明年": 1, "后年": 2, "this": None, "next": None}


@cache
def _form() -> Form:
    names = "|".join(f"(?P<h{at}>{pattern})" for at, (pattern, _) in enumerate(_HOLIDAYS))
    return Form(
        rf"(?:(?P<year>今年|明年|后年|(?<!\d)20\d\d年)的?)?(?:{names})(?:期间|当天|当晚|前后)?"
        r"(?: (?P<after>20\d\d)(?!\d))?",
        re.IGNORECASE | re.ASCII,
    )


def holidays_in(text: str, calendar: Calendar) -> list[tuple[int, int, Days]]:
    """Start and end in the text, and the days."""
    return [(match.start(), match.end(), _days(match, calendar)) for match in _form().finditer(text)]


def _days(match: re.Match[str], calendar: Calendar) -> Days:
    name = match.lastgroup if match.lastgroup not in ("year", "after") else ""
    name = name or next(key for key, value in match.groupdict().items() if value and key.startswith("h"))
    dates = _HOLIDAYS[int(name[1:])][1]
    said = match["year"] or match["after"]
    today = calendar.today
    if said:
        year = int(said[:4]) if said[0] == "2" else today.year + (_YEARS[said] or 0)
        return calendar.span(*dates(year))
    for year in (today.year - 1, today.year, today.year + 1, today.year + 2):
        first, last = dates(year)
        if last >= today:
            return calendar.span(first, last)
    raise ValueError(f"no such day after {today}")
