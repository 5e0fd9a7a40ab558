"""What each agent has said (seed 001, section 2)."""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.deliberation.envelopes.critique import Critique, Risk, Suggestion, ValidityCheck
from engine.deliberation.envelopes.fields import LONGEST_LIST
from engine.deliberation.envelopes.outputs import (
    AgentOutput,
    CriticMetadata,
    CriticOutput,
    PlannerMetadata,
    PlannerOutput,
    PositionMetadata,
    PositionOutput,
)
from engine.deliberation.session_json import bounds
from engine.deliberation.session_json.plan import answers_of, flaws_of, moves_of, plan_of, position_of
from engine.deliberation.state import Deliberation, Output, Round
from engine.deliberation.terms import DEBATERS, Agent
from engine.deliberation.wording import language
from engine.facts.language import Language
from engine.kernel import iso

AT_WORST: Final[Mapping[Language, str]] = {"en": "At worst: {worst}", "zh": "最坏情况：{worst}"}


def debaters_outputs(state: Deliberation, of: Round) -> Iterator[AgentOutput]:
    """What the Planner and the Critic said in a round."""
    for agent in DEBATERS:
        if agent in of.outputs:
            yield debater_output(state, of.outputs[agent])


def debater_output(state: Deliberation, said: Output) -> PlannerOutput | CriticOutput | PositionOutput:
    """A plan, a critique, or, where it has neither, a position by itself."""
    position = position_of(state, said)
    number, content, timestamp = bounds.round_number(said.round), bounds.text(said.content), iso(said.at)
    if said.agent is Agent.PLANNER and said.plan is not None:
        return PlannerOutput(
            agent_id=Agent.PLANNER,
            round=number,
            output_type="plan",
            content=content,
            metadata=PlannerMetadata(
                position=position,
                plan=plan_of(said.plan),
                moves=moves_of(said),
                answers=answers_of(said),
                flaws=flaws_of(said),
            ),
            timestamp=timestamp,
        )
    if said.agent is Agent.CRITIC and said.critique is not None:
        return CriticOutput(
            agent_id=Agent.CRITIC,
            round=number,
            output_type="critique",
            content=content,
            metadata=CriticMetadata(
                position=position,
                critique=_critique(state, said),
                plan=plan_of(said.plan) if said.plan else None,
            ),
            timestamp=timestamp,
        )
    return PositionOutput(
        agent_id=Agent.PLANNER if said.agent is Agent.PLANNER else Agent.CRITIC,
        round=number,
        output_type="position",
        content=content,
        metadata=PositionMetadata(position=position),
        timestamp=timestamp,
    )


def _critique(state: Deliberation, said: Output) -> Critique:
    assert said.critique is not None  # noqa: S101 - whoever calls has looked
    heard = (each.number for each in reversed(state.rounds[: said.round]) if Agent.PLANNER in each.outputs)
    check = said.critique.validity_check
    risks, suggestions = said.critique.risks[:LONGEST_LIST], said.critique.suggestions[:LONGEST_LIST]
    return Critique(
        target_agent=Agent.PLANNER,
        target_round=bounds.round_number(next(heard, said.round)),
        risks=tuple(
            Risk(
                risk=bounds.text(each.risk),
                severity=each.severity,
                impact=bounds.text(each.impact),
                argument_id=_at(said.risk_ids, place),
            )
            for place, each in enumerate(risks)
        ),
        suggestions=tuple(
            Suggestion(
                issue=bounds.text(each.issue),
                solution=bounds.text(each.solution),
                priority=each.priority,
                argument_id=_at(said.suggestion_ids, place),
            )
            for place, each in enumerate(suggestions)
        ),
        validity_check=ValidityCheck(feasible=check.feasible, realistic=check.realistic, complete=check.complete),
        moves=moves_of(said),
        answers=answers_of(said),
        flaws=flaws_of(said),
    )


def _at(listed: tuple[str, ...], place: int) -> str:
    return bounds.an_id(listed[place]) if place < len(listed) else ""


# ── before the report ─────────────────────────────────────────────────────────────────────────────────────────────


def closing_outputs(state: Deliberation) -> Iterator[PositionOutput]:
    """What each agent still does not know, and the worst that can happen: its last position, once more with both."""
    if state.closing is None or state.is_argued:
        return
    for agent in DEBATERS:
        stated, last = state.closing.stated.get(agent), state.last_output(agent)
        if stated is None or last is None:
            continue
        uncertainties, worst = stated
        position = position_of(state, last).model_copy(
            update={"uncertainties": bounds.texts(uncertainties), "worst_case": bounds.text(worst)}
        )
        yield PositionOutput(
            agent_id=Agent.PLANNER if agent is Agent.PLANNER else Agent.CRITIC,
            round=bounds.round_number(len(state.rounds)),
            output_type="position",
            content=stated_in_words(state, uncertainties, worst),
            metadata=PositionMetadata(position=position),
            timestamp=iso(state.closing.at),
        )


def stated_in_words(state: Deliberation, uncertainties: tuple[str, ...], worst: str) -> str:
    lines = [f"- {each}" for each in uncertainties if each]
    if worst:
        lines.append(f"- {AT_WORST[language(state)].format(worst=worst)}")
    return bounds.text("\n".join(lines))
