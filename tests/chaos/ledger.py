"""What people did and what they were told: the model against which the product is held in the end."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple


class Ballot(NamedTuple):
    """What one person voted on."""

    stream: str
    round: int
    user: str


@dataclass(slots=True)
class Ledger:
    acknowledged: Counter[Ballot] = field(default_factory=Counter)
    """Votes that somebody was told we have: each must be on record, counted or refused."""
    unsure: Counter[Ballot] = field(default_factory=Counter)
    """Votes that were not acknowledged, or of which it does not show whether a form was to follow: each may be on
    record."""
    demands: list[tuple[str, str]] = field(default_factory=list)
    """Channel and ts of each message with a demand: each must have become a negotiation."""
    commands: list[tuple[str, str]] = field(default_factory=list)
    """User and text of each demand behind the slash command that was acknowledged without a word: each must have become
    a negotiation."""
    clicks: Counter[str] = field(default_factory=Counter)
    """By action."""

    def voted(self, ballot: Ballot, *, is_certain: bool) -> None:
        (self.acknowledged if is_certain else self.unsure)[ballot] += 1
