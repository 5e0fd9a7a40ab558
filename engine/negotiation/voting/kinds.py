"""The kinds of vote, and what each of them means: one row a kind. Whoever wants to know asks the row, not the kind."""

from enum import StrEnum
from typing import Self

from msgspec import Struct


class Sum(StrEnum):
    """The sum of a `Tally` that a vote adds to, by its name there."""

    FOR = "accepts"
    CHANGE = "negotiates"
    AGAINST = "rejects"
    ASIDE = "abstains"
    """Present, and neither for nor against: out of the rates."""


class KindOfVote(Struct, frozen=True, gc=False):
    counts: Sum
    agrees: bool = False
    """Whether it is consent: it confirms its seat, covers the needs of it, and is what a core seat has to give."""
    asks: bool = False
    """Whether its words ask for a change of the plan, which the next version answers."""
    leaves: bool = False
    """Whether its seat is vacant after the round, and nobody asks them again."""
    lets_go: bool = False
    """Whether it lets go of what the same seat has asked for before."""
    needs_words: bool = True
    """Whether a person has to say why, or what should change."""
    by_twin: bool = True
    """Whether a twin may cast it, and not only a person."""
    is_offered: bool = True
    """Whether people see a button for it; else it is heard where it comes another way."""
    presets: frozenset[str] = frozenset()
    """The names of the policies under which it is taken; empty for all."""

    def is_taken_under(self, policy: str) -> bool:
        return not self.presets or policy in self.presets

    def is_offered_under(self, policy: str) -> bool:
        return self.is_offered and self.is_taken_under(policy)

    @property
    def objects(self) -> bool:
        """Whether something would have to change for it to be consent."""
        return self.counts in (Sum.CHANGE, Sum.AGAINST)


class FeedbackType(StrEnum):
    # The table, in the order of the buttons. A docstring would be a description in the public schemas.

    kind: KindOfVote

    ACCEPT = "accept", KindOfVote(Sum.FOR, agrees=True, lets_go=True, needs_words=False)
    NEGOTIATE = "negotiate", KindOfVote(Sum.CHANGE, asks=True, lets_go=True)
    ABSTAIN = "abstain", KindOfVote(Sum.ASIDE, needs_words=False, by_twin=False, presets=frozenset({"balanced"}))
    REJECT = "reject", KindOfVote(Sum.AGAINST, is_offered=False)
    WITHDRAW = "withdraw", KindOfVote(Sum.AGAINST, leaves=True, lets_go=True)

    def __new__(cls, value: str, kind: KindOfVote | None = None) -> Self:
        """``kind`` is left out only where a member is looked up by its value."""
        if kind is None:
            raise TypeError(f"{value} has no row that says what it means")
        member = str.__new__(cls, value)
        member._value_ = value
        member.kind = kind
        return member
