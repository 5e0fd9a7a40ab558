"""Exports the deadlines of a plan as an iCalendar file."""

from datetime import date

from bot.texts import Texts
from bot.views.kit.export.ics import Entry, calendar_file, one_line
from engine.deliberation.answers import Plan, PlanTask
from engine.deliberation.rounds.plans import final_plan
from engine.deliberation.state import Deliberation


def calendar(state: Deliberation, texts: Texts) -> bytes:
    """An event for each task that has a deadline. The same plan gives the same bytes."""
    entries = [_entry(state, each, day) for each in _tasks(state) if (day := _day(each))]
    return calendar_file(state.brief.title, entries, undated(state), state.updated_at, texts)


def undated(state: Deliberation) -> list[str]:
    """The tasks without a day by which they are done."""
    return [one_line(each.title) for each in _tasks(state) if _day(each) is None]


def has_days(state: Deliberation) -> bool:
    return any(_day(each) for each in _tasks(state))


def _tasks(state: Deliberation) -> tuple[PlanTask, ...]:
    final = final_plan(state)
    plan: Plan | None = final.plan if final else None
    return plan.tasks if plan else ()


def _day(task: PlanTask) -> date | None:
    """None where a model wrote no date."""
    try:
        return date.fromisoformat(task.deadline)
    except ValueError:
        return None


def _entry(state: Deliberation, task: PlanTask, day: date) -> Entry:
    names = {each.person_id: each.name or each.person_id for each in state.brief.people}
    owner = names.get(task.owner, task.owner)
    details = (owner, task.expected_output, *task.acceptance_criteria, state.brief.title)
    return Entry(f"{state.session_id}-{task.task_id}", day, task.title, details)
