"""Two who argue without a model and never agree, so that every prompt of a deliberation is asked: what they say is
nobody's judgement, and every text is the brief's own.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from engine.deliberation.answers import (
    BriefAnswer,
    ClosingAnswer,
    CriticAnswer,
    CriticDraft,
    CriticReply,
    Critique,
    HostAnswer,
    NamedDay,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
    PointAnswer,
    Position,
    ReportAnswer,
    Risk,
)
from engine.deliberation.given import BriefGiven
from engine.kernel import ModelAnswer, plain
from engine.llm.port import Answer, Question, Returns

LASTING = timedelta(14)


class Arguing:
    """A `Model` (engine/llm/port.py)."""

    async def answer(self, question: Question[Returns]) -> Answer[Returns]:
        said = _said(question.prompt.name.partition("/")[2], question.given)
        return Answer(question.returns.checked(plain(said)), "arguing", is_final=True)


def _said(prompt: str, given: Mapping[str, Any]) -> ModelAnswer:
    if prompt == "host":
        return HostAnswer(content=given["title"])
    brief: BriefGiven = given["brief"]
    match prompt:
        case "brief":
            return BriefAnswer()
        case "plan" | "revise":
            answers = _answers(given)
            return PlannerAnswer(content=brief.title, position=_position(brief, 0), plan=_plan(brief), answers=answers)
        case "draft":
            return CriticDraft(content=brief.title, position=_position(brief, 1), plan=_plan(brief))
        case "criticise":
            critique = Critique(risks=(Risk(risk=brief.title),))
            answers = _answers(given)
            return CriticAnswer(content=brief.title, position=_position(brief, 1), critique=critique, answers=answers)
        case "close":
            return ClosingAnswer(worst_case=brief.title)
        case "report":
            basis = given["basis"]
            names = "、".join(each.name for each in brief.people)
            return ReportAnswer(
                content=f"{brief.title} {names}".strip(),
                open_disagreements=basis.open_disagreements,
                remaining_uncertainties=basis.uncertainties,
            )
    return CriticReply(content=brief.title)


def _last(brief: BriefGiven) -> date:
    return date.fromisoformat(brief.ends) if brief.ends else date.fromisoformat(brief.today) + LASTING


def _position(brief: BriefGiven, sooner: int) -> Position:
    day = (_last(brief) - timedelta(sooner)).isoformat()
    choice = brief.options[0].label if brief.options else ""
    return Position(
        conclusion=brief.title, key_reasons=(brief.title,), choice=choice, dates=(NamedDay(name=brief.title, day=day),)
    )


def _plan(brief: BriefGiven) -> Plan:
    """One task for everybody, or for nobody."""
    last = _last(brief).isoformat()
    names = {each.person_id: each.name for each in brief.people}
    chosen = tuple(each.option_id for each in brief.options[:1])
    tasks = tuple(
        PlanTask(
            task_id=f"task-{place}",
            title=" ".join(filter(None, (brief.title, names.get(owner, "")))),
            owner=owner,
            deadline=last,
            acceptance_criteria=(brief.title,),
            because=chosen,
        )
        for place, owner in enumerate([each.person_id for each in brief.people] or [""], 1)
    )
    return Plan(title=brief.title, phases=(PlanPhase(phase_name=brief.title, tasks=tasks),))


def _answers(given: Mapping[str, Any]) -> tuple[PointAnswer, ...]:
    if "instructions" not in given:
        return ()
    named = (each.argument for each in given["instructions"].must_address if each.argument)
    return tuple(PointAnswer(argument=each, answer=given["brief"].title) for each in named)
