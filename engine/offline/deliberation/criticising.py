"""The Critic's answer to the Planner's latest plan: the plan check over all facts, as a critique."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from engine.deliberation.answers import (
    CriticAnswer,
    Critique,
    Flaw,
    Move,
    Plan,
    PointAnswer,
    Position,
    Risk,
    Suggestion,
)
from engine.deliberation.check_options import weigh_options
from engine.deliberation.events import Finding
from engine.deliberation.given import (
    Addressed,
    ArgumentGiven,
    BriefGiven,
    FactGiven,
    FindingGiven,
    Instructions,
    OwnOutput,
)
from engine.deliberation.plan_check import findings as check
from engine.deliberation.situation import Situation, event_task, iso
from engine.deliberation.words import share
from engine.facts.shortening import shorten
from engine.offline.deliberation.briefs import points_of, situation_of
from engine.offline.deliberation.critiques import critique_of, cure_in_words
from engine.offline.deliberation.curing import cured
from engine.offline.deliberation.drafting import drafted
from engine.offline.deliberation.moving import flaw_of, less_sure
from engine.offline.deliberation.phrasing import paragraph, phrase
from engine.offline.deliberation.positions import position_of, said

MOST_NAMED: Final = 3
"""Facts that the Critic names of those it has checked."""
LONGEST_NAMED: Final = 60
"""Characters."""


def criticise(
    brief: BriefGiven,
    facts: Sequence[FactGiven],
    own: OwnOutput | None,
    other: OwnOutput,
    arguments: Sequence[ArgumentGiven],
    findings: Sequence[FindingGiven],
    instructions: Instructions,
    round: int,  # noqa: A002 - the prompt's own name for it
    max_rounds: int,
) -> CriticAnswer:
    points = points_of(arguments, instructions.must_address)
    situation = situation_of(brief, facts, points)
    plan = other.plan or drafted(situation)
    choice = other.position.choice if brief.options else None
    found = check(plan, situation.brief, situation.facts, choice)
    serious = [each for each in found if each.severity != "low"]
    critique = critique_of(found if serious else (), plan, situation, arguments)
    position = _position(plan, found, situation, other)
    if instructions.opposes:
        critique = _opposed(critique, plan, situation, position.choice, instructions.avoid)
    flaws: tuple[Flaw, ...] = ()
    if instructions.must_move:
        position, flaws = less_sure(position), flaw_of(other, situation)
    return CriticAnswer(
        content=_content(serious, critique, plan, position, situation, is_opposed=instructions.opposes),
        position=position,
        critique=critique,
        moves=tuple(_moves(own, position, instructions.new_facts, serious, findings)),
        answers=tuple(_answers(instructions.must_address, serious, situation)),
        flaws=flaws,
    )


def _position(plan: Plan, found: Sequence[Finding], situation: Situation, other: OwnOutput) -> Position:
    """The Planner's own where nothing is wrong with the plan; else what the plan is once everything is cured."""
    serious = [each for each in found if each.severity != "low"]
    if not serious:
        return other.position
    mended = cured(plan, situation)
    position = position_of(mended.plan, situation, mended.left)
    return position if position.decision == "no_go" else replace(position, decision="go_with_changes")


def _moves(
    own: OwnOutput | None,
    position: Position,
    new: Sequence[str],
    serious: Sequence[Finding],
    findings: Sequence[FindingGiven],
) -> Iterator[Move]:
    """By what its own position is another one than before."""
    if own is None:
        return
    known = (
        next((each for each in position.because if each in new), "")
        or next((fact for each in serious for fact in each.facts), "")
        or next((each.argument for each in findings if each.argument), "")
        or next(iter(position.because), "")
        or next(iter(new), "")
        or next((each for each in (*own.suggestion_ids, *own.risk_ids) if each), "")
    )
    if not known:
        return
    why = position.key_reasons[0] if position.key_reasons else ""
    if own.position.choice != position.choice:
        yield Move(slot="choice", argument=known, why=why)
    if own.position.decision != position.decision:
        yield Move(slot="decision", argument=known, why=why)
    if own.position.conclusion != position.conclusion:
        yield Move(slot="conclusion", argument=known, why=why)


# ── the opposite side ─────────────────────────────────────────────────────────────────────────────────────────────


def _opposed(critique: Critique, plan: Plan, situation: Situation, choice: str, avoid: Sequence[str]) -> Critique:
    language = situation.language
    against = [each for each in _against(plan, situation, choice) if each not in avoid]
    risks = tuple(Risk(risk=each, severity="medium") for each in against)
    suggestions = tuple(
        Suggestion(issue=each, solution=phrase("opposed.cure", language), priority="low") for each in against[:1]
    )
    return replace(critique, risks=(*critique.risks, *risks), suggestions=(*critique.suggestions, *suggestions))


def _against(plan: Plan, situation: Situation, choice: str) -> Iterator[str]:
    """What speaks against the plan as such, though it breaks nothing."""
    language = situation.language
    if choice:
        weighed = next((each for each in weigh_options(situation) if each.option == choice), None)
        for evidence in weighed.speaks_against[:2] if weighed else ():
            yield phrase("opposed.choice", language, choice=choice, fact=said(evidence.fact, situation))
        yield phrase("opposed.single", language)
        return
    event = event_task(plan)
    before = sorted(
        (each for each in plan.tasks if event and each.deadline < event.deadline), key=lambda each: each.deadline
    )
    if event and before:
        last = before[-1]
        days = ((iso(event.deadline) or date.min) - (iso(last.deadline) or date.min)).days
        yield phrase("opposed.tight", language, first=last.title, last=event.title, days=days)
    owners = [each.owner for each in plan.tasks if each.owner]
    if owners:
        most = max(dict.fromkeys(owners), key=owners.count)
        name, count = situation.called(most), owners.count(most)
        yield phrase("opposed.one_person", language, name=name, count=count, all=len(plan.tasks))
    for task in plan.tasks:
        if situation.people and not task.owner:
            yield phrase("opposed.nobody", language, title=task.title)
            return


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _content(
    serious: Sequence[Finding],
    critique: Critique,
    plan: Plan,
    position: Position,
    situation: Situation,
    *,
    is_opposed: bool,
) -> str:
    language = situation.language
    told: list[str] = []
    if serious:
        first = serious[0]
        told.append(phrase("critic.first", language, text=first.text))
        if first.changes:
            told.append(phrase("critic.cure", language, cure=cure_in_words(first.changes, plan, situation)))
        else:
            told.append(phrase("critic.no_cure", language))
        if len(serious) > 1:
            told.append(phrase("critic.more", language, count=len(serious) - 1))
    elif position.choice:
        why = next(iter(position.key_reasons), "")
        told.append(phrase("critic.agree.choice", language, choice=position.choice, why=why))
        told += _checked("critic.checked.choice", situation, choice=position.choice)
    else:
        told += _checked("critic.checked", situation) or [phrase("critic.agree", language)]
    if is_opposed and critique.risks:
        told.append(phrase("critic.opposes", language, text=critique.risks[-1].risk))
    return paragraph(told, language)


def _checked(key: str, situation: Situation, **values: str) -> list[str]:
    """Name the facts that the plan was held against; nothing where there are none."""
    language, facts = situation.language, situation.facts
    if not facts:
        return []
    named = [f"“{shorten(each.text.rstrip('.。!！ '), LONGEST_NAMED)}”" for each in facts[:MOST_NAMED]]
    if len(facts) > MOST_NAMED:
        named.append(phrase("critic.checked.more", language, count=len(facts) - MOST_NAMED))
    told = ("、" if language == "zh" else ", ").join(named)
    return [phrase(key, language, count=len(facts), facts=told, **values)]


def _answers(addressed: Sequence[Addressed], serious: Sequence[Finding], situation: Situation) -> Iterator[PointAnswer]:
    language = situation.language
    for each in addressed:
        if not each.argument:
            continue
        broken = next((one for one in serious if each.argument in one.facts or share(each.text, one.text) > 0.6), None)
        answer = broken.text if broken else phrase("answer.noted" if each.by else "answer.met", language)
        if each.by:
            answer = phrase("answer.person", language, name=each.by, answer=answer)
        yield PointAnswer(argument=each.argument, answer=answer)
