"""Critiques (seed 001, section 2.3)."""

from typing import Annotated

from pydantic import Field

from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    OPTIONAL,
    AgentId,
    Envelope,
    Id,
    Level,
    RoundNumber,
    Text,
    Truth,
)
from engine.deliberation.envelopes.position import Answers, Flaws, Moves


class Risk(Envelope):
    risk: Text
    severity: Level
    impact: Text
    argument_id: Annotated[Id, OPTIONAL] = ""
    """By which a move names it."""


class Suggestion(Envelope):
    issue: Text
    solution: Text
    priority: Level
    argument_id: Annotated[Id, OPTIONAL] = ""
    """By which a move names it."""


class ValidityCheck(Envelope):
    feasible: Truth
    realistic: Truth
    complete: Truth


class Critique(Envelope):
    target_agent: AgentId
    target_round: RoundNumber
    risks: Annotated[tuple[Risk, ...], Field(max_length=LONGEST_LIST)]
    suggestions: Annotated[tuple[Suggestion, ...], Field(max_length=LONGEST_LIST)]
    validity_check: ValidityCheck
    moves: Annotated[Moves, OPTIONAL] = ()
    answers: Annotated[Answers, OPTIONAL] = ()
    flaws: Annotated[Flaws, OPTIONAL] = ()
