"""How much agreement is enough: the numbers of a negotiation, and what a round's tally leads to."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from engine.kernel import Message


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


class Tally(Message):
    """The effective votes of everyone a version was sent to. Counts, no rates: rates are compared as integers."""

    accepts: int = 0
    """Explicit and assumed."""
    negotiates: int = 0
    rejects: int = 0
    """Reject and withdraw."""
    withdraws: int = 0
    silent: int = 0
    explicit: int = 0
    """Votes that somebody, person or twin, really gave."""

    @property
    def total(self) -> int:
        return self.accepts + self.negotiates + self.rejects + self.silent

    @property
    def accept_rate(self) -> float:
        """For display."""
        return self.accepts / self.total if self.total else 0.0


class Step(StrEnum):
    """What a closed round leads to."""

    FINALIZE = "finalize"
    ADJUST = "adjust"
    RESEND = "resend"
    """The same version once more: too few answered to learn anything from."""
    FORCE_FINALIZE = "force_finalize"
    FAIL_NO_FEEDBACK = "no_feedback"
    FAIL_LOW_ACCEPTANCE = "low_acceptance"


def evaluate(policy: Policy, tally: Tally, number: int) -> Step:
    """NEGOTIATION, "Evaluation order", for round ``number``: the first line that applies decides."""
    last = number >= policy.max_rounds
    if tally.explicit == 0 or 2 * tally.silent > tally.total:
        return Step.FAIL_NO_FEEDBACK if last else Step.RESEND
    if 100 * tally.accepts >= policy.finalize_at * tally.total:
        return Step.FINALIZE
    if 100 * tally.accepts < policy.fail_below * tally.total:
        return Step.FAIL_LOW_ACCEPTANCE
    if last:
        return Step.FORCE_FINALIZE
    return Step.ADJUST
