"""Makes a plan's timeline: counted back from the day of an event, in hours for an outage, else over the time there is.

Dates are real ones wherever the demand has a day or a deadline: ``2026-12-05 (Sat)``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engine.facts.asked import Asked
from engine.facts.circumstances import When
from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml
from engine.lexicon.constraint_patterns import subjects_in
from engine.lexicon.constraint_texts import read_constraints
from engine.lexicon.constraints import Notice
from engine.negotiation.answers import Circumstances, Milestone, Timeline
from engine.offline.negotiation.needs import Needs
from engine.offline.negotiation.old_reading import time_of
from engine.offline.negotiation.phrasing import phrase

FILE = Path(__file__).with_name("timelines.yaml")
UNKNOWN = "[TBD]"


@cache
def steps() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


FIRST_STEP = 10
"""Percent of the time; what comes no later is done at the beginning."""
LONGEST_LEAD = 28
"""Days before an event at which its first step is, if there is so much time."""
LONGEST_EVENT = 5
"""Days; where a demand names more of them, it leaves open which of them it takes."""
_WEEKDAYS = "一二三四五六日"


def timeline(
    needs: Needs, context: Circumstances, covered: Collection[str], asked: Asked, conditions: Iterable[str] = ()
) -> Timeline:
    """The steps of the abilities that somebody covers; the dates are as exact as the demand's.

    Args:
        conditions: in people's words; what they want some days before the event comes as early as that.
    """
    kind = needs.timeline
    notices = [each for text in conditions for group in read_constraints(text).groups for each in group]
    ahead = [each for each in notices if isinstance(each, Notice)]
    those = [step for step in steps()[kind] if not step["topics"] or set(covered).intersection(step["topics"])]
    dated = _before_the_day if kind == "event" else _at_once if kind == "incident" else _within_the_time
    those = [_with_notice(step, ahead) for step in those] if kind == "event" else those
    when = time_of(context, asked)
    if kind not in ("event", "incident") and _is_beginning(when):
        asked, when = Asked(date.fromisoformat(when.first), asked.time_zone), _lasting(kind, when)
    milestones = tuple(
        Milestone(
            name=step["name"][needs.language],
            date=dated(step, when, asked, needs.language),
            deliverable=step["deliverable"][needs.language],
        )
        for step in those
    )
    if kind == "incident":
        return Timeline(start_date=phrase("plan.start.at_once", needs.language), milestones=milestones)
    # Steps say themselves when it begins, also once everybody has agreed.
    return Timeline(start_date="" if milestones else phrase("plan.start", needs.language), milestones=milestones)


def _with_notice(step: Mapping[str, Any], notices: Iterable[Notice]) -> Mapping[str, Any]:
    """The step, as early as those want it who need what it brings about."""
    brings = subjects_in("\n".join((*step["name"].values(), *step["deliverable"].values())))
    days = max((each.days for each in notices if brings & each.words), default=0)
    if step["days"] >= 0 or days <= -step["days"]:
        return step
    return {**step, "days": -days, "least": days, "when": {"zh": f"活动前{days}天", "en": f"{days} days before"}}


def _before_the_day(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    known = when.first or when.last
    if not known:
        relative: str = step["when"][language]
        return f"{relative}（日期{UNKNOWN}）" if language == "zh" else f"{relative} (date {UNKNOWN})"
    day, days = date.fromisoformat(known), step["days"]
    last = date.fromisoformat(when.last or known)
    if days == 0:
        return _on_some_day(when, language) if _is_open(when) else _at(day, when, language)
    if days > 0:
        return _said(last + timedelta(days=days), language)
    lead = max(0, (day - asked.day).days)
    ahead = days if lead >= LONGEST_LEAD else -max(round(-days * lead / LONGEST_LEAD), min(step.get("least", 0), lead))
    return _said(day + timedelta(days=ahead), language)


def _is_open(when: When) -> bool:
    """Whether the demand leaves the day open: within a month, by Christmas; an event may well last a weekend."""
    if not (when.first and when.last):
        return not when.first
    return (date.fromisoformat(when.last) - date.fromisoformat(when.first)).days >= LONGEST_EVENT


def _on_some_day(when: When, language: Language) -> str:
    first, last = (_said(date.fromisoformat(each), language) if each else "" for each in (when.first, when.last))
    if language == "zh":
        return f"{first}至{last}之间（日期{UNKNOWN}）" if first else f"不晚于{last}（日期{UNKNOWN}）"
    return f"between {first} and {last} (day {UNKNOWN})" if first else f"by {last} (day {UNKNOWN})"


def _at_once(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    within: str = step["when"][language]
    return within


def _lasting(kind: str, when: When) -> When:
    """The time with its end, where only a beginning was said of something that usually takes so many weeks."""
    weeks = max((step.get("week", 0) for step in steps()[kind]), default=0)
    if not weeks or not _is_beginning(when):
        return when
    begins = date.fromisoformat(when.first)
    return replace(when, last=(begins + timedelta(weeks=weeks)).isoformat(), start="", end="")


def _is_beginning(when: When) -> bool:
    return bool(when.first) and not when.last


def _within_the_time(step: Mapping[str, Any], when: When, asked: Asked, language: Language) -> str:
    if _is_beginning(when):  # of something that may take any time
        return _said(date.fromisoformat(when.first), language) if step["at"] <= FIRST_STEP else UNKNOWN
    known = when.last
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
