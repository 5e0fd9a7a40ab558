"""What the Host decides and instructs (seed 001, sections 2.4 and 5)."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from engine.deliberation.envelopes.fields import (
    MOST_ROUNDS,
    AgentId,
    Debater,
    Envelope,
    Fraction,
    HostAction,
    Pair,
    SimilarityMatrix,
    Text,
    Texts,
    check_most_different,
)

Agents = Annotated[tuple[AgentId, ...], Field(max_length=4)]


class Constraints(Envelope):
    must_address: Texts
    avoid: Texts


class HostDecision(Envelope):
    action: HostAction
    reason: Text
    next_agents: Agents
    """Who speaks in the next round."""
    constraints: Constraints


class HostAnalysis(Envelope):
    consensus_level: Fraction
    """How alike the debaters' latest positions are; more than their texts count, so it is not the matrix's mean."""
    similarity_matrix: SimilarityMatrix
    most_different_pair: Pair
    stubborn_agents: Agents

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        check_most_different(self.similarity_matrix, self.most_different_pair)
        return self


# ── instructions ──────────────────────────────────────────────────────────────────────────────────────────────────


class ConvergeOrders(Envelope):
    to_all_agents: Text
    next_step: Literal["reporter_summary"]


class ContinueOrders(Envelope):
    to_agents: Agents
    focus_on: Texts
    rounds_remaining: Annotated[int, Field(strict=True, ge=1, le=MOST_ROUNDS - 1)]


class OppositionOrders(Envelope):
    role: Literal["devils_advocate"]
    requirement: Text
    target: Debater


class ConvergeInstruction(Envelope):
    action: Literal["converge"]
    instructions: ConvergeOrders


class ContinueInstruction(Envelope):
    action: Literal["continue"]
    instructions: ContinueOrders


class OppositionInstruction(Envelope):
    action: Literal["force_opposition"]
    instructions: OppositionOrders


class UpdateInstruction(Envelope):
    """To an agent that does not move."""

    action: Literal["update_command"]
    target_agent: Debater
    reason: Text
    requirement: Text


HostInstruction = Annotated[
    ConvergeInstruction | ContinueInstruction | OppositionInstruction | UpdateInstruction,
    Field(discriminator="action"),
]
