"""Makes a plan's timeline: counted back from the day of an event, or spread over the time there is."""

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


SOON = timedelta(days=14)


def timeline(needs: Needs, context: Circumstances, covered: Collection[str], asked: Asked) -> Timeline:
    """The steps of the abilities that somebody covers; the dates are as exact as the demand's."""
    kind = needs.kind or "product"
    those = [step for step in steps()[kind] if not step["topics"] or set(covered).intersection(step["topics"])]
    dated = _before_the_day if kind == "event" else _within_the_time
    when = time_of(context, asked)
    milestones = tuple(
        Milestone(
            name=step["name"][needs.language],
            date=dated(step, context.date, when, asked, needs.language),
            deliverable=step["deliverable"][needs.language],
        )
        for step in those
    )
    return Timeline(start_date=phrase("plan.start", needs.language), milestones=milestones)


def _before_the_day(step: Mapping[str, Any], said: str | None, when: When, asked: Asked, language: Language) -> str:
    if said is None:
        relative: str = step["when"][language]
        return f"{relative}（日期{UNKNOWN}）" if language == "zh" else f"{relative} (date {UNKNOWN})"
    is_soon = when.last != "" and date.fromisoformat(when.last) - asked.day <= SOON
    return f"{step['soon' if is_soon else 'when'][language]} ({said})"


def _within_the_time(step: Mapping[str, Any], said: str | None, when: When, asked: Asked, language: Language) -> str:
    if not when.last or when.exact == "day":
        return said if said and step["at"] == 100 else UNKNOWN
    weeks = max(1, (date.fromisoformat(when.last) - asked.day).days // 7)
    week = max(1, round(weeks * step["at"] / 100))
    return f"第{week}周" if language == "zh" else f"week {week}"
