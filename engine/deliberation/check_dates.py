"""What is wrong with a plan's dates and dependencies by themselves, each with the date that would cure it."""

from collections.abc import Iterator, Mapping
from datetime import date

from engine.deliberation.answers import PlanTask, SlotChange, SlotKind
from engine.deliberation.check_texts import day as said
from engine.deliberation.checked import Checked, found, iso
from engine.deliberation.events import Finding


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
    yield from _order(checked)


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
    """By when it has to be done; None for what comes afterwards, and for what was agreed to be later."""
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


def _order(checked: Checked) -> Iterator[Finding]:
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
