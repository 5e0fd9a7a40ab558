"""How much agreement is enough: the numbers of a negotiation, and what a round's tally leads to."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from engine.kernel import Message


class AtLimit(StrEnum):
    """What the last round leads to when neither side has won."""

    FORCE_FINALIZE = "force_finalize"
    MAJORITY_OR_FAIL = "majority_or_fail"


class Policy(Message):
    """Frozen at the start of a negotiation and kept in its first event. Durations are seconds, rates are percent."""

    name: str = "t05-v4"
    max_rounds: int = Field(5, ge=1, le=20)
    finalize_at: int = Field(80, ge=1, le=100)
    """Accepts, in percent of everyone asked, that finalize."""
    fail_below: int = Field(50, ge=0, le=100)
    """Accepts below this fail the negotiation."""
    max_candidates: int = Field(10, ge=1, le=20)
    response_timeout: float = Field(300, gt=0)
    feedback_timeout: float = Field(120, gt=0)
    human_window: float = Field(3600, ge=0)
    """How long a linked person may overrule their twin; 0: nobody is waited for."""
    override_window: float = Field(30, ge=0)
    """How long the requester may vote for unlinked seats, after the last twin answered."""
    silence: Literal["accept", "silent"] = "accept"


PRESETS: dict[str, Policy] = {"t05-v4": Policy()}
