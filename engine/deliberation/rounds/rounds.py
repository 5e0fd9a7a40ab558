"""One round: each agent is asked in turn, their positions are compared, and the Host decides what comes next."""

from msgspec.structs import replace

from engine.deliberation.answers import LONGEST_OUTPUT, Critique
from engine.deliberation.closing import closing
from engine.deliberation.commands import RecordComparison, RecordHostWords, RecordPosition
from engine.deliberation.drafting import DeliberationDraft
from engine.deliberation.events import AgentSkipped, Analysis, Difference, HostSpoke, PositionsCompared, PositionTaken
from engine.deliberation.rounds import host, positions
from engine.deliberation.rounds.plan_check import check_again
from engine.deliberation.rounds.plans import naming, standing
from engine.deliberation.rounds.turns import (
    compare_scope,
    has_spoken,
    host_scope,
    is_parallel,
    layout_scope,
    position_scope,
    prompt_for,
    speaking,
)
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import DEBATERS, Action, Agent, ArgumentKind, Error, Reason
from engine.kernel import Ask, Compute, Millis


def ask(draft: DeliberationDraft) -> None:
    state = draft.state
    for agent in speaking(state):
        name = position_scope(agent, state.current.number)
        draft.owes(Ask(name=name, scope=name, prompt=prompt_for(state, agent), about=agent))
    draft.waits()


# ── an agent answers, or does not ─────────────────────────────────────────────────────────────────────────────────


def position_taken(draft: DeliberationDraft, command: RecordPosition) -> None:
    state, agent, answer = draft.state, command.agent, command.answer
    if agent not in speaking(state) or command.round != state.current.number:
        return  # too late
    if answer is None:
        error = command.error or Error(error="agent_failed", agent=agent, round=command.round)
        skip(draft, agent, error, command.at)
        return
    critique: Critique | None = getattr(answer, "critique", None)
    draft.happens(
        PositionTaken(
            **draft.ids,
            agent=agent,
            round=command.round,
            content=answer.content[:LONGEST_OUTPUT],
            position=answer.position,
            plan=getattr(answer, "plan", None),
            critique=critique and _with_known(state, critique),
            moves=naming(answer.moves, state.arguments, agent),
            answers=tuple(each for each in answer.answers if each.argument in state.arguments),
            flaws=tuple(each for each in answer.flaws if each.argument in state.arguments),
            findings=command.findings,
            at=command.at,
            model=command.model,
            prompt_hash=command.prompt_hash,
            errors=command.tool_errors,
        )
    )
    check_again(draft, command.at)
    _go_on(draft, command.at)


def _with_known(state: Deliberation, critique: Critique) -> Critique:
    """Let it repeat only what is there."""

    def known(said: str, kind: ArgumentKind) -> str:
        return said if said in state.arguments and state.arguments[said].kind is kind else ""

    return replace(
        critique,
        risks=tuple(replace(each, repeats=known(each.repeats, ArgumentKind.RISK)) for each in critique.risks),
        suggestions=tuple(
            replace(each, repeats=known(each.repeats, ArgumentKind.SUGGESTION)) for each in critique.suggestions
        ),
    )


def skip(draft: DeliberationDraft, agent: Agent, error: Error, at: Millis) -> None:
    """Go on without an agent: its last output stands."""
    number = draft.state.current.number
    draft.happens(AgentSkipped(**draft.ids, agent=agent, round=number, error=error, at=at))
    draft.voids(position_scope(agent, number))
    _go_on(draft, at)


def _go_on(draft: DeliberationDraft, at: Millis) -> None:
    state = draft.state
    current = state.current
    if speaking(state):
        if not is_parallel(state):
            ask(draft)
    elif standing(state) is None:
        closing.begin(draft, Reason.NO_PLAN, at)
    elif not all(has_spoken(state, each) for each in DEBATERS) or host.nobody_argues(state):
        decide(draft, at)
    elif host.needs_layout(state):
        name = layout_scope(current.number)
        draft.owes(Ask(name=name, scope=name, prompt="host", about=str(current.number)))
        draft.waits()
    else:
        _compare(draft)


def _compare(draft: DeliberationDraft) -> None:
    number = draft.state.current.number
    name = compare_scope(number)
    draft.owes(Compute(name=name, scope=name, function="compare", about=str(number)))
    draft.waits()


# ── the Host ──────────────────────────────────────────────────────────────────────────────────────────────────────


def is_comparing(state: Deliberation) -> bool:
    """Whether the positions of the current round are being compared."""
    return state.status is Status.ARGUING and not speaking(state) and state.current.analysis is None


def compared(draft: DeliberationDraft, command: RecordComparison) -> None:
    state = draft.state
    if not is_comparing(state) or command.round != state.current.number:
        return  # too late
    errors = () if command.error is None else (command.error,)
    _compared(draft, command.analysis, command.differences, errors, command.at)


def not_compared(draft: DeliberationDraft, at: Millis) -> None:
    """Compare in the rules what could not be compared beside them, slot by slot."""
    number = draft.state.current.number
    draft.voids(compare_scope(number))
    draft.voids(layout_scope(number))
    analysis, differences = positions.by_slots(draft.state)
    error = Error(error="tool_execution_failed", tool="compare_positions", round=number)
    _compared(draft, analysis, differences, (error,), at)


def _compared(
    draft: DeliberationDraft,
    analysis: Analysis,
    differences: tuple[Difference, ...],
    errors: tuple[Error, ...],
    at: Millis,
) -> None:
    number = draft.state.current.number
    draft.happens(
        PositionsCompared(**draft.ids, round=number, analysis=analysis, differences=differences, errors=errors, at=at)
    )
    decide(draft, at)


def _laid_out(draft: DeliberationDraft, command: RecordHostWords) -> None:
    """Compare two blind drafts once the Host has said which of their slots are the same thing, or cannot say it."""
    state = draft.state
    if not is_laying_out(state) or command.round != state.current.number:
        return  # too late
    if command.answer is None:
        not_laid_out(draft, command.error, command.at)
        return
    draft.happens(
        HostSpoke(
            **draft.ids,
            round=command.round,
            content=command.answer.content[:LONGEST_OUTPUT],
            pairs=command.answer.pairs,
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
    _compare(draft)


def is_laying_out(state: Deliberation) -> bool:
    """Whether the Host may lay two blind drafts side by side: it has neither done it nor failed."""
    current = state.current
    return is_comparing(state) and is_parallel(state) and not current.is_laid_out and Agent.HOST not in current.skipped


def not_laid_out(draft: DeliberationDraft, error: Error | None, at: Millis) -> None:
    """Compare by equal names only."""
    number = draft.state.current.number
    failed = error or Error(error="agent_failed", agent=Agent.HOST, round=number)
    draft.happens(AgentSkipped(**draft.ids, agent=Agent.HOST, round=number, error=failed, at=at))
    _compare(draft)


def decide(draft: DeliberationDraft, at: Millis) -> None:
    """Let the Host decide what comes next, and do it."""
    decided = host.decide_next(draft.state, at)
    draft.happens(decided)
    has_spoken_already = bool(draft.state.rounds[decided.round - 1].host_words)
    if draft.state.policy.host_speaks and decided.reasons[0] is not Reason.NOT_ARGUED and not has_spoken_already:
        name = host_scope(decided.round)
        draft.owes(Ask(name=name, scope=name, prompt="host", about=str(decided.round)))
    if decided.action in (Action.CONTINUE, Action.FORCE_OPPOSITION):
        ask(draft)
    else:
        closing.begin(draft, decided.reasons[0], at)


def host_spoke(draft: DeliberationDraft, command: RecordHostWords) -> None:
    state = draft.state
    if not state.is_open or command.round > len(state.rounds):
        return
    if state.rounds[command.round - 1].decision is None:
        _laid_out(draft, command)
        return
    if command.answer is None or not command.answer.content or state.rounds[command.round - 1].host_words:
        return
    draft.happens(
        HostSpoke(
            **draft.ids,
            round=command.round,
            content=command.answer.content[:LONGEST_OUTPUT],
            model=command.model,
            prompt_hash=command.prompt_hash,
        )
    )
