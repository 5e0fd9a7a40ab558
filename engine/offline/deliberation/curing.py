"""Changes a plan until nothing that could be cured is wrong with it, and keeps which argument moved what."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.deliberation.answers import Move, Plan, PlanTask, SlotKind
from engine.deliberation.check_people import fitness, ruled_out
from engine.deliberation.date_rules import applies, date_rules
from engine.deliberation.events import Finding
from engine.deliberation.moves import differing
from engine.deliberation.plan_changes import changed, task_of, with_tasks
from engine.deliberation.plan_check import findings
from engine.deliberation.situation import Situation, iso, task_text
from engine.deliberation.words import share
from engine.facts.shortening import shorten
from engine.kernel import FactKind
from engine.offline.deliberation.drafting import completed
from engine.offline.deliberation.weaving import woven

MOST_PASSES: Final = 8
MOST_CRITERIA: Final = 4
LONGEST_CRITERION: Final = 200
"""Characters."""

Place = tuple[SlotKind, str]
"""A slot, and of which task."""


class Cured(Struct, frozen=True):
    plan: Plan
    because: Mapping[Place, Finding]
    """By slot: the finding that moved it."""
    left: tuple[Finding, ...]
    """What nothing cures."""


def cured(plan: Plan, situation: Situation) -> Cured:
    because: dict[Place, Finding] = {}
    found: tuple[Finding, ...] = ()
    for _ in range(MOST_PASSES):
        plan = woven(plan, situation)
        found = findings(plan, situation.brief, situation.facts, situation.choice or None)
        doable = [each for each in found if each.changes and not _is_done(plan, each)]
        if not doable:
            break
        for each in doable:
            before = plan
            plan = changed(plan, each.changes)
            for change in differing(before, plan):
                because[change.slot, change.task_id] = each
            plan = _citing(plan, each)
        plan = completed(plan, situation)
    left = tuple(each for each in found if each.severity != "low")
    return Cured(_ready(plan, situation), because, left)


def _ready(plan: Plan, situation: Situation) -> Plan:
    """The plan with all the facts named that it meets."""
    return woven(_meeting_conditions(_citing_conditions(plan, situation), situation), situation)


def _is_done(plan: Plan, finding: Finding) -> bool:
    return changed(plan, finding.changes) == plan


def _citing(plan: Plan, finding: Finding) -> Plan:
    """Let the tasks that a finding changed name the facts that it follows from."""
    ids = {each.task_id for each in finding.changes} | {finding.task_id}
    tasks = {
        each: replace(task, because=tuple(dict.fromkeys((*task.because, *finding.facts))))
        for each in ids
        if finding.facts and (task := task_of(plan, each)) is not None
    }
    return with_tasks(plan, tasks)


def _citing_conditions(plan: Plan, situation: Situation) -> Plan:
    """Let each task name the facts that it meets: of its owner's days, and the needs that it covers."""
    rules = date_rules(situation)
    tasks: dict[str, PlanTask] = {}
    for task in plan.tasks:
        starts, deadline = iso(task.starts), iso(task.deadline)
        met = [
            rule.fact.fact_id
            for rule in rules
            if deadline and not rule.is_pause and applies(rule, task, plan) and not rule.breaks(starts, deadline)
        ]
        needs = [
            fact.fact_id
            for fact in situation.facts
            if fact.kind in (FactKind.NEED, FactKind.GAP) and share(fact.text, task_text(task)) >= 0.5
        ]
        because = tuple(dict.fromkeys((*task.because, *met, *needs, *_why_not_others(task, situation))))
        if because != task.because:
            tasks[task.task_id] = replace(task, because=because)
    return with_tasks(plan, tasks)


def _meeting_conditions(plan: Plan, situation: Situation) -> Plan:
    """Let what somebody asks for be among what their own task is accepted by, where no task names it yet."""
    cited = {each for task in plan.tasks for each in task.because}
    asked = (FactKind.CONDITION, FactKind.REQUEST)
    for fact in situation.facts:
        person = situation.person(fact.by)
        if fact.kind not in asked or person is None or fact.fact_id in cited:
            continue
        own = next((each for each in plan.tasks if each.owner == person.person_id), None)
        if own is None or len(own.acceptance_criteria) >= MOST_CRITERIA:
            continue
        criteria = (*own.acceptance_criteria, shorten(fact.text, LONGEST_CRITERION))
        met = replace(own, acceptance_criteria=criteria, because=(*own.because, fact.fact_id))
        plan = with_tasks(plan, {own.task_id: met})
    return plan


def _why_not_others(task: PlanTask, situation: Situation) -> Iterator[str]:
    """The facts by which others who bring as much as its owner cannot do a task."""
    owner = situation.people.get(task.owner)
    deadline = iso(task.deadline)
    least = fitness(task, owner, situation) if owner else 0.0
    for person in situation.brief.people:
        if least <= 0 or person is owner or fitness(task, person, situation) < least:
            continue
        fact = ruled_out(task, person.person_id, situation)
        if fact is not None:
            yield fact.fact_id
        for rule in date_rules(situation):
            if deadline and rule.person_id == person.person_id and rule.breaks(None, deadline):
                yield rule.fact.fact_id


def moves(
    before: Plan, after: Plan, arguments: Mapping[Place, tuple[str, str]], otherwise: Sequence[str]
) -> tuple[Move, ...]:
    """Name for each changed slot the argument, and why; where none is known, the first of the others."""
    found: list[Move] = []
    for slot, task_id, _, _ in differing(before, after):
        argument, why = arguments.get((slot, task_id)) or arguments.get(("task", task_id)) or _near(arguments, task_id)
        argument = argument or next(iter(otherwise), "")
        if argument:
            found.append(Move(slot=slot, task_id=task_id, argument=argument, why=why))
    return tuple(found)


def _near(arguments: Mapping[Place, tuple[str, str]], task_id: str) -> tuple[str, str]:
    return next((said for (_, about), said in arguments.items() if about == task_id), ("", ""))
