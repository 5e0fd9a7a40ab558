"""What the Host has decided and instructs (seed 001, sections 2.4 and 5)."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.deliberation.envelopes.fields import Debater
from engine.deliberation.envelopes.host import (
    Constraints,
    ContinueInstruction,
    ContinueOrders,
    ConvergeInstruction,
    ConvergeOrders,
    HostAnalysis,
    HostDecision,
    HostInstruction,
    OppositionInstruction,
    OppositionOrders,
    UpdateInstruction,
)
from engine.deliberation.envelopes.outputs import HostMetadata, HostOutput
from engine.deliberation.events import HostDecided
from engine.deliberation.outcome import outcome_of
from engine.deliberation.session_json import bounds
from engine.deliberation.state import Deliberation, Round
from engine.deliberation.terms import DEBATERS, Action, Agent, Reason
from engine.deliberation.wording import REASONS, language
from engine.facts.language import Language
from engine.kernel import iso

LIST_DOUBTS: Final[Mapping[Language, str]] = {
    "en": "List the remaining uncertainties and the worst case.",
    "zh": "列出剩余不确定性和最坏情况",
}
OPPOSE: Final[Mapping[Language, str]] = {
    "en": "Argue from the opposite side only, and do not repeat earlier points.",
    "zh": "仅从反方角度论证，不引用之前观点",
}
STUBBORN: Final[Mapping[Language, str]] = {
    "en": "self_similarity > {limit:g} in 2 rounds running",
    "zh": "连续2轮self_similarity > {limit:g}",
}
MOVE: Final[Mapping[Language, str]] = {
    "en": "Do at least one of these: change a key assumption, lower the confidence, point out a flaw in the other's "
    "logic.",
    "zh": "必须完成以下至少一项：修改关键假设、降低置信度、指出对方逻辑漏洞",
}


def host_output(state: Deliberation, of: Round) -> HostOutput | None:
    """The Host's decision after a round, and, where the session ended in the middle of it, that; else None."""
    if of.decision is not None:
        return _output(state, of, decision_of(state, of.decision), of.decision.at)
    closing = state.closing
    if closing is None or state.is_argued or of.number != len(state.rounds):
        return None
    decision = HostDecision(
        action=Action.CONVERGE if outcome_of(state) == "agreed" else Action.TERMINATE,
        reason=reasons_in_words(state, (closing.reason,)),
        next_agents=(Agent.REPORTER,),
        constraints=Constraints(must_address=(), avoid=()),
    )
    return _output(state, of, decision, closing.at)


def _output(state: Deliberation, of: Round, decision: HostDecision, at: int) -> HostOutput:
    return HostOutput(
        agent_id=Agent.HOST,
        round=bounds.round_number(of.number),
        output_type="control",
        content=bounds.text(of.host_words) or decision.reason,
        metadata=HostMetadata(decision=decision, analysis=_analysis(of)),
        timestamp=iso(at),
    )


def decision_of(state: Deliberation, decided: HostDecided) -> HostDecision:
    return HostDecision(
        action=decided.action,
        reason=reasons_in_words(state, decided.reasons),
        next_agents=decided.next_agents[: len(Agent)],
        constraints=Constraints(
            must_address=bounds.texts(decided.must_address),
            avoid=bounds.texts(decided.avoid),
        ),
    )


def reasons_in_words(state: Deliberation, reasons: tuple[Reason, ...]) -> str:
    spoken = language(state)
    said = [REASONS[each][spoken] for each in reasons]
    return "".join(said) if spoken == "zh" else " ".join(said)


def _analysis(of: Round) -> HostAnalysis | None:
    """How alike both are. The matrix is of the Planner's and the Critic's latest positions."""
    found = of.analysis
    if found is None:
        return None
    level = bounds.fraction(found.consensus_level)
    is_of_two = len(found.matrix) == len(DEBATERS) and len(found.matrix[0]) == len(DEBATERS)
    alike = bounds.fraction(found.matrix[0][1]) if is_of_two else level
    return HostAnalysis(
        consensus_level=level,
        similarity_matrix=((1.0, alike), (alike, 1.0)),
        most_different_pair=(0, 1),
        stubborn_agents=of.decision.stubborn if of.decision else (),
    )


# ── instructions ──────────────────────────────────────────────────────────────────────────────────────────────────


def instructions(state: Deliberation) -> tuple[HostInstruction, ...]:
    """What follows from the Host's latest decision for whoever speaks next; nothing where none has been made."""
    decided = next((each.decision for each in reversed(state.rounds) if each.decision), None)
    return tuple(instructions_of(state, decided)) if decided else ()


def instructions_of(state: Deliberation, decided: HostDecided) -> Iterator[HostInstruction]:
    spoken = language(state)
    match decided.action:
        case Action.CONVERGE:
            orders = ConvergeOrders(to_all_agents=LIST_DOUBTS[spoken], next_step="reporter_summary")
            yield ConvergeInstruction(action="converge", instructions=orders)
        case Action.CONTINUE:
            left = max(1, state.most_rounds - decided.round)
            focus = bounds.texts(decided.must_address)
            yield ContinueInstruction(
                action="continue",
                instructions=ContinueOrders(to_agents=decided.next_agents, focus_on=focus, rounds_remaining=left),
            )
        case Action.FORCE_OPPOSITION:
            # The plan is the Planner's, and whoever opposes it argues against that.
            target: Debater = Agent.CRITIC if decided.opposes is Agent.PLANNER else Agent.PLANNER
            against = OppositionOrders(role="devils_advocate", requirement=OPPOSE[spoken], target=target)
            yield OppositionInstruction(action="force_opposition", instructions=against)
        case Action.TERMINATE:
            pass
    yield from (_update(state, each, spoken) for each in decided.stubborn)


def _update(state: Deliberation, agent: Agent, spoken: Language) -> UpdateInstruction:
    return UpdateInstruction(
        action="update_command",
        target_agent=Agent.PLANNER if agent is Agent.PLANNER else Agent.CRITIC,
        reason=STUBBORN[spoken].format(limit=state.policy.stubborn_above),
        requirement=MOVE[spoken],
    )
