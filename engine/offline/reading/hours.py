"""Reads times of the day out of English and Chinese."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.offline.reading.numbers import NUMBER_ZH, number

_BEFORE: Final = ("before", "until", "till", "by", "no later than", "not later than", "not after")


@dataclass(frozen=True, slots=True)
class FoundHours:
    """Hours that a text names, and where it does. ``bound`` says that they are only an end: after or before it."""

    opens: str
    closes: str
    start: int
    end: int
    bound: str = ""


_AFTERNOON: Final = ("下午", "晚上", "晚", "傍晚", "今晚", "明晚", "pm", "p.m.", "evening", "afternoon", "tonight")


def _clock(hour: str, minutes: str | None, half: str | None, part: str | None) -> str:
    """Return ``HH:MM``; empty where it is none."""
    at = round(number(hour))
    said = (part or "").lower().replace(" ", "")
    minute = 30 if half == "半" else 15 if half == "一刻" else int(minutes or 0)
    if said.startswith(_AFTERNOON) and at < 12:
        at += 12
    elif said.startswith("中午") and at < 3:
        at += 12
    elif said in ("am", "a.m.", "凌晨") and at == 12:
        at = 0
    return f"{at:02d}:{minute:02d}" if 0 <= at < 24 and 0 <= minute < 60 else "00:00" if at == 24 else ""


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    half_day = r"(?:\s*(?P<{0}>[ap]\.?m\b\.?))"
    one, two = half_day.format("p"), half_day.format("p2")
    a, b = r"(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))?", r"(?P<h2>\d{1,2})(?:[:.](?P<m2>\d\d))?"
    to = r"\s*(?:-|–|—|~|to|and|until|till|到|至)\s*"
    in_the = r"(?:\s+in the (?P<part>morning|afternoon|evening))"
    bound = (
        r"(?:\b(?P<bound>not after|after|from|since|not before|no earlier than|before|until|till|by|no later than"
        r"|not later than)\s+|\b(?:starts?|starting|begins?|at)\s+(?:at\s+)?)?"
    )
    part = r"(?P<p>上午|早上|早晨|下午|晚上|晚|傍晚|中午|凌晨)?"
    minutes = r"(?:(?P<{0}>半|一刻)|(?P<{1}>\d\d)分?)?"
    zh = rf"(?P<h>{NUMBER_ZH})(?:点钟?|时(?!间))(?:{minutes.format('half', 'm')})"
    part2 = part.replace("<p>", "<p2>")
    zh2 = rf"{part2}(?P<h2>{NUMBER_ZH})(?:点钟?|时(?!间))(?:{minutes.format('half2', 'm2')})"
    return (
        re.compile(rf"{part}{zh}\s*(?:-|–|—|~|到|至)\s*{zh2}"),
        re.compile(rf"{part}{zh}(?P<bound_zh>之?后|以后|之?前|以前)?"),
        re.compile(rf"(?:\b(?:from|between)\s+)?\b{a}{one}?{to}{b}{two}", re.I),
        re.compile(
            rf"(?:\b(?:from|between)\s+)?{part}(?<!\d)(?P<h>\d{{1,2}})[:：](?P<m>\d\d){to}{part2}(?P<h2>\d{{1,2}})[:：](?P<m2>\d\d)(?!\d)",
            re.I,
        ),
        re.compile(rf"\b(?:from|between)\s+{a}{to}{b}{in_the}", re.I),
        re.compile(rf"{bound}\b{a}{one}", re.I),
        re.compile(
            rf"{bound}{part}(?<!\d)(?P<h>\d{{1,2}})[:：](?P<m>\d\d)(?!\d)(?P<bound_zh>之?后|以后|之?前|以前)?", re.I
        ),
        re.compile(rf"{bound}\b{a}(?:\s*o'?clock\b|{in_the})(?:{in_the.replace('part', 'part2')})?", re.I),
        re.compile(rf"{bound}\b(?P<noon>noon|midday|midnight)\b", re.I),
    )


def hours_in(text: str) -> list[FoundHours]:
    """Return the times of day that a text names, in its order."""
    found: list[FoundHours] = []
    masked = text
    for pattern in _patterns():
        for match in pattern.finditer(masked):
            one = _read(match)
            if one is not None:
                found.append(one)
        for each in found:
            masked = masked[: each.start] + "\0" * (each.end - each.start) + masked[each.end :]
    return sorted(found, key=lambda each: each.start)


def _read(match: re.Match[str]) -> FoundHours | None:
    said = match.groupdict()
    bound = said.get("bound_zh") or (said.get("bound") or "").lower()
    bound = "before" if bound in _BEFORE or "前" in bound else "after" if bound else ""
    if said.get("noon"):
        clock = "00:00" if said["noon"].lower() == "midnight" else "12:00"
        return FoundHours(clock, "", match.start(), match.end(), bound)
    later = said.get("p2") or (said.get("p") if "half2" in said else None)
    part = said.get("p") or said.get("part") or said.get("part2")
    if part is None and later and said.get("h2") and int(number(said["h"])) <= int(number(said["h2"])):
        part = later  # "7-9 pm"
    opens = _clock(said["h"], said.get("m"), said.get("half"), part)
    closes = _clock(said["h2"], said.get("m2"), said.get("half2"), later or part) if said.get("h2") else ""
    if not opens or (said.get("h2") and not closes):
        return None
    return FoundHours(opens, closes, match.start(), match.end(), bound)
