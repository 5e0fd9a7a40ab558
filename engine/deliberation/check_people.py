"""What is wrong with who does what: nobody, somebody unknown, or more hours than somebody can give."""

from collections.abc import Iterator

from engine.deliberation.answers import PlanTask, SlotChange
from engine.deliberation.checked import Checked, found
from engine.deliberation.events import Finding


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
