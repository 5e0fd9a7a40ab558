"""What a plan is held against, and how a finding is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Final

from engine.deliberation.answers import FactRead, Plan, PlanTask, SlotChange
from engine.deliberation.check_texts import say
from engine.deliberation.events import Finding
from engine.deliberation.terms import Brief
from engine.facts.language import Language
from engine.kernel import HandedPerson

OPTION: Final = "option-"
"""With which the id of an option begins; then comes its place."""


@dataclass(frozen=True)
class Checked:
    """What a plan is held against."""

    plan: Plan
    brief: Brief
    read: Sequence[FactRead] = ()
    choice: str = ""
    """The option that the position with this plan is for, in the brief's words; empty where it is for none."""
    options: Sequence[str] = ()
    language: Language = "en"
    tasks: Mapping[str, PlanTask] = field(init=False)
    people: Mapping[str, HandedPerson] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tasks", {each.task_id: each for each in self.plan.tasks})
        object.__setattr__(self, "people", {each.person_id: each for each in self.brief.people})

    @property
    def chosen(self) -> str:
        """The id of the option that is chosen; empty where none is."""
        return option_id(self.options.index(self.choice)) if self.choice in self.options else ""

    def holds_here(self, fact: FactRead) -> bool:
        """Whether a fact is about this plan, and not about an option that it is not for."""
        return not fact.option_id or fact.option_id == self.chosen

    def called(self, person_id: str) -> str:
        person = self.people.get(person_id)
        return (person.name or person.person_id) if person else person_id


def option_id(place: int) -> str:
    """Of an option by its place, from 0."""
    return f"{OPTION}{place + 1}"


def iso(text: str) -> date | None:
    """The day that an ISO date names; None where it is none."""
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def found(
    code: str,
    severity: str,
    checked: Checked,
    task: PlanTask | None = None,
    *,
    facts: Sequence[str] = (),
    changes: Sequence[SlotChange] = (),
    values: Mapping[str, object] = MappingProxyType({}),
) -> Finding:
    """Make a finding; its words are code's own, out of the data.

    Args:
        values: what the words of this code hold besides the task's title.
    """
    told = {"title": task.title} if task else {}
    known = {each.fact_id for each in checked.brief.facts}
    return Finding(
        code=code,
        severity=severity,
        text=say(code, checked.language, **{**told, **values}),
        task_id=task.task_id if task else "",
        facts=tuple(each for each in facts if each in known),
        changes=tuple(changes),
    )
