"""What the report has to tell, worked out from the state, and the report in code's own words."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from engine.deliberation import wording
from engine.deliberation.answers import Move, PlanTask, ReportAnswer
from engine.deliberation.events import Difference, Summary
from engine.deliberation.given import ReportBasis
from engine.deliberation.rounds.host import Hold, held_back
from engine.deliberation.rounds.plans import HIGH, final_plan, plain
from engine.deliberation.rounds.positions import standing_of
from engine.deliberation.state import Deliberation, Output
from engine.deliberation.terms import DEBATERS, Agent, ArgumentKind, Reason
from engine.facts.language import Language

# ── how it ended ──────────────────────────────────────────────────────────────────────────────────────────────────────
# How a deliberation ended, as its data shows it: agreed, decided by whom, disagreed on what, or what is still open.


Outcome = Literal["agreed", "decided", "disagreed", "not_settled", "not_argued", "no_plan", "forgotten", "open"]
"""How it ended: both agreed, the requester decided, both disagreed, both held the same and something was still open,
rules spoke in place of a model, nobody made a plan, or what it was about was erased; ``open`` while it goes on."""


def outcome_of(state: Deliberation) -> Outcome:
    """Return how it ended, or, while it is reported, how it will."""
    reason = None if not state.closing or state.is_argued else state.closing.reason
    match reason:
        case None:
            return "open"
        case Reason.AGREED | Reason.EARLY_AGREEMENT:
            return "agreed"
        case Reason.USER_DECIDED:
            return "decided"
        case Reason.NOT_ARGUED:
            return "not_argued"
        case Reason.NO_PLAN:
            return "no_plan"
        case Reason.FORGOTTEN:
            return "forgotten"
        case _:
            return "not_settled" if _hold_the_same(state) else "disagreed"


def _hold_the_same(state: Deliberation) -> bool:
    found = standing_of(state)
    return found is not None and found.is_agreed and not disagreements(state)


def disagreements(state: Deliberation) -> tuple[Difference, ...]:
    """Return in what the latest positions differ: as they were compared, or, where somebody has spoken since, as they
    stand now.
    """
    compared = next((each for each in reversed(state.rounds) if each.analysis), None)
    if compared is not None and not any(each.outputs for each in state.rounds[compared.number :]):
        return compared.differences
    found = standing_of(state)
    return found.differences if found else ()


def still_open(state: Deliberation) -> tuple[Hold, ...]:
    """Return what speaks against the plan besides that positions differ: risks, checks, objections, unexplained
    changes. Each thing is told once: the Critic may have put a finding of code in the same words.
    """
    return tuple({each.text: each for each in held_back(state)}.values())


# ── the report ────────────────────────────────────────────────────────────────────────────────────────────────────────


def next_number(state: Deliberation) -> int:
    """Of the report that is to be written: there is another one where somebody decides after a divergent end, or where
    it is argued on."""
    return max(state.reports, state.report.number if state.report else 0) + 1


def written(state: Deliberation, answer: ReportAnswer | None) -> tuple[str, Summary]:
    """Return the report in words and as data.

    A model words it. What is agreed, resolved, open and dissented from is code's wherever the model leaves it out, and
    the tasks are always code's.
    """
    known = basis(state)
    said = answer.open_disagreements if answer else ()
    is_open = bool(known.open_disagreements)
    uncertain = (answer and answer.remaining_uncertainties) or known.uncertainties
    summary = Summary(
        key_agreements=_agreed(state, answer, known),
        resolved_concerns=(answer and answer.resolved_concerns) or known.resolved,
        remaining_uncertainties=uncertain
        if is_open
        else (*uncertain, *(each for each in said if each not in uncertain)),
        open_disagreements=_with_all(said, known.open_disagreements) if is_open else (),
        dissent=(answer and answer.dissent) or known.dissent,
        todo=todo(state),
    )
    return (answer.content if answer else wording.report(state, summary, known)), summary


def is_of_another_end(state: Deliberation, answer: ReportAnswer) -> bool:
    """Whether a report is, word for word, the one of before, though what was a disagreement is none any more, or the
    other way round: only what is known as data is told then.
    """
    before, closing = state.report, state.closing
    if before is None or closing is None or before.is_divergent == closing.is_divergent:
        return False
    return answer.content.strip() == before.content.strip()


def _agreed(state: Deliberation, answer: ReportAnswer | None, known: ReportBasis) -> tuple[str, ...]:
    """Return what both agree on, in a model's words only where they have come to an agreement: in any other end these
    may be of before.
    """
    worded = answer.key_agreements if answer and outcome_of(state) == "agreed" else ()
    return worded if known.agreements and worded else known.agreements


def _with_all(said: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is open, in a model's words, and all that it leaves out; what it has only copied, once."""
    own = (each for each in said if not any(plain(each) in plain(other) for other in known))
    return (*own, *(each for each in known if not any(plain(each) in plain(other) for other in said)))


def todo(state: Deliberation) -> tuple[str, ...]:
    """One line for each task of the plan that it ends with."""
    final = final_plan(state)
    language = wording.language(state)
    names = {each.person_id: each.name for each in state.brief.people}

    def line(task: PlanTask) -> str:
        return wording.task(task, names.get(task.owner, task.owner), language)

    return tuple(map(line, final.plan.tasks)) if final else ()


def basis(state: Deliberation) -> ReportBasis:
    language = wording.language(state)
    closing = state.closing
    reason = closing.reason if closing else state.reason
    return ReportBasis(
        is_divergent=closing.is_divergent if closing else True,
        outcome=outcome_of(state),
        reason=wording.REASONS[reason][language] if reason else "",
        rounds=state.spoken_rounds,
        agreements=tuple(_agreements(state, language)),
        resolved=tuple(_resolved(state, language)),
        uncertainties=_listed(state, 0),
        worst_cases=_listed(state, 1),
        open_disagreements=tuple(_open(state, language)),
        dissent=tuple(_dissent(state, language)),
        facts=tuple(_facts(state, language)) if reason is Reason.NOT_ARGUED else (),
        chosen=wording.chosen(state, language),
    )


def _latest(state: Deliberation) -> list[Output]:
    return [each for agent in DEBATERS if (each := state.last_output(agent))]


def _agreements(state: Deliberation, language: Language) -> Iterator[str]:
    latest, final = _latest(state), final_plan(state)
    if final is None or len(latest) < len(DEBATERS) or _is_unargued(state):
        return
    planner, critic = (each.position for each in latest)
    if planner.decision == critic.decision:
        yield wording.decision(planner.decision, language)
    if planner.choice and planner.choice == critic.choice:
        yield planner.choice
    differ = {each.about for each in disagreements(state)}
    yield from (each.title for each in final.plan.tasks if each.title not in differ)


def _is_unargued(state: Deliberation) -> bool:
    return state.closing is not None and state.closing.reason is Reason.NOT_ARGUED


def _facts(state: Deliberation, language: Language) -> Iterator[str]:
    for each in state.brief.facts:
        yield wording.said_by(each.text, wording.named(state, each.by), language)


def _resolved(state: Deliberation, language: Language) -> Iterator[str]:
    """What was held against the plan, is not held any more, and has moved somebody; and the objections of people."""
    held = {each for said in _latest(state) for each in (*said.risk_ids, *said.suggestion_ids, *said.finding_ids)}
    moved: dict[str, list[Move]] = {}
    for move in (move for each in state.rounds for said in each.outputs.values() for move in said.moves):
        moved.setdefault(move.argument, []).append(move)
    for argument_id, moves in moved.items():
        argument = state.arguments.get(argument_id)
        if argument is None or argument_id in held or argument.kind in _NOT_AGAINST:
            continue
        why = [each.why for each in moves if each.why and each.why != argument.text]
        yield wording.resolved(argument.text, next(iter(why), "") or _changes(state, moves, language))
    for point in state.points:
        if all(each in point.answers for each in DEBATERS):
            yield wording.resolved(point.text, point.answers[Agent.PLANNER])


_NOT_AGAINST: Final = (ArgumentKind.FACT, ArgumentKind.REASON, ArgumentKind.POINT)


def _changes(state: Deliberation, moves: Sequence[Move], language: Language) -> str:
    """What moves have come to, as it is in the plan that it ends with."""
    final = final_plan(state)
    tasks = {each.task_id: each for each in final.plan.tasks} if final else {}
    names = {each.person_id: each.name for each in state.brief.people}
    found = [
        wording.changed_to(each.slot, task, names.get(task.owner, ""), language)
        for each in moves
        if each.slot in wording.TASK_SLOTS and (task := tasks.get(each.task_id)) is not None
    ]
    return wording.listed(dict.fromkeys(found), language)


def _listed(state: Deliberation, part: int) -> tuple[str, ...]:
    """Uncertainties or worst cases: what the agents stated at the end, else what their positions say."""
    found: list[str] = []
    for said in _latest(state):
        stated = state.closing.stated.get(said.agent) if state.closing else None
        uncertainties, worst = stated or (said.position.uncertainties, said.position.worst_case)
        found += uncertainties if part == 0 else [worst]
    return tuple(dict.fromkeys(each for each in found if each))


def _open(state: Deliberation, language: Language) -> Iterator[str]:
    closing = state.closing
    for point in state.points:
        if not all(each in point.answers for each in DEBATERS):
            yield wording.open_point(point.text, wording.name_of(state, point.by, language), language)
    if closing is None or not closing.is_divergent:
        return
    yield from (wording.settled_by(state, each, language) for each in disagreements(state))
    for held in still_open(state):
        if held.reason is not Reason.OPEN_POINT:
            yield wording.open_risk(held.text, language) if held.reason is Reason.OPEN_RISK else held.text


def _dissent(state: Deliberation, language: Language) -> Iterator[str]:
    """What is still held against the plan, and the position that was not chosen."""
    latest = {each.agent: each for each in _latest(state)}
    if state.choice is not None:
        other = latest.get(Agent.CRITIC if state.choice.chosen is Agent.PLANNER else Agent.PLANNER)
        if other is not None:
            yield from (wording.holds(other.agent, each, language) for each in _held_otherwise(state, other, language))
    critic = latest.get(Agent.CRITIC)
    for argument_id in critic.risk_ids if critic else ():
        argument = state.arguments[argument_id]
        if argument.severity != HIGH or not (state.closing and state.closing.is_divergent):
            yield wording.holds(Agent.CRITIC, argument.text, language)


def _held_otherwise(state: Deliberation, other: Output, language: Language) -> Iterator[str]:
    """Say what the position that was not chosen holds: its conclusion, or, where that is the same sentence as the
    other's, what is otherwise in it.
    """
    conclusions = {plain(each.position.conclusion) for each in _latest(state)}
    differences = disagreements(state)
    if len(conclusions) > 1 or not differences:
        yield other.position.conclusion
        return
    for each in differences:
        yield wording.held(state, each, other.agent, language)
