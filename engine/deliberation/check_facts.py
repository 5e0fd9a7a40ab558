"""Which facts a plan does not keep to, as far as they were read into data.

A fact about somebody is held against their own tasks, one about an agreed task against that, any other against the
tasks that cite it. What a plan leaves open breaks nothing.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta

from engine.deliberation.answers import FactRead, PlanTask, SlotChange
from engine.deliberation.check_people import owned
from engine.deliberation.check_texts import day as said
from engine.deliberation.checked import Checked, found, iso
from engine.deliberation.events import Finding
from engine.facts.circumstances import When
from engine.facts.data import Datum, Days, Deadline, Effort, as_data
from engine.facts.holding import Part, holds


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
