"""What is wrong with a plan's dates and dependencies, each with the dates that would cure it."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from engine.deliberation.answers import Plan, PlanTask, SlotChange, SlotKind
from engine.deliberation.check_facts import latest_for
from engine.deliberation.check_people import suited
from engine.deliberation.check_texts import day as said
from engine.deliberation.check_texts import say
from engine.deliberation.date_rules import DateRule, applies, closest_day, date_rules
from engine.deliberation.events import Finding
from engine.deliberation.found import finding
from engine.deliberation.plan_changes import task_of
from engine.deliberation.situation import Situation, iso

FARTHEST_MOVE: Final = 7
"""Days by which a task is rather moved than given to somebody else."""
AFTERWARDS: Final = frozenset({"after", "review"})
"""Tags of what comes after what is planned: it may be later than the end."""


def check_dates(plan: Plan, situation: Situation) -> Iterator[Finding]:
    rules = date_rules(situation)
    for task in plan.tasks:
        own = tuple(rule for rule in rules if applies(rule, task, plan))
        yield from _bounds(task, own, situation)
        yield from _facts(task, own, plan, situation)
    yield from _order(plan, rules, situation)


def _bounds(task: PlanTask, own: tuple[DateRule, ...], situation: Situation) -> Iterator[Finding]:
    today, end = situation.today, _end(task, situation)
    starts, deadline = iso(task.starts), iso(task.deadline)
    language = situation.language
    if today and deadline and deadline < today:
        cure = closest_day(today, own, earliest=today, latest=end, later_first=True)
        text = say(
            "past_deadline", language, title=task.title, day=said(deadline, language), today=said(today, language)
        )
        yield finding("past_deadline", "high", text, task, changes=_moved("deadline", task, cure))
    elif today and starts and starts < today:
        text = say("past_start", language, title=task.title, day=said(starts, language), today=said(today, language))
        yield finding("past_start", "medium", text, task, changes=_moved("start", task, today))
    if starts and deadline and deadline < starts:
        text = say(
            "start_after_deadline",
            language,
            title=task.title,
            day=said(starts, language),
            deadline=said(deadline, language),
        )
        yield finding("start_after_deadline", "high", text, task, changes=_moved("start", task, deadline))
    if end and deadline and deadline > end:
        cure = closest_day(end, own, earliest=today, latest=end)
        text = say("after_end", language, title=task.title, day=said(deadline, language), end=said(end, language))
        yield finding("after_end", "high", text, task, changes=_moved("deadline", task, cure))


_AFTERWARDS: Final = re.compile(
    r"\b(?:review|retro\w*|debrief\w*|look(?:ing)? back|thank\w*|follow[- ]?up|invoice\w*|lessons|wrap[- ]?up"
    r"|aftercare|clean(?:ing)? up"
    r"|hand(?:ing)? back|evaluat\w+)\b|复盘|回顾|总结|致谢|感谢|报销|结算|收尾|善后|跟进|评估",
    re.IGNORECASE,
)


def _end(task: PlanTask, situation: Situation) -> date | None:
    """By when it has to be done; None for what comes afterwards, and for what was agreed to be later."""
    end = iso(situation.brief.ends)
    if AFTERWARDS.intersection(task.tags) or _AFTERWARDS.search(task.title):
        return None
    agreed = next((each.deadline for each in situation.brief.tasks if each.task_id == task.task_id), "")
    return None if end and agreed and agreed > situation.brief.ends else end


def _facts(task: PlanTask, own: tuple[DateRule, ...], plan: Plan, situation: Situation) -> Iterator[Finding]:
    deadline, starts = iso(task.deadline), iso(task.starts)
    if deadline is None:
        return
    today = situation.today
    end = min(filter(None, (_end(task, situation), latest_for(task, plan, situation))), default=None)
    earliest = max(filter(None, (today, *_needed_first(task, plan))), default=None)
    for rule in own:
        if not rule.breaks(starts, deadline):
            continue
        cure = closest_day(deadline, own, earliest=earliest, latest=end) or closest_day(
            deadline, own, earliest=today, latest=end
        )
        key = "date_owner" if rule.person_id else "date_fact"
        text = say(
            key,
            situation.language,
            title=task.title,
            name=situation.called(rule.person_id),
            day=said(deadline, situation.language),
            fact=rule.fact.text,
        )
        changes = _moved("deadline", task, cure)
        is_far = cure is None or abs((cure - deadline).days) > FARTHEST_MOVE
        other = suited(task, plan, situation, without=task.owner, only_free=True) if rule.person_id and is_far else None
        if other is not None:
            changes = (SlotChange(slot="owner", task_id=task.task_id, value=other.person_id),)
        elif cure and starts and rule.is_beginning and not rule.allows(starts):
            first = next((each.first for each in rule.any_of if not hasattr(each, "days") and each.first), None)
            changes = (*changes, *_moved("start", task, min(first, cure) if first else cure))
        if rule.is_pause and starts and not rule.allows(starts):
            later = closest_day(starts, own, earliest=starts, latest=cure or deadline, later_first=True)
            changes = (*changes, *_moved("start", task, later))
        yield finding(key, "high", text, task, facts=(rule.fact.fact_id,), changes=changes)


def _moved(slot: SlotKind, task: PlanTask, to: date | None) -> tuple[SlotChange, ...]:
    now = task.deadline if slot == "deadline" else task.starts
    return (SlotChange(slot=slot, task_id=task.task_id, value=to.isoformat()),) if to and to.isoformat() != now else ()


# ── what comes first ──────────────────────────────────────────────────────────────────────────────────────────────


def _needed_first(task: PlanTask, plan: Plan) -> Iterator[date | None]:
    for each in task.depends_on:
        before = task_of(plan, each)
        yield iso(before.deadline) if before else None


def _order(plan: Plan, rules: tuple[DateRule, ...], situation: Situation) -> Iterator[Finding]:
    tasks = {each.task_id: each for each in plan.tasks}
    circular = _circular(tasks)
    language = situation.language
    for task in plan.tasks:
        unknown = [each for each in task.depends_on if each not in tasks]
        if unknown:
            yield finding("unknown_dependency", "medium", say("unknown_dependency", language, title=task.title), task)
        if task.task_id in circular:
            yield finding("cycle", "high", say("cycle", language, title=task.title), task)
            continue
        for each in task.depends_on:
            before = tasks.get(each)
            if before is None or not (before.deadline and task.deadline and task.deadline < before.deadline):
                continue
            text = say(
                "dependency_order",
                language,
                title=task.title,
                day=said(task.deadline, language),
                other=before.title,
                other_day=said(before.deadline, language),
            )
            yield finding(
                "dependency_order", "high", text, task, changes=_in_order(before, task, plan, rules, situation)
            )


def _in_order(
    before: PlanTask, task: PlanTask, plan: Plan, rules: tuple[DateRule, ...], situation: Situation
) -> tuple[SlotChange, ...]:
    """The task later, where that is possible, else what it needs earlier."""
    first, last = iso(before.deadline), iso(task.deadline)
    own = tuple(rule for rule in rules if applies(rule, task, plan))
    theirs = tuple(rule for rule in rules if applies(rule, before, plan))
    if first is None or last is None:
        return ()
    earlier = closest_day(last, theirs, earliest=situation.today, latest=last)
    later = closest_day(first, own, earliest=first, latest=_end(task, situation), later_first=True)
    if later is not None and ("event" not in task.tags or earlier is None):
        return _moved("deadline", task, later)
    return _moved("deadline", before, earlier)


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
