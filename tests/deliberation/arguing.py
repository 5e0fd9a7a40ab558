"""A model that argues a plan out, in answers that are easy to read: the Critic wants the last check a day earlier, the
Planner takes that up and says why, and then both agree.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    Critique,
    HostAnswer,
    Move,
    NamedDay,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
    PointAnswer,
    Position,
    ReportAnswer,
)
from engine.kernel import ModelAnswer

CHECK: Final = "the last check"
SAID: Final = {
    "en": {"plan": "All of it, and a check at the end.", "sooner": "A day earlier leaves time to mend what is wrong."},
    "zh": {"plan": "全部完成，最后检查一次。", "sooner": "提前一天检查，还有时间补救。"},
}


def answer(prompt: str, given: Mapping[str, Any]) -> ModelAnswer:
    """What a prompt of a deliberation is answered with."""
    match prompt:
        case "brief":
            return BriefAnswer(language=_language(given["brief"].goal))
        case "plan":
            return PlannerAnswer(content=_said(given, "plan"), position=_position(given, 0), plan=_plan(given["brief"]))
        case "draft":
            position, plan = _position(given, 1), _plan(given["brief"])
            return CriticDraft(content=_said(given, "sooner"), position=position, plan=plan, critique=Critique())
        case "revise":
            said = (each for each in given["arguments"] if each.by == "critic" and each.kind == "reason")
            moved = tuple(
                Move(slot="deadline", task_id=CHECK, argument=each.argument_id, why=_said(given, "sooner"))
                for each in [*said][:1]
            )
            return PlannerAnswer(
                content=_said(given, "sooner"),
                position=_position(given, 1) if moved else given["own"].position,
                plan=given["own"].plan,
                moves=moved,
                answers=_answers(given),
            )
        case "criticise":
            content = _said(given, "plan")
            return CriticAnswer(
                content=content, position=_position(given, 1), critique=Critique(), answers=_answers(given)
            )
        case "host":
            return HostAnswer(content=given["reason"] or given["title"])
        case "close":
            return ClosingAnswer(uncertainties=(_said(given, "plan"),), worst_case="")
        case "report":
            return ReportAnswer(content=f"# {given['brief'].title}\n\n{_said(given, 'plan')}")
        case "reply":
            return CriticReply(content=_said(given, "sooner"))
    raise AssertionError(f"nothing is said to {prompt}")


def _language(text: str) -> str:
    return "zh" if any("\u4e00" <= each <= "\u9fff" for each in text) else "en"


def _said(given: Mapping[str, Any], key: str) -> str:
    return SAID[_language(given["brief"].goal)][key]


def _position(given: Mapping[str, Any], sooner: int) -> Position:
    day = _last(given["brief"]) - timedelta(sooner)
    key = "sooner" if sooner else "plan"
    return Position(
        conclusion=_said(given, key),
        key_reasons=(_said(given, key),),
        dates=(NamedDay(name=CHECK, day=max(day.isoformat(), given["brief"].today)),),
    )


def _last(brief: Any) -> date:
    return date.fromisoformat(brief.ends or brief.today) + timedelta(0 if brief.ends else 14)


def _plan(brief: Any) -> Plan:
    """What was agreed; else one task for everybody, or for nobody."""
    last = _last(brief).isoformat()
    tasks = [
        PlanTask(
            task_id=each.task_id, title=each.title, owner=each.owner, estimated_hours=2, deadline=each.deadline or last
        )
        for each in brief.tasks
    ] or [
        PlanTask(task_id=f"task-{at}", title=brief.title, owner=who, estimated_hours=2, deadline=last)
        for at, who in enumerate([each.person_id for each in brief.people] or [""], 1)
    ]
    return Plan(title=brief.title, goal=brief.goal, phases=(PlanPhase(phase_name=brief.title, tasks=tuple(tasks)),))


def _answers(given: Mapping[str, Any]) -> tuple[PointAnswer, ...]:
    named = (each.argument for each in given["instructions"].must_address if each.argument)
    return tuple(PointAnswer(argument=each, answer=_said(given, "plan")) for each in named)
