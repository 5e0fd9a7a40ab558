"""Reads the times of day that a text allows or forbids: minutes since midnight, on beyond 1440 after midnight.

`engine.lexicon.reading.hours` reads when something takes place. Here "after six" and "in the evening" are stretches
that something may or may not lie in, and the vague ones have two ends each.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.lexicon.forms import Form, meant

DAY: Final = 24 * 60
DAWN: Final = 5 * 60
LATE: Final = 30 * 60
"""Six in the morning: what is "after" some hour ends with the night."""


class ClockSpan(NamedTuple):
    """A time of day in a text. Words are vague ("in the evening"), so there are two stretches."""

    at: tuple[int, int]
    """Where it stands in the text."""
    start: int
    end: int
    """Whatever somebody may call so: what keeps to the words is within."""
    core: tuple[int, int]
    """What everybody calls so: who refuses it refuses this."""


# What some call so and what everybody does, from and until which hour.
_PERIODS: Final = tuple(
    (Form(rf"(?<![a-z])(?:{words})"), (broad, core))
    for words, broad, core in (
        (
            r"(?:all[\s-]?night|overnight|through(?:out)? the (?:whole )?night|night[\s-]?long)\b|通宵|彻夜|整夜|熬夜",
            (0, 5),
            (1, 4),
        ),
        (r"(?:early )?mornings?\b|forenoons?\b|早上|早晨|清晨|上午", (5, 12), (6, 11.5)),
        (r"lunch[\s-]?(?:time|break|hour)s?\b|noon\b|midday\b|中午|午休|午间", (11, 14), (12, 13)),
        (r"afternoons?\b|下午", (12, 18.5), (13, 17.5)),
        (r"evenings?\b|晚间|傍晚|晚上", (17, 24), (18.5, 23)),
        (r"(?:late at )?nights?(?:[\s-]?time)?\b|深夜|半夜|夜里|夜间|凌晨", (20, 30), (22, 29)),
        (r"day[\s-]?time\b|during the day\b|白天", (7, 19), (9, 17)),
        (r"(?:office|business|working|work) hours\b|上班时间|工作时间", (8.5, 18.5), (9.5, 17)),
    )
)  # fmt: skip

_FORENOON, _AFTERNOON = "早上|早晨|清晨|上午|凌晨", "中午|下午|傍晚|晚间|晚上|夜里|深夜"
_DIGITS: Final = "零一二三四五六七八九"


def _english_clock(number: int) -> str:
    return (
        rf"(?:(?P<h{number}>\d{{1,2}})(?:[:.](?P<m{number}>[0-5]\d))?(?!\d)(?:\s?(?P<half{number}>[ap])\.?m\b\.?)?"
        rf"|(?P<word{number}>noon|midnight)\b)"
    )


def _chinese_clock(number: int, *, plain: bool = False) -> str:
    """``plain``: a bare number will do, as in 上午9到11点."""
    return (
        rf"(?P<part{number}>{_FORENOON}|{_AFTERNOON})?\s?(?P<h{number}>\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})"
        rf"(?:[点點时](?:钟|整)?(?P<half{number}>半)?(?:(?P<m{number}>[0-5]?\d)分?)?|[:：](?P<n{number}>[0-5]\d))"
        + ("?" if plain else "")
    )


_PART = (
    r"(?:\s?(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night)|(?P<clock>o'?clock|[a-z]{1,20} time\b)))?"
)
_EN_RANGE = Form(
    rf"(?<![\d.:])(?:\b(?:between|from) )?{_english_clock(1)}"
    rf"\s?(?:-|–|—|~|\bto\b|\band\b|\buntil\b|\btill\b)\s?{_english_clock(2)}{_PART}"
)
_ZH_RANGE = Form(
    rf"(?<![\d:：])从?{_chinese_clock(1, plain=True)}\s?(?:-|–|—|~|～|到|至|和)\s?{_chinese_clock(2)}(?:之间)?"
)
_UNTIL = (
    r"no later than|not later than|not after|not past|never after|at the latest by|latest (?:at|by)|before|until|till"
    r"|by"
    r"|(?:ends?|ending|over|out|finish(?:es|ed)?|done|wrapped up) (?:by|before|at)"
)
_FROM = r"no earlier than|not earlier than|not before|never before|earliest (?:at|from)|after|from|starting (?:at|from)"
_EN_BOUND = Form(rf"\b(?:(?P<until>{_UNTIL})|(?P<from>{_FROM})) {_english_clock(1)}{_PART}(?: at the latest\b)?")
_EN_OR = Form(
    rf"(?<![\d.:]){_english_clock(1)}{_PART} (?:or|and|on) ?(?P<way>later|wards?|onwards?|after|earlier|before)\b"
)
_ZH_BOUND = Form(
    r"(?P<lead>不(?:得|能|要)?晚于|最晚|最迟|不(?:得|能|要)?超过|不(?:得|能|要)?早于|最早|晚于|从)?"
    rf"{_chinese_clock(1)}\s?(?P<tail>之前|以前|前|之后|以后|后|起|开始)?"
)


def clock_spans(text: str) -> list[ClockSpan]:
    """Return the times of day in a text in lower case, in their order and without overlaps.

    A number is a time of day only where something says so: minutes, am or pm, 点, or a part of the day.
    """
    found: list[ClockSpan] = []
    for read in (_ranges, _bounds, _periods):
        for each in read(text):
            if not any(each.at[0] < other.at[1] and other.at[0] < each.at[1] for other in found):
                found.append(each)
    return sorted(found)


def _ranges(text: str) -> Iterator[ClockSpan]:
    for match in _EN_RANGE.finditer(text):
        part = match["part"] or match["night"] or ""
        one, other = _english(match, 1, part), _english(match, 2, part)
        named = ("m1", "m2", "half1", "half2", "word1", "word2", "part", "night", "clock")
        if one is None or other is None or not any(match[name] for name in named):
            continue
        if match["half2"] == "p" and not match["half1"] and one < 12 * 60 and one + 12 * 60 < other:
            one += 12 * 60  # "2 to 4 pm"
        yield _exactly(match, one, other)
    for match in _ZH_RANGE.finditer(text):
        first, last = _chinese(match, 1), _chinese(match, 2)
        if first is None or last is None:
            continue
        if not match["part2"] and first >= 12 * 60 > last and last + 12 * 60 > first:
            last += 12 * 60  # 下午2点到4点
        yield _exactly(match, first, last)


def _exactly(match: re.Match[str], start: int, end: int) -> ClockSpan:
    end = end if end > start else end + DAY
    return ClockSpan(match.span(), start, end, (start, end))


def _bounds(text: str) -> Iterator[ClockSpan]:
    for match in _EN_BOUND.finditer(text):
        at = _of_the_day(match)
        if at is not None:
            yield _bounded(match, at, is_end=match["until"] is not None)
    for match in _EN_OR.finditer(text):
        at = _of_the_day(match)
        if at is not None:
            yield _bounded(match, at, is_end=match["way"] in ("earlier", "before"))
    for match in () if text.isascii() else _ZH_BOUND.finditer(text):  # what makes it a bound is Chinese
        at = _chinese(match, 1)
        lead, tail = match["lead"] or "", match["tail"] or ""
        if at is None or not (lead or tail):
            continue
        is_end = lead in ("最晚", "最迟") or (lead.startswith("不") and "早于" not in lead) or tail.endswith("前")
        yield _bounded(match, at, is_end=is_end)


def _bounded(match: re.Match[str], at: int, *, is_end: bool) -> ClockSpan:
    if is_end:
        return ClockSpan(match.span(), 0, at, (min(DAWN, at), at))
    return ClockSpan(match.span(), at, max(LATE, at), (at, max(LATE, at)))


def _of_the_day(match: re.Match[str]) -> int | None:
    part = match["part"] or match["night"] or ""
    named = ("m1", "half1", "word1", "part", "night", "clock")
    return _english(match, 1, part) if any(match[name] for name in named) else None


def _english(match: re.Match[str], number: int, part: str) -> int | None:
    if word := match[f"word{number}"]:
        return 12 * 60 if word == "noon" else DAY
    hour, minute, half = int(match[f"h{number}"]), int(match[f"m{number}"] or 0), match[f"half{number}"]
    if hour > 24 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif part in ("afternoon", "evening") or (part == "night" and hour >= 6):
        hour += 12 if hour < 12 else 0
    return hour * 60 + minute


def _chinese(match: re.Match[str], number: int) -> int | None:
    hour = _number(match[f"h{number}"].replace("两", "二"))
    minute = 30 if match[f"half{number}"] else int(match[f"m{number}"] or match[f"n{number}"] or 0)
    part = match[f"part{number}"] or ""
    if hour > 24:
        return None
    if part and part in _AFTERNOON and hour < 12 and not (part == "中午" and hour >= 10):
        hour += 12
    return hour * 60 + minute


def _number(text: str) -> int:
    """``9``, ``十``, ``十二`` or ``二十三``; 99 for anything else."""
    if text.isdecimal():
        return int(text)
    tens, has_tens, ones = text.rpartition("十")
    digits = [each for each in (tens, ones) if each]
    if any(len(each) > 1 or each not in _DIGITS for each in digits):
        return 99
    if not has_tens:
        return _DIGITS.index(ones)
    return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)


def _periods(text: str) -> Iterator[ClockSpan]:
    for match, (broad, core) in meant(text, _PERIODS):
        start, end = (round(each * 60) for each in broad)
        yield ClockSpan(match.span(), start, end, (round(core[0] * 60), round(core[1] * 60)))
