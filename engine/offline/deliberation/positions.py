"""What stands in for the Planner and the Critic: what was agreed, and who brings what. No phase, task, hour, date, role
or risk is made up."""

from collections.abc import Iterable, Iterator, Sequence

from engine.deliberation.answers import (
    CriticAnswer,
    CriticDraft,
    Critique,
    Plan,
    PlannerAnswer,
    PlanPhase,
    PlanTask,
    Position,
)
from engine.deliberation.given import BriefGiven, FactGiven, OwnOutput
from engine.facts.language import Language
from engine.offline.deliberation.phrasing import language_of, phrase


def make_plan(brief: BriefGiven, facts: Sequence[FactGiven]) -> PlannerAnswer:
    plan = plan_of(brief)
    return PlannerAnswer(content=side_by_side(brief, facts), position=position_of(brief, plan), plan=plan)


def make_draft(brief: BriefGiven, facts: Sequence[FactGiven]) -> CriticDraft:
    plan = plan_of(brief)
    return CriticDraft(content=side_by_side(brief, facts), position=position_of(brief, plan), plan=plan)


def revise_plan(brief: BriefGiven, facts: Sequence[FactGiven], own: OwnOutput, **_: object) -> PlannerAnswer:
    """Nothing moves it."""
    return PlannerAnswer(
        content=phrase("needs_a_model", language_of(brief)), position=own.position, plan=own.plan or plan_of(brief)
    )


def criticise(
    brief: BriefGiven, facts: Sequence[FactGiven], own: OwnOutput | None, other: OwnOutput, **_: object
) -> CriticAnswer:
    """It neither finds nor denies anything."""
    position = own.position if own else position_of(brief, plan_of(brief))
    content = phrase("needs_a_model", language_of(brief))
    return CriticAnswer(
        content=content, position=position, critique=own.critique if own and own.critique else Critique()
    )


def plan_of(brief: BriefGiven) -> Plan:
    """What was agreed as it was agreed; where nothing was, what people bring."""
    tasks = tuple(
        PlanTask(
            task_id=each.task_id,
            title=each.title,
            owner=each.owner,
            estimated_hours=each.hours or 0,
            starts=each.starts,
            deadline=each.deadline,
            depends_on=each.depends_on,
            expected_output=each.expected_output,
            acceptance_criteria=each.acceptance,
        )
        for each in brief.tasks
    ) or tuple(
        PlanTask(task_id=f"task-{place}", title=each.brings, owner=each.person_id)
        for place, each in enumerate((each for each in brief.people if each.brings.strip()), 1)
    )
    phases = (PlanPhase(phase_name=phrase("the_plan", language_of(brief)), tasks=tasks),) if tasks else ()
    return Plan(title=brief.title, goal=brief.goal, phases=phases)


def position_of(brief: BriefGiven, plan: Plan) -> Position:
    language = language_of(brief)
    conclusion = phrase("conclusion", language)
    return Position(conclusion=conclusion, confidence=0, uncertainties=tuple(what_is_open(brief, plan, language)))


def what_is_open(brief: BriefGiven, plan: Plan, language: Language) -> Iterator[str]:
    if brief.options:
        yield phrase("not_chosen", language)
    for task in plan.tasks:
        if not task.owner:
            yield phrase("nobody_for", language, title=task.title)
        if not (task.starts or task.deadline):
            yield phrase("no_day_for", language, title=task.title)


def side_by_side(brief: BriefGiven, facts: Sequence[FactGiven]) -> str:
    """What is known, in lines, and that nobody has weighed it."""
    language = language_of(brief)
    said = (phrase("by", language, name=each.by, text=each.text) if each.by else each.text for each in facts)
    parts = (
        phrase("needs_a_model", language),
        listed("options", (each.label for each in brief.options), language, mark=""),
        listed("facts", said, language, mark=""),
    )
    return "\n\n".join(filter(None, parts))


def listed(heading: str, lines: Iterable[str], language: Language, mark: str = "## ") -> str:
    """A list under its heading; ``mark``: what Markdown begins a heading with."""
    items = [f"- {each}" for each in lines]
    return "\n".join([f"{mark}{phrase(heading, language)}", *([""] if mark else []), *items]) if items else ""
