"""What stands in for the Planner and the Critic: what was agreed, and who brings what; nothing is made up."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from engine.deliberation import answers
from engine.deliberation.given import BriefGiven, FactGiven, OwnOutput
from engine.facts.language import Language, catalogue_of
from engine.offline.model import phrase
from engine.offline.reading.script import chinese_tag


def make_plan(
    brief: BriefGiven, facts: Sequence[FactGiven], own: OwnOutput | None = None, **_: object
) -> answers.PlannerAnswer:
    """Nothing moves it from what it has said before."""
    return answers.PlannerAnswer(**_all_there_is(brief, own))


def make_draft(brief: BriefGiven, facts: Sequence[FactGiven]) -> answers.CriticDraft:
    return answers.CriticDraft(**_all_there_is(brief))


def _all_there_is(brief: BriefGiven, own: OwnOutput | None = None) -> dict[str, Any]:
    plan = (own.plan if own else None) or plan_of(brief)
    position, content = own.position if own else position_of(brief, plan), "deliberation.needs_a_model"
    return {"content": phrase(content, language_of(brief)), "position": position, "plan": plan}


def criticise(
    brief: BriefGiven, facts: Sequence[FactGiven], own: OwnOutput | None, other: OwnOutput, **_: object
) -> answers.CriticAnswer:
    """It neither finds nor denies anything."""
    position = own.position if own else position_of(brief, plan_of(brief))
    content, critique = phrase("deliberation.needs_a_model", language_of(brief)), own.critique if own else None
    return answers.CriticAnswer(content=content, position=position, critique=critique or answers.Critique())


_AS_AGREED: Final = ("task_id", "title", "owner", "starts", "deadline", "depends_on", "expected_output")


def plan_of(brief: BriefGiven) -> answers.Plan:
    """What was agreed as it was agreed; where nothing was, what people bring."""
    tasks = tuple(
        answers.PlanTask(
            **{name: getattr(each, name) for name in _AS_AGREED},
            estimated_hours=each.hours or 0,
            acceptance_criteria=each.acceptance,
        )
        for each in brief.tasks
    ) or tuple(
        answers.PlanTask(task_id=f"task-{place}", title=each.brings, owner=each.person_id)
        for place, each in enumerate((each for each in brief.people if each.brings.strip()), 1)
    )
    phase = answers.PlanPhase(phase_name=phrase("deliberation.the_plan", language_of(brief)), tasks=tasks)
    return answers.Plan(title=brief.title, goal=brief.goal, phases=(phase,) if tasks else ())


def language_of(brief: BriefGiven) -> Language:
    """As the brief says it, else by its script."""
    return catalogue_of(brief.language or chinese_tag(f"{brief.title}\n{brief.goal}"))


def position_of(brief: BriefGiven, plan: answers.Plan) -> answers.Position:
    language = language_of(brief)
    still_open = tuple(what_is_open(brief, plan, language))
    return answers.Position(
        conclusion=phrase("deliberation.conclusion", language), confidence=0, uncertainties=still_open
    )


def what_is_open(brief: BriefGiven, plan: answers.Plan, language: Language) -> Iterator[str]:
    if brief.options:
        yield phrase("deliberation.not_chosen", language)
    for task in plan.tasks:
        if not task.owner:
            yield phrase("deliberation.nobody_for", language, title=task.title)
        if not (task.starts or task.deadline):
            yield phrase("deliberation.no_day_for", language, title=task.title)


def listed(heading: str, lines: Iterable[str], language: Language) -> str:
    items = [f"- {each}" for each in lines]
    return "\n".join([f"## {phrase(f'deliberation.{heading}', language)}", "", *items]) if items else ""
