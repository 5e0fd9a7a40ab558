"""What the Reporter hands over (seed 001, section 2.5)."""

from typing import Annotated

from pydantic import Field

from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    OPTIONAL,
    Count,
    Envelope,
    Ids,
    Level,
    Number,
    RoundNumber,
    Text,
    Texts,
)
from engine.deliberation.envelopes.host import Agents
from engine.deliberation.envelopes.plan import Schedule


class FinalPlan(Envelope):
    title: Text
    goal: Text
    consensus_level: Level
    participating_agents: Agents
    rounds: RoundNumber
    plan: Schedule


class RejectedOption(Envelope):
    option: Text
    reason: Text


class Cost(Envelope):
    model_calls: Count
    input_tokens: Count
    output_tokens: Count
    cost_usd: Number


class DecisionSummary(Envelope):
    decided: Text
    decided_by: Ids
    arguments: Texts
    """What it rests on."""
    rejected: Annotated[tuple[RejectedOption, ...], Field(max_length=LONGEST_LIST)]
    assumptions: Texts
    dissent: Texts
    cost: Annotated[Cost | None, OPTIONAL] = None
    """Left out where nothing was counted."""


class ReportSummary(Envelope):
    key_agreements: Texts
    resolved_concerns: Texts
    remaining_uncertainties: Texts
    open_disagreements: Annotated[Texts, OPTIONAL] = ()
    """With what would settle each."""
    dissent: Annotated[Texts, OPTIONAL] = ()
    todo: Annotated[Texts, OPTIONAL] = ()
    decision_record: Annotated[DecisionSummary | None, OPTIONAL] = None
