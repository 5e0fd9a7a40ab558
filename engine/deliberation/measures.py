"""Numbers with their units, as a sentence names them, so that what something offers is held against what is needed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.lexicon.reading.numbers import ENGLISH, amount

Bound = Literal["", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class Measure:
    kind: str
    """``people``, ``money``, ``hours``, ``km``, ``kg``, ``m``, ``m2``, ``percent``, ``degrees``."""
    value: float
    bound: Bound
    """What the words beside it say it is, of what is needed."""
    start: int
    is_room: bool = False
    """Whether it is how much there is room for: a depth, a width."""


_UNITS: Final = (
    ((
        r"(?:people|persons?|guests?|residents|evacuees|villagers|patients|passengers|attendees|participants"
        r"|students|seats?|beds?|visitors|families|employees|pax|children|workers|staff|refugees)\b"
    ), r"(?:个|名|位)?(?:人|座|席|床|张床|名|位|个座位|个床位|学生|居民|村民|病人)", "people", 1.0),
    (r"(?:minutes?|mins?)\b", r"分钟", "hours", 1 / 60),
    (r"(?:hours?|hrs?|h)\b", r"个?(?:小时|钟头)", "hours", 1.0),
    (r"(?:days?)\b", r"天", "hours", 24.0),
    (r"(?:weeks?)\b", r"个?(?:周|星期|礼拜)(?![一二三四五六日末])", "hours", 168.0),
    (r"(?:months?)\b", r"个月", "hours", 730.0),
    (r"(?:kilomet(?:re|er)s?|km)\b", r"公里|千米", "km", 1.0),
    (r"(?:miles?)\b", r"英里", "km", 1.609),
    (r"(?:kilograms?|kilos?|kg)\b", r"公斤|千克", "kg", 1.0),
    (r"(?:tons?|tonnes?|t)\b", r"吨", "kg", 1000.0),
    (r"(?:square met(?:re|er)s?|sqm|m2|m²)(?!\w)", r"平方米|平米|平方", "m2", 1.0),
    (r"(?:met(?:re|er)s?|m)\b(?!²|2)", r"米", "m", 1.0),
    (r"(?:percent|%)", r"%|个百分点", "percent", 1.0),
    (r"(?:degrees?|°c|°)", r"度|℃|°C", "degrees", 1.0),
    (r"(?:mbps|mbit|megabits?)\b", r"兆", "mbps", 1.0),
    (r"(?:kilowatts?|kw)\b", r"千瓦", "kw", 1.0),
    ((
        r"(?:units?|doses?|items?|pieces|boxes|parcels|meals|litres?|liters?|tickets?|copies|parts|chips"
        r"|masks)\b"
    ), r"(?:件|套|份|台|支|箱|剂|升|笔|辆|次|个)(?!月|小时|人|名|位|座|床|百分|星期)", "units", 1.0),
)  # fmt: skip
_NUMBER: Final = rf"(?:{ENGLISH}|\d{{1,4}}\.\d{{1,2}})"
_FORMS: Final = tuple(
    (
        re.compile(
            rf"(?<![\d.,/-])(?P<n>\d{{1,4}}\.\d{{1,2}}|{_NUMBER})(?:\s?[-–]\s?|\s?)(?:[a-z]+ ){{0,1}}?(?:{english})"
            rf"|(?<![\d.,])(?P<zh>\d{{1,7}}(?:\.\d{{1,2}})?[万千百]?"
            rf"|[一二两三四五六七八九十百千万]{{1,6}})\s?(?:{chinese})",
            re.IGNORECASE | re.ASCII,
        ),
        kind,
        factor,
    )
    for english, chinese, kind, factor in _UNITS
)
_AT_LEAST: Final = re.compile(
    r"(?:\bat least|no (?:fewer|less) than|minimum(?: of)?|\bmin\.?|more than|or more|over|至少|不少于|不低于"
    r"|起码|以上|超过|需要|要有)\W{0,6}(?:\w{1,20}\W{1,6}){0,2}$",
    re.IGNORECASE,
)
_AT_MOST: Final = re.compile(
    r"(?:\bat most|no more than|not more than|within|under|less than|fewer than|below|maximum(?: of)?|max\.?"
    r"|up to|limit(?:ed)? (?:to|of|is)|budget(?: (?:of|is))?|by|in|不超过|最多|至多|以内|少于|低于|上限|限高"
    r"|限重|预算)\W{0,6}(?:\w{1,20}\W{1,6}){0,2}$",
    re.IGNORECASE,
)
_AT_MOST_AFTER: Final = re.compile(r"^\s?(?:以内|之内|以下|or less|at most|max)", re.IGNORECASE)
_AT_LEAST_AFTER: Final = re.compile(r"^\s?(?:以上|起|or more|at least|minimum)", re.IGNORECASE)


_ROOM: Final = re.compile(
    r"\b(?:deep|depth|dredged|wide|width|clearance|headroom|capacity|handles?|process\w*)\b|水深|深|宽|净高"
    r"|处理|容量|产能",
    re.IGNORECASE,
)


def measures_in(text: str) -> Iterator[Measure]:
    from engine.lexicon.reading.money import money_in  # the first text that is read loads the grammar

    for found in money_in(text):
        value = found.value.amount or found.value.per_head
        if value:
            yield Measure("money", float(value), "at most", found.start)
    yield from _clocks(text)
    taken: list[tuple[int, int]] = []
    for form, kind, factor in _FORMS:
        for match in form.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            count = amount(match["n"] or match["zh"])
            if count is None or match["zh"] == "一":
                continue  # 一 is an article
            taken.append(match.span())
            bound = _bound(text[: match.start()], text[match.end() :])
            yield Measure(kind, count * factor, bound, match.start(), bool(_ROOM.search(text)))


def _clocks(text: str) -> Iterator[Measure]:
    """Times of day, in hours."""
    from engine.lexicon.reading.hours import hours_in

    for found in hours_in(text):
        said = found.value.start or found.value.end
        if said and not (found.value.start and found.value.end):
            hour, minute = map(int, said.split(":"))
            yield Measure("clock", hour + minute / 60, _bound(text[: found.start], text[found.end :]), found.start)


def _bound(before: str, after: str) -> Bound:
    if _AT_MOST_AFTER.search(after):
        return "at most"
    if _AT_LEAST_AFTER.search(after):
        return "at least"
    near = before[-40:]
    most, least = _AT_MOST.search(near), _AT_LEAST.search(near)
    if most and least:
        return "at most" if most.start() > least.start() else "at least"
    return "at most" if most else "at least" if least else ""
