"""Plans, briefs and facts that tests hold against each other. Today is Monday, 23 November 2026."""

from typing import Any

from engine.deliberation.answers import FactRead, Plan, PlanPhase, PlanTask
from engine.deliberation.terms import Brief
from engine.kernel import FactKind, HandedFact, HandedPerson

TODAY = "2026-11-23"
BO = HandedPerson(person_id="bo", user_id="U_BO", name="Bo", brings="posters and graphics")
MEI = HandedPerson(person_id="mei", user_id="U_MEI", name="Mei", brings="the venue, translation and graphic design")


def brief(goal: str = "Hold an AI meetup in December.", **fields: Any) -> Brief:
    told: dict[str, Any] = {"title": goal, "goal": goal, "today": TODAY, "people": (BO, MEI)}
    return Brief(**told | fields)


def plan(*tasks: PlanTask) -> Plan:
    return Plan(title="It", phases=(PlanPhase(phase_name="All of it", tasks=tasks),) if tasks else ())


def task(task_id: str = "task-1", **fields: Any) -> PlanTask:
    return PlanTask(**{"task_id": task_id, "title": f"Do {task_id}", "owner": "bo"} | fields)


def fact(fact_id: str, text: str, kind: FactKind = FactKind.CONSTRAINT, by: str = "") -> HandedFact:
    return HandedFact(fact_id=fact_id, kind=kind, text=text, by=by)


def says(fact_id: str, *demands: Any, **fields: Any) -> FactRead:
    """What a model has read out of a fact."""
    return FactRead(fact_id=fact_id, demands=demands, **fields)
