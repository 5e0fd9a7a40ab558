"""Makes a plan's timeline: counted back from the day of an event, or spread over the time there is."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine.files.yaml_locations import read_yaml
from engine.lexicon.language import Language
from engine.llm.offline.negotiation.circumstances import is_soon, weeks_in
from engine.llm.offline.negotiation.needs import Needs
from engine.llm.offline.negotiation.phrasing import phrase
from engine.negotiation.answers import Circumstances, Milestone, Timeline

FILE = Path(__file__).with_name("timelines.yaml")
UNKNOWN = "[TBD]"


@cache
def steps() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


def timeline(needs: Needs, context: Circumstances, covered: Collection[str]) -> Timeline:
    """The steps of the abilities that somebody covers; the dates are as exact as the demand's."""
    kind = needs.kind or "product"
    those = [step for step in steps()[kind] if not step["topics"] or set(covered).intersection(step["topics"])]
    dated = _before_the_day if kind == "event" else _within_the_time
    milestones = tuple(
        Milestone(
            name=step["name"][needs.language],
            date=dated(step, context.date, needs.language),
            deliverable=step["deliverable"][needs.language],
        )
        for step in those
    )
    return Timeline(start_date=phrase("plan.start", needs.language), milestones=milestones)


def _before_the_day(step: Mapping[str, Any], date: str | None, language: Language) -> str:
    if date is None:
        when: str = step["when"][language]
        return f"{when}（日期{UNKNOWN}）" if language == "zh" else f"{when} (date {UNKNOWN})"
    return f"{step['soon' if is_soon(date) else 'when'][language]} ({date})"


def _within_the_time(step: Mapping[str, Any], date: str | None, language: Language) -> str:
    weeks = weeks_in(date) if date else None
    if weeks is None:
        return date if date and step["at"] == 100 else UNKNOWN
    week = max(1, round(weeks * step["at"] / 100))
    return f"第{week}周" if language == "zh" else f"week {week}"
