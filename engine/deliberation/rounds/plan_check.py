"""Holds a plan against the brief, and against what was read out of it: data against data, in any language.

A finding is high only where it is arithmetic: a day, a sum, a number, an order, an id. The codes are the keys of
`engine.deliberation.rounds.check_texts.TEXTS`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from engine.deliberation.answers import FactRead, Plan, PlanTask, SlotChange, SlotKind
from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import Finding, PlanChecked
from engine.deliberation.rounds.check_texts import day as said
from engine.deliberation.rounds.check_texts import money, say
from engine.deliberation.rounds.plans import plan_of
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS, Brief
from engine.facts.circumstances import Money, People, When
from engine.facts.data import Datum, Days, Deadline, Effort, as_data
from engine.facts.holding import Part, holds
from engine.facts.language import Language, catalogue_of
from engine.kernel import HandedPerson, Millis

# ── what a plan is held against ───────────────────────────────────────────────────────────────────────────────────────
# What a plan is held against, and how a finding is made.


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


# ── people ────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What is wrong with who does what: nobody, somebody unknown, or more hours than somebody can give.


def check_people(checked: Checked) -> Iterator[Finding]:
    if not checked.people:
        return
    for task in checked.plan.tasks:
        if not task.owner:
            yield found("no_owner", "low", checked, task)
        elif task.owner not in checked.people:
            change = SlotChange(slot="owner", task_id=task.task_id)
            yield found("unknown_owner", "high", checked, task, changes=(change,))
    for person in checked.brief.people:
        own = owned(checked, person.person_id)
        total = sum(each.estimated_hours for each in own)
        if person.hours is not None and total > person.hours:
            largest = max(own, key=lambda each: each.estimated_hours)
            values = {"name": checked.called(person.person_id), "hours": f"{total:g}", "most": f"{person.hours:g}"}
            yield found("load_whole", "high", checked, largest, values=values)


def owned(checked: Checked, person_id: str) -> tuple[PlanTask, ...]:
    return tuple(each for each in checked.plan.tasks if each.owner == person_id)


# ── dates ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What is wrong with a plan's dates and dependencies by themselves, each with the date that would cure it.


def check_dates(checked: Checked) -> Iterator[Finding]:
    agreed = {each.task_id: each for each in checked.brief.tasks}
    for task in checked.plan.tasks:
        yield from _bounds(checked, task)
        yield from _event(checked, task)
        latest = iso(agreed[task.task_id].deadline) if task.task_id in agreed else None
        due = iso(task.deadline)
        if latest and due and due > latest:
            days = {"agreed": said(latest, checked.language), "day": said(due, checked.language)}
            yield found("agreed_day", "high", checked, task, changes=_moved("deadline", task, latest), values=days)
    yield from _dependency_order(checked)


def _bounds(checked: Checked, task: PlanTask) -> Iterator[Finding]:
    today, end, language = iso(checked.brief.today), _end(checked, task), checked.language
    starts, due = iso(task.starts), iso(task.deadline)
    if today and due and due < today:
        days = {"day": said(due, language), "today": said(today, language)}
        yield found("past_deadline", "high", checked, task, changes=_moved("deadline", task, today), values=days)
    elif today and starts and starts < today:
        days = {"day": said(starts, language), "today": said(today, language)}
        yield found("past_start", "medium", checked, task, changes=_moved("start", task, today), values=days)
    if starts and due and due < starts:
        days = {"day": said(starts, language), "deadline": said(due, language)}
        yield found("start_after_deadline", "high", checked, task, changes=_moved("start", task, due), values=days)
    if end and due and due > end:
        days = {"day": said(due, language), "end": said(end, language)}
        yield found("after_end", "high", checked, task, changes=_moved("deadline", task, end), values=days)


def _end(checked: Checked, task: PlanTask) -> date | None:
    """Return the task's latest day; None for follow-up work, and for a task that was agreed to be later."""
    if task.stage == "after":
        return None
    agreed = next((each.deadline for each in checked.brief.tasks if each.task_id == task.task_id), "")
    return None if agreed and agreed > checked.brief.ends else iso(checked.brief.ends)


def _event(checked: Checked, task: PlanTask) -> Iterator[Finding]:
    """What all of it is about does not take place before it may."""
    first, due = iso(checked.brief.starts), iso(task.deadline)
    if task.stage == "event" and first and due and due < first:
        days = {"day": said(due, checked.language), "first": said(first, checked.language)}
        yield found("event_day", "high", checked, task, changes=_moved("deadline", task, first), values=days)


def _moved(slot: SlotKind, task: PlanTask, to: date) -> tuple[SlotChange, ...]:
    return (SlotChange(slot=slot, task_id=task.task_id, value=to.isoformat()),)


# ── what comes first ──────────────────────────────────────────────────────────────────────────────────────────────


def _dependency_order(checked: Checked) -> Iterator[Finding]:
    circular = _circular(checked.tasks)
    for task in checked.plan.tasks:
        if any(each not in checked.tasks for each in task.depends_on):
            yield found("unknown_dependency", "medium", checked, task)
        if task.task_id in circular:
            yield found("cycle", "high", checked, task)
            continue
        for each in task.depends_on:
            before = checked.tasks.get(each)
            if before is not None and before.deadline and task.deadline and task.deadline < before.deadline:
                change = SlotChange(slot="deadline", task_id=before.task_id, value=task.deadline)
                days = {
                    "day": said(task.deadline, checked.language),
                    "other": before.title,
                    "other_day": said(before.deadline, checked.language),
                }
                yield found("dependency_order", "high", checked, task, changes=(change,), values=days)
            elif before is not None and before.deadline and task.starts and task.starts < before.deadline:
                change = SlotChange(slot="start", task_id=task.task_id, value=before.deadline)
                days = {
                    "day": said(task.starts, checked.language),
                    "other": before.title,
                    "other_day": said(before.deadline, checked.language),
                }
                yield found("dependency_start", "high", checked, task, changes=(change,), values=days)


def _circular(tasks: Mapping[str, PlanTask]) -> frozenset[str]:
    """The tasks that wait for themselves."""

    def reaches(start: str) -> bool:
        seen: set[str] = set()
        waiting = [*tasks[start].depends_on]
        while waiting:
            each = waiting.pop()
            if each == start:
                return True
            if each in tasks and each not in seen:
                seen.add(each)
                waiting += tasks[each].depends_on
        return False

    return frozenset(each for each in tasks if reaches(each))


# ── amounts ───────────────────────────────────────────────────────────────────────────────────────────────────────────
# Whether there is room for as many as come, and money for what it costs: sums and numbers that facts name.


def check_amounts(checked: Checked) -> Iterator[Finding]:
    here = [each for each in checked.read if checked.holds_here(each)]
    yield from _room(checked, here)
    yield from _budget(checked, here)


def _room(checked: Checked, here: list[FactRead]) -> Iterator[Finding]:
    """Where one room of several is large enough, the others are for something else."""
    coming = [each for each in here if each.people and not each.person_id]
    rooms = [
        (each, datum.at_most)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, People) and datum.at_most and not each.person_id
    ]
    needed = [
        (each, datum.at_least)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, People) and datum.at_least and not each.person_id
    ]
    least = max((number for _, number in needed), default=0)
    most = max((room for _, room in rooms), default=0)
    guests = max((each.people for each in coming), default=0)
    if least and guests and guests < least:
        facts = dict.fromkeys(each.fact_id for each in (*coming, *(fact for fact, _ in needed)))
        yield found("too_few", "high", checked, facts=tuple(facts), values={"people": guests, "least": least})
    if most and guests > most:
        facts = dict.fromkeys(each.fact_id for each in (*coming, *(fact for fact, _ in rooms)))
        yield found("capacity", "high", checked, facts=tuple(facts), values={"people": guests, "most": most})


def _budget(checked: Checked, here: list[FactRead]) -> Iterator[Finding]:
    """Costs in the budget's own currency only: no rate is assumed. The smallest of several budgets counts."""
    guests = max((each.people for each in here if not each.person_id), default=0)
    budgets = [
        (each, datum)
        for each in here
        for datum in as_data(each.demands)
        if isinstance(datum, Money) and (_sum(datum, guests) or datum.none) and not each.person_id
    ]
    if not budgets:
        return
    fact, most = min(budgets, key=lambda each: _sum(each[1], guests))
    spent = [each for each in here if _sum(each.cost, guests) and (most.none or each.cost.currency == most.currency)]
    total = sum(_sum(each.cost, guests) for each in spent)
    if total > _sum(most, guests):
        facts = dict.fromkeys((fact.fact_id, *(each.fact_id for each in spent)))
        values = {"sum": money(total, most.currency), "most": money(_sum(most, guests), most.currency)}
        yield found("budget", "high", checked, facts=tuple(facts), values=values)


def _sum(money_: Money, guests: int) -> int:
    """All of it; 0 where only what each costs is said, and not how many come."""
    return money_.amount or money_.per_head * guests


# ── facts ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# Which facts a plan does not keep to, as far as they were read into data.
#
# A fact about somebody is held against their own tasks, one about an agreed task against that, any other against the
# tasks that cite it. What a plan leaves open breaks nothing.


def check_facts(checked: Checked) -> Iterator[Finding]:
    for fact in checked.read:
        if not checked.holds_here(fact):
            continue
        for datum in as_data(fact.demands):
            match datum:
                case Days() | Deadline():
                    yield from _days(checked, fact, datum)
                case Effort() if fact.person_id:
                    yield from _load(checked, fact, datum)
        yield from _order(checked, fact)


def _tasks(checked: Checked, fact: FactRead) -> tuple[PlanTask, ...]:
    """The tasks that a fact is held against."""
    if fact.task_id:
        return tuple(each for each in checked.plan.tasks if each.task_id == fact.task_id)
    if fact.person_id:
        return owned(checked, fact.person_id)
    return tuple(each for each in checked.plan.tasks if fact.fact_id in each.because)


def _text(checked: Checked, fact: FactRead) -> str:
    return next((each.text for each in checked.brief.facts if each.fact_id == fact.fact_id), checked.brief.title)


# ── days ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _days(checked: Checked, fact: FactRead, datum: Datum) -> Iterator[Finding]:
    """A deadline of all of it is held against every task that does not come afterwards."""
    is_of_all = isinstance(datum, Deadline) and not (fact.person_id or fact.task_id)
    tasks = checked.plan.tasks if is_of_all else _tasks(checked, fact)
    for task in tasks:
        if is_of_all and task.stage == "after":
            continue
        if holds(datum, _part(task)).status != "broken":
            continue
        if isinstance(datum, Deadline):
            change = SlotChange(slot="deadline", task_id=task.task_id, value=datum.day)
            latest, due = said(datum.day, checked.language), said(task.deadline, checked.language)
            words = {"day": due, "latest": latest, "fact": _text(checked, fact)}
            yield found("too_late", "high", checked, task, facts=(fact.fact_id,), changes=(change,), values=words)
        else:
            due = said(task.deadline, checked.language)
            words = {"day": due, "name": checked.called(task.owner), "fact": _text(checked, fact)}
            code = "date_owner" if fact.person_id else "date_fact"
            yield found(code, "high", checked, task, facts=(fact.fact_id,), values=words)


def _part(task: PlanTask) -> Part:
    """When a task is worked on. Of one without a beginning only the end is known, but for what takes place that day."""
    due = iso(task.deadline)
    starts = task.starts or (task.deadline if task.stage == "event" else "")
    when = When(first=starts, last=task.deadline, exact="span") if starts and due else When()
    return Part(when=when, ready=due)


# ── hours ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _load(checked: Checked, fact: FactRead, most: Effort) -> Iterator[Finding]:
    """Hours in all; and of a week, where a day is a seventh of it, those of tasks that lie within it whole."""
    own = owned(checked, fact.person_id)
    name = checked.called(fact.person_id)
    if most.per == "whole":
        total = sum(each.estimated_hours for each in own)
        if total > most.hours:
            largest = max(own, key=lambda each: each.estimated_hours)
            values = {"name": name, "hours": f"{total:g}", "most": f"{most.hours:g}"}
            yield found("load_whole", "high", checked, largest, facts=(fact.fact_id,), values=values)
        return
    weekly = most.hours * (7 if most.per == "day" else 1)
    by_week: dict[date, list[PlanTask]] = defaultdict(list)
    for task in own:
        starts, due = iso(task.starts), iso(task.deadline)
        if starts and due and _monday(starts) == _monday(due):
            by_week[_monday(starts)].append(task)
    for week, tasks in by_week.items():
        total = sum(each.estimated_hours for each in tasks)
        if total > weekly:
            largest = max(tasks, key=lambda each: each.estimated_hours)
            values = {"name": name, "hours": f"{total:g}", "most": f"{weekly:g}", "week": said(week, checked.language)}
            yield found("load", "high", checked, largest, facts=(fact.fact_id,), values=values)


def _monday(day: date) -> date:
    return day - timedelta(day.weekday())


# ── order ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _order(checked: Checked, fact: FactRead) -> Iterator[Finding]:
    """What has to be done before an agreed task: the task that the fact is about, or those that cite it."""
    then = checked.tasks.get(fact.before)
    if then is None or not then.deadline:
        return
    for task in _tasks(checked, fact) if fact.task_id or not fact.person_id else ():
        if task.task_id != then.task_id and task.deadline and task.deadline > then.deadline:
            change = SlotChange(slot="deadline", task_id=task.task_id, value=then.starts or then.deadline)
            words = {
                "day": said(task.deadline, checked.language),
                "other": then.title,
                "other_day": said(then.deadline, checked.language),
                "fact": _text(checked, fact),
            }
            yield found("order_fact", "high", checked, task, facts=(fact.fact_id,), changes=(change,), values=words)


# ── all of it ─────────────────────────────────────────────────────────────────────────────────────────────────────────


MOST_FINDINGS: Final = 12
_SEVERITIES: Final = ("high", "medium", "low")


def findings(
    plan: Plan,
    brief: Brief,
    read: Sequence[FactRead] = (),
    choice: str = "",
    *,
    options: Sequence[str] = (),
    language: str = "",
) -> tuple[Finding, ...]:
    """Return what is wrong with a plan, the gravest first.

    Args:
        read: what a model has read out of the facts; nothing as long as it has not.
        choice: the option that the position with this plan is for.
        language: BCP 47, for the words of the findings.
    """
    checked = Checked(plan, brief, read, choice, options or brief.options, catalogue_of(language))
    once: dict[object, Finding] = {}
    for each in _found(checked):
        once.setdefault((each.code, each.task_id, each.facts), each)
    return tuple(sorted(once.values(), key=lambda each: _SEVERITIES.index(each.severity)))[:MOST_FINDINGS]


def _found(checked: Checked) -> Iterator[Finding]:
    yield from check_dates(checked)
    yield from check_people(checked)
    yield from check_facts(checked)
    yield from check_amounts(checked)
    yield from _left_out(checked)


def _left_out(checked: Checked) -> Iterator[Finding]:
    """What was agreed, or decided, and stands in no task."""
    for agreed in checked.brief.tasks:
        if agreed.task_id not in checked.tasks:
            change = SlotChange(slot="task", task_id=agreed.task_id, value=agreed.title)
            yield found("missing_task", "medium", checked, changes=(change,), values={"title": agreed.title})
    cited = {each for task in checked.plan.tasks for each in task.because}
    if checked.chosen and checked.plan.tasks and checked.chosen not in cited:
        yield found("choice_left_out", "medium", checked, values={"option": checked.choice})


# ── plans that stand already ──────────────────────────────────────────────────────────────────────────────────────────
# Holds the plans that stand against what has been read out of the brief since they were asked for.
#
# A brief is read beside the first drafts, and nobody waits for it: a draft is checked when it comes in with what was
# known when it was asked for. Whatever comes later, plan or data, is held against the other here.


def check_again(draft: DeliberationDraft, at: Millis) -> None:
    """Add what the data says against the plans of both, where it was not found before."""
    for agent in DEBATERS:
        made = plan_of(draft.state, agent)
        if draft.state.read is not None and made is not None and (found := _new(draft.state, made)):
            draft.happens(PlanChecked(**draft.ids, agent=agent, round=made.round, findings=found, at=at))


def _new(state: Deliberation, made: Output) -> tuple[Finding, ...]:
    if made.plan is None or state.read is None:
        return ()
    known = {_about(each) for each in made.findings}
    found = findings(
        made.plan,
        state.brief,
        state.read.facts,
        made.position.choice,
        options=state.options,
        language=state.language,
    )
    return tuple(each for each in found if _about(each) not in known)


def _about(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.task_id, finding.facts
