"""Holds a plan against the brief, and against what was read out of it: data against data, in any language.

A finding is high only where it is arithmetic: a day, a sum, a number, an order, an id. The codes are the keys of
`engine.deliberation.check_texts.TEXTS`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.deliberation.answers import FactRead, Plan, SlotChange
from engine.deliberation.check_amounts import check_amounts
from engine.deliberation.check_dates import check_dates
from engine.deliberation.check_facts import check_facts
from engine.deliberation.check_people import check_people
from engine.deliberation.checked import Checked, found
from engine.deliberation.events import Finding
from engine.deliberation.terms import Brief
from engine.facts.language import catalogue_of

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
