"""What a plan is held against: the brief, the facts as far as they are known, who is meant by whom."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.terms import Brief
from engine.deliberation.words import names, words_of
from engine.facts.language import Language, language_of
from engine.kernel import FactKind, HandedFact, HandedPerson

if TYPE_CHECKING:
    from engine.facts.asked import Asked

OF_ONE_PERSON: Final = (FactKind.LIMIT, FactKind.CONDITION, FactKind.OFFER)
"""Kinds of facts that are about whoever said them, unless they name somebody else."""
_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i'll|i'd|i've|my|me)\b|我(?!们)|本人", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[;；。！!?？\n]|\.(?!\d)|,?\s\bbut\b|，?但是?|，?不过")
_EVENT: Final = re.compile(
    r"\b(?:event|launch|go[- ]live|party|ceremony|wedding|festival|moving day|departure|cut[- ]?over|release|opening)\b"
    r"|\b(?:hold|host|run|celebrate)\b|the day itself|举办|举行|活动当天|当天|上线|发布|开业|婚礼|搬家日|出发"
    r"|切换|开幕",
    re.IGNORECASE,
)
_PREPARING: Final = re.compile(
    r"\b(?:book|reserv|confirm|choos|find|select|sign|prepar|plan|draft|order|review|rehears|invit|announc|design|test"
    r"|agree|settl|check|buy|look(?:ing)? (?:for|back)|retrospect|debrief|thank)\w*"
    r"|预订|预定|预约|确认|选定|寻找|物色|签订|准备|筹备|策划|起草|订购|采购|彩排|邀请|宣传|设计|测试|检查|复盘"
    r"|回顾|总结|敲定|落实",
    re.IGNORECASE,
)

_THE_DAY: Final = re.compile(
    r"\b(?:event|launch|go[- ]live|party|ceremony|wedding|festival|moving day|departure|cut[- ]?over|release|opening"
    r"|exam|show|performance|race|concert|the day)\b"
    r"|活动|举行|当天|上线|发布|开业|婚礼|搬家日|出发|切换|开幕|考试|演出|开场|比赛",
    re.IGNORECASE,
)
LONGEST_NAME: Final = 24
"""Characters of what only names the event."""


def iso(text: str) -> date | None:
    """The day that an ISO date names; None where it is none."""
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Situation:
    brief: Brief
    facts: Sequence[HandedFact]
    choice: str = ""
    """The option that the plan is for, where the brief has options."""
    known: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was worked out of it before, by what that is: each task of a plan asks for the same again."""

    @property
    def language(self) -> Language:
        return language_of(f"{self.brief.title}\n{self.brief.goal}")

    @property
    def today(self) -> date | None:
        return iso(self.brief.today)

    @property
    def asked(self) -> "Asked | None":
        from engine.facts.asked import Asked  # the first text that is read loads the grammar

        day = self.today
        return Asked(day, self.brief.time_zone or "UTC") if day else None

    @property
    def people(self) -> Mapping[str, HandedPerson]:
        return {each.person_id: each for each in self.brief.people}

    def person(self, said: str) -> HandedPerson | None:
        """Whoever is called so: by an id, a user's id, or a name."""
        return next(
            (each for each in self.brief.people if said and said in (each.person_id, each.user_id, each.name)), None
        )

    def person_in(self, text: str) -> HandedPerson | None:
        """The first person whom a text names."""
        if text not in self.known:
            found = (each for each in self.brief.people if names(text, each.name) or names(text, each.person_id))
            self.known[text] = next(iter(sorted(found, key=lambda each: _place(text, each))), None)
        person: HandedPerson | None = self.known[text]
        return person

    def about(self, fact: HandedFact, clause: str) -> HandedPerson | None:
        """The person whom a clause of a fact is about; None where it is about all, or about a thing."""
        named = self.person_in(clause)
        if named is not None:
            return named
        said = self.person(fact.by)
        if said is None:
            return None
        return said if _FIRST_PERSON.search(clause) or fact.kind in OF_ONE_PERSON else None

    def is_of_other_option(self, clause: str) -> bool:
        """Whether a clause is about an option that was not chosen: it demands nothing of the plan."""
        named = [each for each in self.brief.options if names(clause, each) or names(clause, _bare(each))]
        return bool(named) and self.choice not in named

    def called(self, person_id: str) -> str:
        person = self.people.get(person_id)
        return (person.name or person.person_id) if person else person_id


def _place(text: str, person: HandedPerson) -> int:
    at = text.lower().find(person.name.lower()) if person.name else -1
    return at if at >= 0 else len(text)


_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)


def _bare(option: str) -> str:
    return _ARTICLE.sub("", option)


def is_first_person(text: str) -> bool:
    return bool(_FIRST_PERSON.search(text))


def clauses_of(text: str) -> tuple[str, ...]:
    """The parts of a text that say one thing each."""
    return tuple(part.strip() for part in _CLAUSE.split(text[:1_000]) if part and part.strip())


def task_text(task: PlanTask) -> str:
    return "\n".join((task.title, task.expected_output, *task.tags, *task.acceptance_criteria))


def event_task(plan: Plan) -> PlanTask | None:
    """The task in which what is planned takes place: tagged so, else called so, else None."""
    tagged = [each for each in plan.tasks if "event" in each.tags]
    called = [each for each in plan.tasks if is_event(each)]
    found = tagged or called
    return max(found, key=lambda each: each.deadline, default=None)


def is_event(task: PlanTask) -> bool:
    return "event" in task.tags or (bool(_EVENT.search(task.title)) and not _PREPARING.search(task.title))


def names_the_event(text: str) -> bool:
    """Whether words of a fact mean what all of it is about: "the launch"."""
    return bool(_THE_DAY.search(text)) and not _PREPARING.search(text) and len(text) <= LONGEST_NAME


def is_preparing(task: PlanTask) -> bool:
    return bool(_PREPARING.search(task.title))


def concerns(task: PlanTask, things: frozenset[str]) -> bool:
    """Whether a task's title or output says one of these words."""
    return not things.isdisjoint(words_of(f"{task.title}\n{task.expected_output}"))
