"""On which days the tasks of an agreed plan are done, where nobody has agreed on any: worked out of the hours that they
take, of what each depends on, and of the hours that people give.
"""

from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from engine.delivery.terms import Brief
from engine.directory.availability import available_by
from engine.directory.profile import Profile
from engine.kernel import HandedTask, Millis
from engine.times.availability import ReadCalendar
from engine.times.spreading import Work, spread


def scheduled(brief: Brief, profiles: Mapping[str, Profile], busy: Mapping[str, ReadCalendar], now: Millis) -> Brief:
    """Return the brief with a first and a last day for each task that has hours and no day; as it is, where there is
    none of these.

    Args:
        profiles: by the id of the person in the brief.
        busy: likewise, of those whose calendar is known.
    """
    if not brief.today or not any(_is_open(each) for each in brief.tasks):
        return brief
    works = [
        Work(
            each.task_id,
            each.owner,
            (each.hours or 0) if _is_open(each) else 0,
            each.depends_on,
            each.starts,
            each.deadline,
        )
        for each in brief.tasks
    ]
    people = {
        owner: available_by(profiles[owner], busy.get(owner), brief.time_zone, 0)
        for owner in dict.fromkeys(each.owner for each in brief.tasks)
        if owner in profiles
    }
    days = spread(works, people, date.fromisoformat(brief.today), brief.time_zone, now // 1000)
    tasks = tuple(
        replace(
            each,
            starts=each.starts or days[each.task_id].first.isoformat(),
            deadline=days[each.task_id].last.isoformat(),
        )
        if each.task_id in days
        else each
        for each in brief.tasks
    )
    return replace(brief, tasks=tasks)


def _is_open(task: HandedTask) -> bool:
    return bool(task.hours) and not task.deadline
