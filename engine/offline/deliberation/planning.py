"""First positions, blind: the Planner's plan and the Critic's own draft, each from half of the facts."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.deliberation.answers import CriticDraft, Critique, Plan, PlannerAnswer, Position, Suggestion
from engine.deliberation.check_texts import day
from engine.deliberation.given import BriefGiven, FactGiven
from engine.deliberation.situation import Situation
from engine.offline.deliberation.briefs import situation_of
from engine.offline.deliberation.critiques import critique_of
from engine.offline.deliberation.curing import Cured, cured
from engine.offline.deliberation.drafting import drafted
from engine.offline.deliberation.phrasing import listed, paragraph, phrase
from engine.offline.deliberation.positions import last_day, position_of


def make_plan(brief: BriefGiven, facts: Sequence[FactGiven]) -> PlannerAnswer:
    situation = situation_of(brief, facts)
    made = cured(drafted(situation), situation)
    position = position_of(made.plan, situation, made.left, is_blind=True)
    return PlannerAnswer(content=_content(made, position, situation), position=position, plan=made.plan)


def make_draft(brief: BriefGiven, facts: Sequence[FactGiven]) -> CriticDraft:
    situation = situation_of(brief, facts)
    made = cured(drafted(situation), situation)
    position = position_of(made.plan, situation, made.left, is_blind=True)
    language = situation.language
    critique = critique_of(made.left, made.plan, situation, ())
    if facts:
        critique = _from_half(critique, situation)
    missing = [phrase("draft.missing", language, text=each.text) for each in made.left[:2]]
    content = [_content(made, position, situation), *(missing or [phrase("draft.fine", language)])]
    return CriticDraft(content=paragraph(content, language), position=position, plan=made.plan, critique=critique)


def _from_half(critique: Critique, situation: Situation) -> Critique:
    """Whoever knows half of the facts cannot call a plan complete, so that no early agreement passes over the rest."""
    language = situation.language
    suggestion = Suggestion(
        issue=phrase("draft.half.why", language), solution=phrase("draft.half", language), priority="low"
    )
    check = replace(critique.validity_check, complete=False)
    return replace(critique, suggestions=(*critique.suggestions, suggestion), validity_check=check)


def _content(made: Cured, position: Position, situation: Situation) -> str:
    language = situation.language
    if position.choice:
        said = [phrase("plan.choice", language, choice=position.choice), *position.key_reasons[:3]]
    else:
        said = [*_told(made.plan, situation), *position.key_reasons[1:3]]
    weakest = position.uncertainties[:1] or [
        phrase("assumed", language, text=each) for each in position.assumptions[:1]
    ]
    return paragraph([*said, *(phrase("plan.weakest", language, text=each) for each in weakest)], language)


def _told(plan: Plan, situation: Situation) -> list[str]:
    language = situation.language
    tasks = sorted(plan.tasks, key=lambda each: each.deadline)
    if not tasks:
        return []
    return [
        phrase(
            "plan.first",
            language,
            title=plan.title,
            phases=listed([each.phase_name for each in plan.phases], language),
            start=f"“{tasks[0].title}”",
            first=day(tasks[0].deadline, language),
            last=day(last_day(plan), language),
        )
    ]
