"""Reads a wish, a condition or a limit as data, where all of it is data: "not on Mondays", 不超过20人."""

import re
from functools import cache
from typing import Final, Literal

from engine.facts.asked import Asked
from engine.facts.circumstances import Money, People
from engine.facts.data import WEEKDAYS, Datum, Days, Deadline, Effort, Hours, Notice, Place, Weekday
from engine.offline.reading.days import days_in
from engine.offline.reading.hours import hours_in
from engine.offline.reading.numbers import NUMBER_EN, NUMBER_ZH, heads_in, money_in, number
from engine.offline.reading.places import places_in

Scope = Literal["own", "whole"]

_FILLERS: Final = frozenset(
    "i i'm am we a an the it is be to on at in of for only just please can could would should may must work works "
    "working available there here do does don't cannot can't no not never nothing anything than more later earlier "
    "most least up limit limited my me start starts begin begins starting beginning take takes place happen move moved "
    "change changed shift instead let's us want prefer like day days time person group size workshop event meeting "
    "room people guests from now and or until after before by between each week weeks month hours hour altogether "
    "total whole max maximum minimum over under above below notice advance ahead budget cost costs spend make".split()
)
_FILLERS_ZH: Final = re.compile(
    r"请|希望|我们?|只|不行|不能|不要?|能|可以|没空|不在|有空|改到|改为|改成|改在|换到|推迟到|提前到|提前|安排在|在|从|到|开始|结束|最多|最少|至少|不超过|超过|之?后|以后"
    r"|之?前|以前|内|工作|上班|参加|的|是|时间|活动|工作坊|总共|每周|每天|每月|一共|预算|人数|通知|每|为|把|起|以内|左右|出差|干活|接活"
)
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|don'?t|can'?t|cannot|nothing|except|unavailable|off)\b|不|没空|别|除了", re.IGNORECASE
)
_WEEKDAY_EN: Final = (
    r"mon(?:day)?s?|tue(?:s|sday)?s?|wed(?:nesday)?s?|thu(?:rs|rsday)?s?|fri(?:day)?s?|sat(?:urday)?s?|sun(?:day)?s?"
)


@cache
def _weekday_patterns() -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(rf"\b(?P<a>{_WEEKDAY_EN})\s*(?:to|-|–|through|until)\s*(?P<b>{_WEEKDAY_EN})\b", re.IGNORECASE),
        re.compile(
            r"(?:周|星期|礼拜)(?P<a>[一二三四五六日天])\s*(?:到|至|-|–)\s*(?:周|星期|礼拜)?(?P<b>[一二三四五六日天])"
        ),
        re.compile(r"\b(?P<some>weekdays|weekends?)\b|(?P<zh>工作日|周末)", re.IGNORECASE),
        re.compile(
            rf"\b(?P<a>(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|\bon (?:a )?(?P<b>{_WEEKDAY_EN})\b", re.IGNORECASE
        ),
        re.compile(r"每?(?:周|星期|礼拜)(?P<a>[一二三四五六日天])(?P<b>)"),
    )


def _weekday(said: str) -> int:
    return "一二三四五六日".index(said.replace("天", "日")) if not said.isascii() else WEEKDAYS.index(said[:3].lower())


def weekdays_in(text: str) -> tuple[tuple[Weekday, ...], str]:
    """Return the days of the week that a text names in general, and the text without them."""
    found: set[int] = set()
    for at, pattern in enumerate(_weekday_patterns()):
        for match in pattern.finditer(text):
            said = match.groupdict()
            if at < 2:
                first, last = _weekday(said["a"]), _weekday(said["b"])
                found |= {each % 7 for each in range(first, last + 1 + 7 * (last < first))}
            elif said.get("some") or said.get("zh"):
                is_week = (said.get("some") or said.get("zh") or "").lower() in ("weekdays", "工作日")
                found |= set(range(5)) if is_week else {5, 6}
            else:
                found.add(_weekday(said["a"] or said["b"]))
        text = pattern.sub(" ", text)
    return tuple(WEEKDAYS[each] for each in sorted(found)), text


def datum_in(text: str, asked: Asked) -> tuple[Datum | None, Scope]:
    """Return what a text demands, and of what; none where any of its words is about something else.

    A part that was not understood may turn the rest into its opposite, so a text is data as a whole, or not at all.
    """
    for read in (_weekdays, _notice, _effort, _people, _money, _days, _hours, _place):
        found = read(text, asked)
        if found is not None and _is_all(found[1]):
            return found[0], "whole" if isinstance(found[0], People | Money) else "own"
    return None, "own"


def _is_all(rest: str) -> bool:
    words = [each for each in re.split(r"[^\w']+", _FILLERS_ZH.sub(" ", rest).lower()) if each]
    return all(each in _FILLERS for each in words)


_Found = tuple[Datum, str] | None


def _without(text: str, *spans: tuple[int, int]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _weekdays(text: str, asked: Asked) -> _Found:
    if not re.search(
        r"days\b|weekends?\b|\bonly\b|\bon an? |每|不|只|周末|工作|上班|有空|\bto\b|\bnot?\b", text, re.IGNORECASE
    ):
        return None
    days, rest = weekdays_in(text)
    return (Days(weekdays=days, allowed=not _NEGATED.search(text)), rest) if days else None


def _days(text: str, asked: Asked) -> _Found:
    days = [each for each in days_in(text, asked.day) if each.last >= asked.day]
    if not days or days[-1].is_vague:
        return None
    day = days[-1]
    rest = _without(text, *((each.start, each.end) for each in days))
    if len(days) == 2 and _NEGATED.search(text) and re.search(r"\bbut\b|而是|改", text):
        return Days(first=day.first.isoformat(), last=day.last.isoformat()), re.sub(r"\bbut\b|而是", " ", rest)
    if len(days) > 1:
        return None
    if day.is_deadline:
        return (Deadline(day=day.last.isoformat()), rest) if not _NEGATED.search(rest) else None
    return Days(first=day.first.isoformat(), last=day.last.isoformat(), allowed=not _NEGATED.search(rest)), rest


def _hours(text: str, asked: Asked) -> _Found:
    hours = hours_in(text)
    if len(hours) != 1:
        return None
    hour = hours[0]
    rest = _without(text, (hour.start, hour.end))
    is_not = bool(_NEGATED.search(rest)) or bool(re.match(r"not|no ", text[hour.start : hour.end], re.IGNORECASE))
    if hour.closes:
        return Hours(start=hour.opens, end=hour.closes, allowed=not is_not), rest
    if not hour.bound:
        is_start = re.search(r"\b(?:start|begin)|开始|改到|改为|改成", text, re.IGNORECASE)
        return (Hours(start=hour.opens), rest) if is_start and not is_not else None
    if hour.bound == "after":
        is_end = is_not and "before" not in text.lower()
        return (Hours(end=hour.opens) if is_end else Hours(start=hour.opens)), rest
    is_negated = bool(_NEGATED.search(text)) and not re.search(r"no(?:t)? later|not after|不晚于", text, re.IGNORECASE)
    return (Hours(start=hour.opens) if is_negated else Hours(end=hour.opens)), rest


def _people(text: str, asked: Asked) -> _Found:
    heads = heads_in(text)
    if len(heads) != 1 or (heads[0].people.at_least and heads[0].people.at_most):
        return None
    return heads[0].people, _without(text, (heads[0].start, heads[0].end))


def _money(text: str, asked: Asked) -> _Found:
    """Only what has to be there: "nothing over 500 euros" bounds what is spent, which is another matter."""
    sums = money_in(text)
    if len(sums) != 1 or sums[0].money.none or not re.search(r"\bat least\b|至少|不少于", text, re.IGNORECASE):
        return None
    return sums[0].money, _without(text, (sums[0].start, sums[0].end))


_NOTICE: Final = re.compile(
    rf"\b(?P<a>{NUMBER_EN})\s+(?P<unit>days?|weeks?)(?:'s?)?\s+(?:of\s+)?(?:notice|ahead|in advance)\b"
    rf"|提前(?P<b>{NUMBER_ZH})\s*(?P<zh>天|周|个?星期)(?:通知|预约|预订|约|说|告知)?",
    re.IGNORECASE,
)


def _notice(text: str, asked: Asked) -> _Found:
    match = _NOTICE.search(text)
    if match is None:
        return None
    unit = match["unit"] or match["zh"]
    days = round(number(match["a"] or match["b"])) * (1 if unit.lower().startswith(("day", "天")) else 7)
    return Notice(days=days), _without(text, match.span())


_EFFORT: Final = re.compile(
    rf"(?:at most|no more than|up to|max(?:imum)?|最多|不超过)\s*(?P<n>{NUMBER_EN}|{NUMBER_ZH})\s*(?:hours?|个?小时)"
    r"(?:\s*(?:a|per|each|every|每)\s*(?P<per>day|week|天|周))?|每(?P<per2>周|天)(?:最多|不超过)(?P<n2>\d+)个?小时",
    re.IGNORECASE,
)


def _effort(text: str, asked: Asked) -> _Found:
    match = _EFFORT.search(text)
    if match is None:
        return None
    said = (match["per"] or match["per2"] or "").lower()
    per: Literal["day", "week", "whole"] = "day" if said in ("day", "天") else "week" if said else "whole"
    return Effort(hours=number(match["n"] or match["n2"]), per=per), _without(text, match.span())


def _place(text: str, asked: Asked) -> _Found:
    places = places_in(text)
    if len(places) != 1 or not re.search(r"\bonly\b|\bnot\b|\bno\b|只|不", text, re.IGNORECASE):
        return None
    place, start, end = places[0]
    is_allowed = not _NEGATED.search(text)
    return Place(city=place.city, online=place.online, allowed=is_allowed), _without(text, (start, end))
