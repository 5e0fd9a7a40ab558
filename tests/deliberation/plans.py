"""Plans, briefs and facts that tests hold against each other. Today is Monday, 23 November 2026."""

from typing import Any

from engine.deliberation.answers import Plan, PlanPhase, PlanTask
from engine.deliberation.terms import Brief
from engine.kernel import FactKind, HandedFact, HandedPerson

TODAY = "2026-11-23"
BO = HandedPerson(person_id="bo", user_id="U_BO", name="Bo", brings="posters and graphics")
MEI = HandedPerson(person_id="mei", user_id="U_MEI", name="Mei", brings="the venue, translation and graphic design")


def brief(goal: str = "Hold an AI meetup in December.", **fields: Any) -> Brief:
    given: dict[str, Any] = {
        "title": "AI meetup",
        "goal": goal,
        "today": TODAY,
        "ends": "2026-12-20",
        "people": (BO, MEI),
    }
    return Brief(**given | fields)


def task(task_id: str, title: str, deadline: str = "", **fields: Any) -> PlanTask:
    return PlanTask(task_id=task_id, title=title, deadline=deadline, **fields)


def plan(*tasks: PlanTask) -> Plan:
    return Plan(title="AI meetup", phases=(PlanPhase(phase_name="All of it", tasks=tasks),))


def fact(text: str, kind: FactKind = FactKind.CONSTRAINT, by: str = "", fact_id: str = "fact-1") -> HandedFact:
    return HandedFact(fact_id=fact_id, kind=kind, text=text, by=by)
