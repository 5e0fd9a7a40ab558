"""The state of a session (seed 001, section 4)."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from engine.deliberation.envelopes.failures import Failure
from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    MOST_ROUNDS,
    OPTIONAL,
    Envelope,
    Fraction,
    Id,
    RoundNumber,
    Text,
    Timestamp,
)
from engine.deliberation.envelopes.outputs import AgentOutput


class AgentState(Envelope):
    status: Literal["idle", "waiting", "completed"]
    last_output: AgentOutput | None


class AgentStates(Envelope):
    planner: AgentState
    critic: AgentState
    host: AgentState
    reporter: AgentState

    @model_validator(mode="after")
    def _have_outputs_of_their_own(self) -> Self:
        for name, agent in self:
            if agent.last_output is not None and agent.last_output.agent_id != name:
                raise ValueError(f"last_output of {name} is one of {agent.last_output.agent_id}")
        return self


class RoundHistory(Envelope):
    round: RoundNumber
    outputs: Annotated[tuple[AgentOutput, ...], Field(max_length=LONGEST_LIST)]

    @model_validator(mode="after")
    def _is_one_round(self) -> Self:
        if others := {each.round for each in self.outputs} - {self.round}:
            raise ValueError(f"round {self.round} has outputs of other rounds: {sorted(others)}")
        return self


class SessionState(Envelope):
    session_id: Id
    user_query: Text
    mode: Literal["multi_agent"]
    status: Literal["in_progress", "converged", "terminated"]
    current_round: RoundNumber
    max_rounds: RoundNumber
    agents: AgentStates
    history: Annotated[tuple[RoundHistory, ...], Field(max_length=MOST_ROUNDS)]
    """Oldest first."""
    consensus_trend: Annotated[tuple[Fraction, ...], Field(max_length=MOST_ROUNDS)]
    """A value for each round that was analysed."""
    created_at: Timestamp
    updated_at: Timestamp
    reason: Annotated[Text, OPTIONAL] = ""
    """Why it ended."""
    errors: Annotated[tuple[Failure, ...], Field(max_length=2 * LONGEST_LIST), OPTIONAL] = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if self.current_round > self.max_rounds:
            raise ValueError(f"current_round {self.current_round} of {self.max_rounds}")
        if len(self.consensus_trend) > self.current_round:
            raise ValueError(f"consensus_trend has {len(self.consensus_trend)} values in round {self.current_round}")
        told = [each.round for each in self.history]
        if told != sorted({*told}) or any(each > self.current_round for each in told):
            raise ValueError(f"history tells of rounds {told} in round {self.current_round}")
        if datetime.fromisoformat(self.updated_at) < datetime.fromisoformat(self.created_at):
            raise ValueError(f"updated_at {self.updated_at} is before created_at {self.created_at}")
        return self
