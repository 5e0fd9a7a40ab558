"""Makes a finding of the plan check."""

from collections.abc import Iterable

from engine.deliberation.answers import PlanTask, SlotChange
from engine.deliberation.events import Finding


def finding(
    code: str,
    severity: str,
    text: str,
    task: PlanTask | None = None,
    *,
    facts: Iterable[str] = (),
    changes: Iterable[SlotChange] = (),
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        text=text,
        task_id=task.task_id if task else "",
        facts=tuple(facts),
        changes=tuple(changes),
    )
