"""The Planner's next version: what is right in the critique is taken, what is not is kept with a reason."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.deliberation.answers import Flaw, Move, Plan, PlannerAnswer, PointAnswer, Position, SlotChange, SlotKind
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
from engine.deliberation.moves import differing
from engine.deliberation.plan_changes import changed
from engine.deliberation.plan_check import findings as check
from engine.deliberation.situation import Situation
from engine.deliberation.words import share
from engine.offline.deliberation.briefs import points_of, situation_of
from engine.offline.deliberation.critiques import change_in_words
from engine.offline.deliberation.curing import Cured, Place, cured, moves
from engine.offline.deliberation.drafting import drafted
from engine.offline.deliberation.moving import flaw_of, less_sure
from engine.offline.deliberation.phrasing import listed, paragraph, phrase
from engine.offline.deliberation.positions import position_of

MOST_NAMED: Final = 3
"""Facts that are named of those that were worked in."""


def revise_plan(
    brief: BriefGiven,
    facts: Sequence[FactGiven],
    own: OwnOutput,
    other: OwnOutput | None,
    arguments: Sequence[ArgumentGiven],
    findings: Sequence[FindingGiven],
    instructions: Instructions,
    round: int,  # noqa: A002 - the prompt's own name for it
    max_rounds: int,
) -> PlannerAnswer:
    points = points_of(arguments, instructions.must_address)
    situation = situation_of(brief, facts, points)
    before = own.plan or drafted(situation)
    taken = cured(before, situation)
    taken, refused = _with_suggestions(taken, other, situation)
    cited = _cited(before, taken, other, findings, situation)
    position = position_of(taken.plan, situation, taken.left)
    told = moves(before, taken.plan, cited, [*(each.argument for each in findings), *instructions.new_facts])
    told += _own_moves(own.position, position, cited, instructions.new_facts, taken)
    flaws: tuple[Flaw, ...] = ()
    if instructions.must_move:
        position, flaws = less_sure(position), flaw_of(other, situation)
    return PlannerAnswer(
        content=_content(before, own.position, position, taken, told, refused, situation),
        position=position,
        plan=taken.plan,
        moves=told,
        answers=tuple(_answers(instructions.must_address, before, taken, told, situation)),
        flaws=flaws,
    )


def _with_suggestions(
    taken: Cured, other: OwnOutput | None, situation: Situation
) -> tuple[Cured, list[tuple[str, SlotChange]]]:
    """Take each suggestion that breaks nothing; return those that are not taken by their arguments."""
    refused: list[tuple[str, SlotChange]] = []
    because = dict(taken.because)
    plan = taken.plan
    suggestions = other.critique.suggestions if other and other.critique else ()
    ids = other.suggestion_ids if other else ()
    for at, each in enumerate(suggestions):
        argument = each.repeats or (ids[at] if at < len(ids) else "")
        changes = [change for change in each.changes if change.slot not in ("choice", "decision", "conclusion")]
        tried = changed(plan, changes)
        if tried == plan:
            continue
        if _weight(tried, situation) > _weight(plan, situation) or _is_settled(changes, because):
            refused += [(argument, change) for change in changes]
            continue
        source = Finding(code="suggestion", severity=each.priority, text=each.issue or each.solution)
        because |= {(slot, task_id): source for slot, task_id, _, _ in differing(plan, tried)}
        plan = tried
    if plan is taken.plan:
        return taken, refused
    again = cured(plan, situation)
    return Cured(again.plan, because | dict(again.because), again.left), refused


def _is_settled(changes: Sequence[SlotChange], because: Mapping[Place, Finding]) -> bool:
    """Whether what is suggested was settled by facts that the Critic did not know."""
    return any((each.slot, each.task_id) in because for each in changes)


def _weight(plan: Plan, situation: Situation) -> int:
    found = check(plan, situation.brief, situation.facts)
    return sum({"high": 10, "medium": 3, "low": 0}[each.severity] for each in found)


# ── which argument ────────────────────────────────────────────────────────────────────────────────────────────────


def _cited(
    before: Plan,
    taken: Cured,
    other: OwnOutput | None,
    found: Sequence[FindingGiven],
    situation: Situation,
) -> dict[Place, tuple[str, str]]:
    """The argument by which each slot changed: a suggestion or a finding that says the same, else the fact."""
    known = {each.text: each.argument for each in found if each.argument}
    suggested = {(change.slot, change.task_id, change.value): argument for argument, change in _suggested(other)}
    points = {each.fact_id for each in situation.facts}
    cited: dict[Place, tuple[str, str]] = {}
    for slot, task_id, _, after in differing(before, taken.plan):
        place: Place = (slot, task_id)
        source = taken.because.get(place) or next(
            (each for (_, about), each in taken.because.items() if about == task_id), None
        )
        argument = suggested.get((slot, task_id, after), "")
        if source is not None:
            fact = next((each for each in source.facts if each in points), "")
            argument = argument or known.get(source.text, "") or fact
        if argument:
            cited[place] = (argument, source.text if source else "")
    return cited


def _suggested(other: OwnOutput | None) -> Iterator[tuple[str, SlotChange]]:
    if other is None or other.critique is None:
        return
    for at, each in enumerate(other.critique.suggestions):
        argument = each.repeats or (other.suggestion_ids[at] if at < len(other.suggestion_ids) else "")
        for change in each.changes:
            if argument:
                yield argument, change


def _own_moves(
    before: Position, after: Position, cited: Mapping[Place, tuple[str, str]], new: Sequence[str], taken: Cured
) -> tuple[Move, ...]:
    """Why choice, decision and conclusion are others than before."""
    by_new = next((each for each in after.because if each in new), "")
    known = by_new or next((argument for argument, _ in cited.values()), "")
    left = next((fact for each in taken.left for fact in each.facts), "")
    argument = known or left or next(iter(after.because), "")
    if not argument:
        return ()
    why = after.key_reasons[0] if after.key_reasons else ""
    slots: tuple[tuple[SlotKind, str, str], ...] = (
        ("choice", before.choice, after.choice),
        ("decision", before.decision, after.decision),
        ("conclusion", before.conclusion, after.conclusion),
    )
    return tuple(Move(slot=slot, argument=argument, why=why) for slot, was, now in slots if was != now)


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _content(
    before: Plan,
    old: Position,
    position: Position,
    taken: Cured,
    told: Sequence[Move],
    refused: Sequence[tuple[str, SlotChange]],
    situation: Situation,
) -> str:
    language = situation.language
    said: list[str] = []
    if position.choice != old.choice and old.choice:
        change = phrase("change.choice", language, before=old.choice, after=position.choice)
        why = next(iter(position.key_reasons), "")
        said.append(phrase("change.because", language, change=change, why=why))
    else:
        said += position.key_reasons[:1] if position.choice else []
    why_of = {(each.slot, each.task_id): each.why for each in told}
    reasons: dict[str, list[str]] = {}
    for slot, task_id, _, after in differing(before, taken.plan)[:8]:
        change = change_in_words(SlotChange(slot=slot, task_id=task_id, value=after), before, situation)
        reasons.setdefault(why_of.get((slot, task_id), ""), []).append(change)
    for why, changes in reasons.items():
        together = listed(changes, language)
        said.append(phrase("change.because", language, change=together, why=why) if why else together)
    for _, kept in refused[:2]:
        task = next((each.title for each in taken.plan.tasks if each.task_id == kept.task_id), kept.value)
        why = phrase("revise.kept.why", language)
        said.append(phrase("revise.kept", language, what=f"“{task}”", why=why))
    said += _worked_in(before, taken.plan, told, situation)
    said += [phrase("revise.left", language, text=each.text) for each in taken.left[:2]]
    return paragraph(said or [phrase("revise.same", language)], language)


def _worked_in(before: Plan, after: Plan, told: Sequence[Move], situation: Situation) -> list[str]:
    """Name the facts that the plan takes up now, beside those by which a date, an owner or a task has changed."""
    old, new = ({each for task in plan.tasks for each in task.because} for plan in (before, after))
    taken = [each for each in situation.facts if each.fact_id in new - old]
    silent = [each for each in taken if not any(each.text in move.why for move in told)]
    facts = [f"“{each.text.rstrip('.。 ')}”" for each in silent[:MOST_NAMED]]
    return [phrase("revise.worked_in", situation.language, facts=listed(facts, situation.language))] if facts else []


def _answers(
    addressed: Sequence[Addressed], before: Plan, taken: Cured, told: Sequence[Move], situation: Situation
) -> Iterator[PointAnswer]:
    language = situation.language
    for each in addressed:
        if not each.argument:
            continue
        changes = [
            change_in_words(SlotChange(slot=slot, task_id=task_id, value=after), before, situation)
            for slot, task_id, _, after in differing(before, taken.plan)
            if any(move.argument == each.argument and (move.slot, move.task_id) == (slot, task_id) for move in told)
            or each.argument in _facts_of(taken, (slot, task_id))
        ]
        is_left = any(each.argument in left.facts or share(each.text, left.text) > 0.6 for left in taken.left)
        if changes:
            answer = phrase("answer.changed", language, changes=listed(changes, language))
        elif is_left:
            answer = phrase("answer.open", language)
        else:
            answer = phrase("answer.noted" if each.by else "answer.met", language)
        if each.by:
            answer = phrase("answer.person", language, name=each.by, answer=answer)
        yield PointAnswer(argument=each.argument, answer=answer)


def _facts_of(taken: Cured, place: Place) -> tuple[str, ...]:
    source = taken.because.get(place)
    return source.facts if source else ()
