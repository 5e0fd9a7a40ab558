"""Makes a plan's timeline: counted back from the day of an event, in hours for an outage, else over the time there is.

Dates are real ones wherever the demand has a day or a deadline: ``2026-12-05 (Sat)``.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from engine.files.yaml_locations import read_yaml
from engine.lexicon.circumstances import When
from engine.lexicon.language import Language
from engine.lexicon.reading.asked import Asked
from engine.llm.offline.negotiation.needs import Needs
from engine.llm.offline.negotiation.phrasing import phrase
from engine.negotiation.answers import Circumstances, Milestone, Timeline
from engine.negotiation.reading import time_of

FILE = Path(__file__).with_name("timelines.yaml")
UNKNOWN = "[TBD]"


@cache
def steps() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


LONGEST_LEAD = 28
"""Days before an event at which its first step is, if there is so much time."""
_WEEKDAYS = "一二三四五六日"


def timeline(needs: Needs, context: Circumstances, covered: Collection[str], asked: Asked) -> Timeline:
    """The steps of the abilities that somebody covers; the dates are as exact as the demand's."""
    kind = needs.timeline
    those = [step for step in steps()[kind] if not step["topics"] or set(covered).intersection(step["topics"])]
    dated = _before_the_day if kind == "event" else _at_once if kind == "incident" else _within_the_time
    when = time_of(context, asked)
    milestones = tuple(
        Milestone(
            name=step["name"][needs.language],
            date=dated(step, when, asked, needs.language),
            deliverable=step["deliverable"][needs.language],
        )
        for step in those
    )
    start = phrase("plan.start.at_once" if kind == "incident" else "plan.start", needs.language)
    return Timeline(start_date=start, milestones=milestones)


def _before_the_day(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    known = when.first or when.last
    if not known:
        relative: str = step["when"][language]
        return f"{relative}（日期{UNKNOWN}）" if language == "zh" else f"{relative} (date {UNKNOWN})"
    day, days = date.fromisoformat(known), step["days"]
    if days == 0:
        return _at(day, when, language)
    lead = max(0, (day - asked.day).days)
    ahead = days if days > 0 or lead >= LONGEST_LEAD else -round(-days * lead / LONGEST_LEAD)
    return _said(day + timedelta(days=ahead), language)


def _at_once(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    within: str = step["when"][language]
    return within


def _within_the_time(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    known = when.last or when.first
    if known and step["at"] == 100:
        return _at(date.fromisoformat(known), when, language)
    if known:
        days = max(0, (date.fromisoformat(known) - asked.day).days)
        return _said(asked.day + timedelta(days=round(days * step["at"] / 100)), language)
    if "week" not in step:
        return UNKNOWN
    return f"第{step['week']}周" if language == "zh" else f"week {step['week']}"


def _at(day: date, when: When, language: Language) -> str:
    """The day that counts, with its hours and its time zone as far as they are known."""
    last = date.fromisoformat(when.last) if when.last and when.exact == "span" else day
    days = _said(day, language) + (f" – {_said(last, language)}" if last > day else "")
    if not when.start:
        return days
    hours = f"{when.start}–{when.end}" if when.end else when.start
    return " ".join(filter(None, (days, hours, when.time_zone)))


def _said(day: date, language: Language) -> str:
    weekday = f"（周{_WEEKDAYS[day.weekday()]}）" if language == "zh" else f" ({day:%a})"
    return f"{day.isoformat()}{weekday}"
