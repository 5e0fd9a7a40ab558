"""What is wrong with who does what: nobody, somebody unknown, somebody who cannot, or somebody with too much of it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import Plan, PlanTask, SlotChange
from engine.deliberation.check_texts import day as said
from engine.deliberation.check_texts import say
from engine.deliberation.date_rules import date_rules
from engine.deliberation.events import Finding
from engine.deliberation.found import finding
from engine.deliberation.situation import Situation, clauses_of, iso, task_text
from engine.deliberation.topic_words import shared_topics
from engine.deliberation.words import words_of
from engine.kernel import FactKind, HandedFact, HandedPerson
from engine.lexicon.constraint_patterns import hours_in

HOURS_A_WEEK: Final = 40.0
"""What somebody can give who has said nothing of it."""
_TOLERANCE: Final = 1.05
_DAYS_A_WEEK: Final = 5
_REFUSES: Final = re.compile(
    r"\b(?:cannot|can't|can not|won't|will not|unable|no longer|not (?:able|available|allowed|qualified|trained"
    r"|certified)"
    r"|never|doesn't|does not|don't|do not|refuses?|withdrew|withdraws?|pulls? out|dropped out|left the|allergic"
    r"|has no|have no|lacks?)\b"
    r"|不能|无法|没法|不会|不再|不做|不负责|没有资格|不具备|没有.{0,4}(?:经验|资质|执照|权限)|退出|离职|拒绝|过敏"
    r"|不愿|不想|不接|不便",
    re.IGNORECASE,
)
_EXCEPT_DATES: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|周[一二三四五六日末]|星期", re.IGNORECASE
)
_ON_CONDITION: Final = re.compile(
    r"\b(?:unless|until|without|before|if|more than|alone|by (?:my|him|her)self)\b|除非|如果|之前|否则|超过"
    r"|一个人|单独",
    re.IGNORECASE,
)
"""Who cannot do something only then can do it."""
_BROAD: Final = frozenset(
    {"event", "day", "party", "project", "meet", "活动", "项目", "当天", "计划", "writ", "prepar"}
)


def check_people(plan: Plan, situation: Situation) -> Iterator[Finding]:
    people, language = situation.people, situation.language
    for task in plan.tasks:
        if not task.owner:
            if people:
                cure = suited(task, plan, situation)
                yield finding(
                    "no_owner", "low", say("no_owner", language, title=task.title), task, changes=_given(task, cure)
                )
        elif task.owner not in people:
            if people:
                text = say("unknown_owner", language, title=task.title)
                cure = suited(task, plan, situation)
                yield finding("unknown_owner", "high", text, task, changes=_given(task, cure, otherwise=True))
        else:
            fact = ruled_out(task, task.owner, situation)
            if fact is not None:
                name = situation.called(task.owner)
                text = say("owner_ruled_out", language, title=task.title, name=name, fact=fact.text)
                cure = suited(task, plan, situation, without=task.owner)
                yield finding(
                    "owner_ruled_out",
                    "high",
                    text,
                    task,
                    facts=(fact.fact_id,),
                    changes=_given(task, cure, otherwise=True),
                )
    yield from _loads(plan, situation)


def _given(task: PlanTask, person: HandedPerson | None, *, otherwise: bool = False) -> tuple[SlotChange, ...]:
    if person is None and not otherwise:
        return ()
    return (SlotChange(slot="owner", task_id=task.task_id, value=person.person_id if person else ""),)


def ruled_out(task: PlanTask, person_id: str, situation: Situation) -> HandedFact | None:
    """The fact by which somebody cannot do a task: one that says they cannot, in words of the task."""
    words = words_of(f"{task.title}\n{task.expected_output}") - _BROAD
    for fact in situation.facts:
        if fact.kind in (FactKind.NEED, FactKind.GAP):
            continue
        for clause in clauses_of(fact.text):
            if not _REFUSES.search(clause) or _EXCEPT_DATES.search(clause) or _ON_CONDITION.search(clause):
                continue
            person = situation.about(fact, clause)
            if person is None or person.person_id != person_id:
                continue
            is_about = not words.isdisjoint(words_of(clause) - words_of(person.name))
            if is_about or _is_general(clause) or shared_topics(task.title, clause):
                return fact
    return None


_GENERAL: Final = re.compile(
    r"\b(?:no longer (?:available|part|with us|takes? part)|withdrew|dropped out|pulls? out|cannot (?:take part|help"
    r"|join|come|make it)"
    r"|can't (?:take part|help|join|come|make it)|not available|left the (?:company|team|project))\b"
    r"|退出|离职|不能参加|无法参加|不参加|来不了",
    re.IGNORECASE,
)


def _is_general(clause: str) -> bool:
    return bool(_GENERAL.search(clause))


def suited(
    task: PlanTask, plan: Plan, situation: Situation, without: str = "", *, only_free: bool = False
) -> HandedPerson | None:
    """Who brings most of what a task takes, of those whom no fact rules out; None where nobody brings any of it.

    Who cannot on its last day comes behind those who can, since the day may be moved.

    Args:
        only_free: whether who cannot on its last day does not count at all.
    """
    deadline = iso(task.deadline)
    rules = date_rules(situation)
    scored: list[tuple[bool, float, int, HandedPerson]] = []
    for at, person in enumerate(situation.brief.people):
        if person.person_id == without or ruled_out(task, person.person_id, situation):
            continue
        own = [rule for rule in rules if rule.person_id == person.person_id]
        is_free = deadline is None or not any(rule.breaks(None, deadline) for rule in own)
        score = fitness(task, person, situation)
        if score > 0 and (is_free or not only_free):
            scored.append((is_free, score, -at, person))
    return max(scored, key=lambda each: each[:3])[3] if scored else None


def fitness(task: PlanTask, person: HandedPerson, situation: Situation) -> float:
    """How much of a task's words somebody's role, what they bring and what they offered say."""
    said = _said_of(person, situation)
    if not (person.role or person.brings or person.user_id) and not person.hours:
        # Of whom only facts tell: they do what is said of them.
        said = "\n".join(
            each.text
            for each in situation.facts
            if each.kind is FactKind.OFFER and situation.person_in(each.text) == person
        )
    wanted = words_of(task_text(task)) - _BROAD
    title = words_of(task.title) - _BROAD
    own = words_of(said)
    return 2.0 * len(title & own) + len((wanted - title) & own) + 3.0 * shared_topics(task.title, said)


def _said_of(person: HandedPerson, situation: Situation) -> str:
    """What is known of what somebody brings."""
    key = (_said_of, person.person_id)
    if key not in situation.known:
        situation.known[key] = "\n".join(
            (
                person.role,
                person.brings,
                *(
                    clause
                    for fact in situation.facts
                    for clause in clauses_of(fact.text)
                    if fact.kind in _BRINGING
                    and not _REFUSES.search(clause)
                    and situation.about(fact, clause) == person
                ),
            )
        )
    return str(situation.known[key])


_BRINGING: Final = (FactKind.OFFER, FactKind.CONSTRAINT, FactKind.GAP, FactKind.NEED, FactKind.REQUEST)


# ── load ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def limits_of(person: HandedPerson, situation: Situation) -> tuple[float, float | None]:
    """How many hours somebody can give a week, and in all; None where they said nothing of that."""
    weekly = [
        hours * (_DAYS_A_WEEK if per == "day" else 1)
        for fact in situation.facts
        for clause in clauses_of(fact.text)
        for hours, per in hours_in(clause.lower())
        if situation.about(fact, clause) == person
    ]
    if weekly:
        return min(weekly), None
    return HOURS_A_WEEK, person.hours


def _loads(plan: Plan, situation: Situation) -> Iterator[Finding]:
    language = situation.language
    for person in situation.brief.people:
        own = [each for each in plan.tasks if each.owner == person.person_id and each.estimated_hours > 0]
        if not own:
            continue
        weekly, whole = limits_of(person, situation)
        total = sum(each.estimated_hours for each in own)
        name = situation.called(person.person_id)
        if whole is not None and total > whole * _TOLERANCE:
            largest = max(own, key=lambda each: each.estimated_hours)
            text = say("load_whole", language, name=name, hours=f"{total:g}", most=f"{whole:g}")
            changes = _relieved(own, total - whole, plan, situation, person)
            yield finding("load", "high" if total > 1.5 * whole else "medium", text, largest, changes=changes)
            continue
        by_week = _by_week(own, plan, situation)
        week, hours = max(by_week.items(), key=lambda each: each[1], default=(None, 0.0))
        if week is not None and hours > weekly * _TOLERANCE:
            there = [each for each in own if week in _by_week([each], plan, situation)]
            largest = max(there, key=lambda each: each.estimated_hours)
            facts = _hours_facts(person, situation)
            text = say("load", language, name=name, hours=f"{hours:.0f}", most=f"{weekly:g}", week=said(week, language))
            changes = _relieved(there, hours - weekly, plan, situation, person)
            severity = "high" if hours > 1.5 * weekly else "medium"
            yield finding("load", severity, text, largest, facts=facts, changes=changes)


def _hours_facts(person: HandedPerson, situation: Situation) -> tuple[str, ...]:
    return tuple(
        fact.fact_id
        for fact in situation.facts
        if any(
            [*hours_in(clause.lower())] and situation.about(fact, clause) == person for clause in clauses_of(fact.text)
        )
    )


def _relieved(
    own: list[PlanTask], over: float, plan: Plan, situation: Situation, person: HandedPerson
) -> tuple[SlotChange, ...]:
    """Give the smallest task that is enough, or the largest, to somebody else who can do it."""
    enough = sorted((each for each in own if each.estimated_hours >= over), key=lambda each: each.estimated_hours)
    for task in (*enough, *sorted(own, key=lambda each: -each.estimated_hours)):
        other = suited(task, plan, situation, without=person.person_id, only_free=True)
        if other is None:
            continue
        weekly, whole = limits_of(other, situation)
        theirs = [each for each in plan.tasks if each.owner == other.person_id] + [task]
        if whole is not None and sum(each.estimated_hours for each in theirs) > whole:
            continue
        if max(_by_week(theirs, plan, situation).values(), default=0.0) <= weekly:
            return (SlotChange(slot="owner", task_id=task.task_id, value=other.person_id),)
    return _earlier(own, plan, situation, person)


def _earlier(own: list[PlanTask], plan: Plan, situation: Situation, person: HandedPerson) -> tuple[SlotChange, ...]:
    """Begin the largest task earlier, where that is enough."""
    largest = max(own, key=lambda each: each.estimated_hours)
    needed = [day for before in plan.tasks if before.task_id in largest.depends_on and (day := iso(before.deadline))]
    first = max([*needed, *filter(None, (situation.today,))], default=None)
    if first is None or not largest.starts or largest.starts <= first.isoformat():
        return ()
    moved = replace(largest, starts=first.isoformat())
    theirs = [moved if each is largest else each for each in plan.tasks if each.owner == person.person_id]
    if max(_by_week(theirs, plan, situation).values(), default=0.0) > limits_of(person, situation)[0] * _TOLERANCE:
        return ()
    return (SlotChange(slot="start", task_id=largest.task_id, value=moved.starts),)


def _by_week(tasks: list[PlanTask], plan: Plan, situation: Situation) -> Mapping[date, float]:
    """Hours by the Monday of each week. A task is spread evenly over its working days; one of which no beginning is
    known counts from the day on which what it needs is done, or from the beginning of the plan."""
    found: dict[date, float] = defaultdict(float)
    ends = {each.task_id: iso(each.deadline) for each in plan.tasks}
    for task in tasks:
        last = iso(task.deadline)
        if last is None:
            continue
        known = [day for each in task.depends_on if (day := ends.get(each))]
        first = iso(task.starts) or max(known, default=None) or iso(situation.brief.starts) or situation.today or last
        days = [first + timedelta(each) for each in range(max(0, min(400, (last - first).days)) + 1)]
        working = [each for each in days if each.weekday() < _DAYS_A_WEEK] or days
        for each in working:
            found[each - timedelta(each.weekday())] += task.estimated_hours / len(working)
    return found
