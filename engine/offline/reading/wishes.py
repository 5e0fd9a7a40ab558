"""Reads a wish, a condition or a limit as data, where all of it is data: "not on Mondays", 不超过20人."""

import re
from typing import Literal

from engine.facts.asked import Asked
from engine.facts.circumstances import People
from engine.facts.data import WEEKDAYS, Datum, Days, Deadline, Hours, Notice, Weekday
from engine.facts.holding import PAID
from engine.offline.reading.days import days_in
from engine.offline.reading.grammar import rule, rules, words
from engine.offline.reading.hours import hours_in
from engine.offline.reading.numbers import heads_in, money_in, number

Scope = Literal["own", "whole"]


def _weekday(said: str) -> int:
    return "一二三四五六日".index(said.replace("天", "日")) if not said.isascii() else WEEKDAYS.index(said[:3].lower())


def weekdays_in(text: str) -> tuple[tuple[Weekday, ...], str]:
    """Return the days of the week that a text names in general, and the text without them."""
    found: set[int] = set()
    for at, pattern in enumerate(rules("weekdays")):
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
    """Return the datum that a text demands, and of what; None if any of its words is about something else.

    A part that was not understood may turn the rest into its opposite, so a text is data as a whole, or not at all.
    """
    for read in (_weekdays, _notice, _people, _days, _hours, _pay):
        found = read(text, asked)
        if found is not None and _is_all(found[1]):
            return found[0], "whole" if isinstance(found[0], People) else "own"
    return None, "own"


def _is_all(rest: str) -> bool:
    fillers = words("words_fillers")
    said = [each for each in re.split(r"[^\w']+", rule("wish_fillers_zh").sub(" ", rest).lower()) if each]
    return all(each in fillers for each in said)


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
    return (Days(weekdays=days, allowed=not rule("wish_negated").search(text)), rest) if days else None


def _days(text: str, asked: Asked) -> _Found:
    days = [each for each in days_in(text, asked.day) if each.last >= asked.day]
    if not days or days[-1].is_vague:
        return None
    day = days[-1]
    rest = _without(text, *((each.start, each.end) for each in days))
    if len(days) == 2 and rule("wish_negated").search(text) and re.search(r"\bbut\b|而是|改", text):
        return Days(first=day.first.isoformat(), last=day.last.isoformat()), re.sub(r"\bbut\b|而是", " ", rest)
    if len(days) > 1:
        return None
    if day.is_deadline:
        return (Deadline(day=day.last.isoformat()), rest) if not rule("wish_negated").search(rest) else None
    allowed = not rule("wish_negated").search(rest)
    return Days(first=day.first.isoformat(), last=day.last.isoformat(), allowed=allowed), rest


def _hours(text: str, asked: Asked) -> _Found:
    hours = hours_in(text)
    if len(hours) != 1:
        return None
    hour = hours[0]
    rest = _without(text, (hour.start, hour.end))
    is_not = bool(rule("wish_negated").search(rest) or re.match(r"not|no ", text[hour.start : hour.end].lower()))
    if hour.closes:
        return Hours(start=hour.opens, end=hour.closes, allowed=not is_not), rest
    if not hour.bound:
        is_start = re.search(r"\b(?:start|begin)|开始|改到|改为|改成", text, re.IGNORECASE)
        return (Hours(start=hour.opens), rest) if is_start and not is_not else None
    is_end = not (rule("wish_negated").search(text) and not rule("wish_not_later").search(text))
    if hour.bound == "after":
        is_end = is_not and "before" not in text.lower()
    return (Hours(end=hour.opens) if is_end else Hours(start=hour.opens)), rest


def _people(text: str, asked: Asked) -> _Found:
    heads = heads_in(text)
    if len(heads) != 1 or (heads[0].people.at_least and heads[0].people.at_most):
        return None
    return heads[0].people, _without(text, (heads[0].start, heads[0].end))


def notice_in(text: str, by: str = "wish_notice") -> Notice | None:
    """Return how long before something a text wants to know of it; by ``lead_time``, how long it takes."""
    match = rule(by).search(text)
    said = [each for each in match.groups() if each] if match else []
    days = {"m": 30, "月": 30, "d": 1, "天": 1}.get(said[1][0].lower(), 7) if said else 0
    return Notice(days=round(number(said[0])) * days) if said else None


def _notice(text: str, asked: Asked) -> _Found:
    """What is to be there so long before may be anything, as long as it is one thing."""
    found, rest = notice_in(text), rule("wish_notice").sub(" ", text, count=1)
    is_one = not (rule("wish_negated").search(rest) or re.search(r"[,;，；]|\b(?:and|or|but)\b|只|再", rest))
    return (found, "" if is_one else rest) if found else None


def _pay(text: str, asked: Asked) -> _Found:
    """That there is some, where the words name no sum of their own."""
    is_one = rule("wish_pay").search(text) and not (rule("wish_negated").search(text) or money_in(text))
    return (PAID, "") if is_one else None
