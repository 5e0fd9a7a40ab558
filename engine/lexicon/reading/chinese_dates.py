"""Dates in Chinese texts."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine.lexicon.forms import Form
from engine.lexicon.reading.calendar import UNKNOWN, VAGUE, Calendar, Days, Part, Unit
from engine.lexicon.reading.numbers import amount, number

Meaning = Callable[[re.Match[str], Calendar], Days | None]

_N = r"(?:\d{1,2}|[一二三四五六七八九十廿]{1,3})"
_YEAR = (
    r"(?:(?P<year>(?<!\d)(?:19|20)\d\d年|二[零〇][零〇一二三四五六七八九]{2}年|今年|明年|后年|来年|次年)(?:的|年)?)?"
)
_MONTH = rf"(?P<month>(?<![\d个]){_N})月(?!饼|嫂|光|亮)"
_NO_PLACE = r"(?!楼|线|院|店|馆|厅|门|会议室|仓|机)"
_DAY = rf"(?P<day>{_N})[日号]{_NO_PLACE}"
_WEEKDAY = r"(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!年|期|刊)"
_BARE_WEEK = r"周(?![一二三四五六日年边])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])"
_PART = r"(?P<part>上旬|中旬|下旬|初|中(?!午|国|秋|心|间|关|学)|底|末|上半月|下半月)"
_COUNT = r"(?P<count>\d{1,3}(?:\.\d)?|[一二两三四五六七八九十]{1,3}|半)"
_AHEAD = r"(?P<ahead>这个?|本|下下个?|下个?|上个?)"
_UNIT = r"(?P<unit>天|周(?!年|边|末|[一二三四五六日])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|月|季度|年)"
_READY = "做(?:出|完|好|成)|完成|搞定|上线|交付|开发出|写(?:出|完|好)|拿出|搭(?:出|好|起)"
_DONE = rf"(?P<done>(?=(?:左右|以?内)?(?:就|要|能|可以|把)?(?:{_READY})(?!的|过|了)))?"
"""What is to be ready after that time."""
_THINGS = re.compile(
    r"\s?的?(?:发布|复盘|规划|目标|OKR|KPI|产品|项目|总结|预算|财报|路演|活动|版本|计划|战略|新品|[A-Za-z])"
)
"""What a quarter is part of the name of."""

_PARTS: dict[str, Part] = {
    "初": "early",
    "上旬": "early",
    "上半月": "first half",
    "上半年": "first half",
    "中": "mid",
    "中旬": "mid",
    "下旬": "late",
    "下半月": "second half",
    "下半年": "second half",
    "底": "end",
    "末": "end",
}
_DIGITS = {character: str(at) for at, character in enumerate("零一二三四五六七八九")} | {"〇": "0"}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_NEAR = {"今": 0, "明": 1, "后": 2, "大后": 3}
_UNITS: dict[str, Unit] = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week"}
_UNITS |= {"月": "month", "季度": "month", "年": "year"}


def _said(match: re.Match[str], group: str) -> str:
    return match.groupdict().get(group) or ""


def _year(match: re.Match[str], calendar: Calendar) -> int | None:
    said = _said(match, "year")
    if not said:
        return None
    ahead = {"今年": 0, "明年": 1, "来年": 1, "次年": 1, "后年": 2}.get(said)
    if ahead is not None:
        return calendar.today.year + ahead
    return int("".join(_DIGITS.get(each, each) for each in said.removesuffix("年")))


def _part(match: re.Match[str]) -> Part:
    return _PARTS.get(_said(match, "part"), "")


def _number(match: re.Match[str], group: str) -> int:
    return number(match[group]) or 0


def _weekday_of(match: re.Match[str]) -> int:
    return "一二三四五六日".index(match["weekday"].replace("天", "日"))


def _ahead(match: re.Match[str]) -> int | None:
    said = _said(match, "ahead")
    return {"": None, "下": 1, "下下": 2, "上": -1}.get(said.removesuffix("个"), 0)


def _dated(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "明年五月三号", "5月3日到5日", "10月1-7号"."""
    month, year = _number(match, "month"), _year(match, calendar)
    first = calendar.day(month, _number(match, "day"), year)
    if not _said(match, "until") or first.first is None:
        return first
    last = calendar.day(month, _number(match, "until"), first.first.year).last
    return Days(first.first, last, is_range=True) if last and last >= first.first else first


def _month(match: re.Match[str], calendar: Calendar) -> Days:
    return calendar.month(_number(match, "month"), _year(match, calendar), _part(match))


def _months(match: re.Match[str], calendar: Calendar) -> Days:
    """ "三到五月"."""
    first = calendar.month(_number(match, "from"), _year(match, calendar))
    if first.first is None:
        return first
    last = calendar.month(_number(match, "month"), first.first.year).last
    return Days(first.first, last, is_range=True) if last and last >= first.first else first


def _coming_month(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "下个月初", "本月底", "月底"."""
    ahead = _ahead(match) or 0
    if ahead < 0:
        return None
    if _said(match, "day"):
        return calendar.day_of_month(_number(match, "day"), ahead)
    found = calendar.month_ahead(ahead, _part(match))
    return found if found.is_known or _said(match, "ahead") else calendar.month_ahead(1, _part(match))


def _nth_of_month(match: re.Match[str], calendar: Calendar) -> Days:
    """ "五月第二周", "12月第一个周末", "下个月最后一个周五"."""
    nth = -1 if match["nth"].startswith("最后") else number(match["nth"].lstrip("第").removesuffix("个")) or 0
    year, said = _year(match, calendar), match["month"]
    month = calendar.month(_number(match, "month"), year) if said else calendar.month_ahead(_ahead(match) or 0)
    found = _nth_thing(match, nth, month, calendar)
    if found.is_known or not said or year or month.first is None:
        return found
    return _nth_thing(match, nth, calendar.month(_number(match, "month"), month.first.year + 1), calendar)


def _nth_thing(match: re.Match[str], nth: int, month: Days, calendar: Calendar) -> Days:
    if match["weekday"]:
        return calendar.nth_weekday(month, nth, _weekday_of(match))
    if match["what"] == "周末":
        return calendar.nth_weekday(month, nth, 5, lasting=2)
    return calendar.nth_week(month, nth)


def _weekday(match: re.Match[str], calendar: Calendar) -> Days | None:
    ahead = _ahead(match)
    if (ahead is not None and ahead < 0) or _said(match, "every"):
        return None
    return replace(calendar.weekday(_weekday_of(match), ahead), is_weekday=True)


def _week(match: re.Match[str], calendar: Calendar) -> Days | None:
    ahead = _ahead(match) or 0
    if ahead < 0:
        return None
    if match["what"] == "周末":
        return calendar.weekend(ahead)
    return calendar.week(ahead, _part(match))


def _near(match: re.Match[str], calendar: Calendar) -> Days:
    return calendar.in_days(_NEAR[match["near"]])


def _season(match: re.Match[str], calendar: Calendar) -> Days:
    return calendar.season(_SEASONS[match["season"]], _year(match, calendar))


def _quarter(match: re.Match[str], calendar: Calendar) -> Days:
    """A quarter; it may be the name of a thing, as in "Q3 发布会"."""
    found = calendar.quarter(_number(match, "quarter"), _year(match, calendar), _part(match))
    names_a_thing = _THINGS.match(match.string, match.end()) is not None and not _part(match)
    return Days(found.first, found.last, is_context=names_a_thing)


def _coming_quarter(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "本季度", "下个季度末", "季度末"."""
    ahead = _ahead(match) or 0
    if ahead < 0:
        return None
    found = calendar.quarter_ahead(ahead, _part(match))
    names_a_thing = _THINGS.match(match.string, match.end()) is not None and not _part(match)
    return Days(found.first, found.last, is_context=names_a_thing)


def _end_of_year(match: re.Match[str], calendar: Calendar) -> Days:
    year, part = _year(match, calendar), _part(match)
    if match["part"].endswith("半年"):
        return calendar.half_year(part == "first half", year)
    found = calendar.year(year or calendar.today.year, "end" if part == "end" else part)
    return found if found.is_known or year else calendar.year(calendar.today.year + 1, part)


def _whole_year(match: re.Match[str], calendar: Calendar) -> Days:
    year = _year(match, calendar)
    return calendar.year(year) if year else UNKNOWN


def _day_of_month(match: re.Match[str], calendar: Calendar) -> Days:
    return calendar.day_of_month(_number(match, "day"))


def _counted(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "三天后", "两个月内", "未来两周", "半年内", "六周时间", "三天做出"."""
    is_done = match["done"] is not None and not match.string[: match.start("count")].endswith("了")
    if not (match["next"] or match["within"] or match["after"] or is_done):
        return None  # a duration
    count = 0.5 if match["count"] == "半" else amount(match["count"])
    if count is None or count > 600:
        return None
    if match["unit"] == "季度":
        count *= 3
    unit = _UNITS[match["unit"]]
    if unit == "day" and count == 0.5:
        return VAGUE
    inner = match["within"] or match["next"] or not match["after"]
    return (calendar.within if inner else calendar.ahead)(count + 0.5 * bool(match["half"]), unit)


def _hours(match: re.Match[str], calendar: Calendar) -> Days | None:
    """ "24小时内", "半小时后"."""
    count = 0.5 if match["count"] == "半" else amount(match["count"])
    return None if count is None or count > 2_000 else calendar.within_hours(count)


def _iso(match: re.Match[str], calendar: Calendar) -> Days:
    return calendar.day(int(match["m"]), int(match["d"]), int(match["y"]))


@cache
def chinese_rules() -> tuple[tuple[Form, Meaning], ...]:
    """All forms. Where several match, the caller takes the longest."""
    until = rf"(?:\s?[日号]?\s?(?:到|至|-|–|—|~)\s?(?P<until>{_N}))?"
    forms: tuple[tuple[str, Meaning], ...] = (
        (r"(?<!\d)(?P<y>20\d\d)\s?[-/.年]\s?(?P<m>\d{1,2})\s?[-/.月]\s?(?P<d>\d{1,2})(?!\d)\s?[日号]?", _iso),
        (rf"{_YEAR}(?P<month>(?<![\d个]){_N})\s?月\s?(?P<day>{_N}){until}\s?[日号]{_NO_PLACE}", _dated),
        (rf"{_YEAR}{_MONTH}份?的?{_PART}?", _month),
        (rf"{_YEAR}(?P<from>(?<!\d){_N})月?\s?(?:到|至|-|~|、)\s?{_MONTH}份?", _months),
        (rf"(?:{_AHEAD}月|(?<![\d个一二两三四五六七八九十半])月)的?{_PART}", _coming_month),
        (rf"{_AHEAD}月的?{_DAY}", _coming_month),
        (rf"{_AHEAD}月(?!饼)", _coming_month),
        (
            rf"(?:{_YEAR}(?P<month>{_N})月份?|{_AHEAD}月)的?\s?(?P<nth>第?[一二三四五12345]个?|最后一?个?)\s?"
            rf"(?:(?P<what>周末|{_BARE_WEEK})|(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天]))",
            _nth_of_month,
        ),
        (rf"(?P<every>每个?|每逢)?{_AHEAD}?{_WEEKDAY}", _weekday),
        (rf"{_AHEAD}(?P<what>周末|{_BARE_WEEK})的?{_PART}?", _week),
        (r"(?<!每)(?<!每个)(?P<what>周末)", _week),
        (r"(?P<near>今|明|大?后)(?:天|日(?!头))", _near),
        (r"(?P<near>今|明)(?=晚|早(?!期|日))", _near),
        (rf"{_YEAR}(?P<season>[春夏秋冬])[天季](?!装|款)", _season),
        (rf"{_YEAR}第?(?P<quarter>[一二三四1234])季度(?P<part>初|中|末|底)?", _quarter),
        (rf"{_AHEAD}季度(?P<part>初|中|末|底)?", _coming_quarter),
        (r"(?<![一二三四1234])季度(?P<part>末|底)", _coming_quarter),
        (rf"{_YEAR}[qQ](?P<quarter>[1-4])(?!\d)(?P<part>初|末|底)?", _quarter),
        (rf"{_YEAR}(?P<part>上半年|下半年)", _end_of_year),
        (rf"{_YEAR}(?<![零一二三四五六七八九十两半\d])年(?P<part>初|中|底|末)", _end_of_year),
        (r"(?P<year>(?<!\d)20\d\d年|明年|后年|来年|今年)(?P<part>初|中|底|末)", _end_of_year),
        (r"(?P<year>(?<!\d)20\d\d年|明年|后年|来年|今年)", _whole_year),
        (rf"(?<![\d月.第]){_DAY}", _day_of_month),
        (
            rf"(?P<next>未来|接下来|今后|这)?的?{_COUNT}\s?个?{_UNIT}(?P<half>半)?\s?"
            rf"(?P<within>之?以?内|里|的?(?:时间|工夫)(?:之?以?内|里)?(?!前|长|以前))?(?P<after>之后|以后|后)?{_DONE}",
            _counted,
        ),
        (rf"{_COUNT}\s?个?(?:小时|钟头)(?:之?以?内|之?后|以后)", _hours),
        (r"尽快|马上|立刻|立即|近期|最近|这几天|这两天|这阵子|过几天|过两天|过段时间", lambda _, __: VAGUE),
    )
    return tuple((Form(form, re.IGNORECASE), meaning) for form, meaning in forms)
