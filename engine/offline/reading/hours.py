"""Reads times of the day out of English and Chinese."""

import re
from typing import Final, NamedTuple

from engine.offline.reading.grammar import rules
from engine.offline.reading.numbers import number

_BEFORE: Final = ("before", "until", "till", "by", "no later than", "not later than", "not after")


class FoundHours(NamedTuple):
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
    if (said.startswith(_AFTERNOON) and at < 12) or (said.startswith("中午") and at < 3):
        at += 12
    elif said in ("am", "a.m.", "凌晨") and at == 12:
        at = 0
    return f"{at:02d}:{minute:02d}" if 0 <= at < 24 and 0 <= minute < 60 else "00:00" if at == 24 else ""


def hours_in(text: str) -> list[FoundHours]:
    """Return the times of day that a text names, in its order."""
    found: list[FoundHours] = []
    masked = text
    for pattern in rules("hours"):
        found += filter(None, map(_read, pattern.finditer(masked)))
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


_PARTS: Final = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "day": (6, 18)}


def parts_of_day(text: str) -> list[tuple[str, str]]:
    """Return when somebody has time by what they write, each from and to: "evenings", 晚上八点以后."""
    found = [(each.opens, each.closes or "24:00") for each in hours_in(text) if each.bound != "before"]
    names = [each.lastgroup for each in rules("free_times")[0].finditer(text)]
    spans = [_PARTS[each] for each in names if each]
    return found or [(f"{first:02d}:00", f"{last:02d}:00") for first, last in spans]
