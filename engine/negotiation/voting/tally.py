"""How many have said what in a round: the one place where votes are counted."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Protocol, Self

from msgspec import Struct
from msgspec.structs import replace

from engine.negotiation.terms import Source
from engine.negotiation.voting.kinds import FeedbackType, Sum


class Vote(Protocol):
    @property
    def feedback_type(self) -> FeedbackType: ...
    @property
    def source(self) -> Source: ...


class Tally(Struct, frozen=True, gc=False):
    """The effective votes of everyone a version was sent to. Counts, no rates: rates are compared as integers."""

    accepts: int = 0
    """Explicit and assumed."""
    negotiates: int = 0
    rejects: int = 0
    """Reject and withdraw."""
    withdraws: int = 0
    abstains: int = 0
    """Neither for nor against: in no rate, and in no total."""
    silent: int = 0
    gone: int = 0
    """Of the silent: whose account was closed."""
    explicit: int = 0
    """Votes for or against that a person or a twin gave."""
    assumed: int = 0
    """Accepts that are nobody's: of whoever was asked and let the time pass."""

    @classmethod
    def of(cls, votes: Iterable[Vote | None], gone: int = 0) -> Self:
        """Count what every seat says; None is a seat without a vote, and the account of so many of these is closed."""
        seats = [*votes]
        given = [each for each in seats if each is not None]
        sums = Counter(each.feedback_type.kind.counts.value for each in given)
        return cls(
            **sums,
            withdraws=sum(each.feedback_type.kind.leaves for each in given),
            silent=len(seats) - len(given),
            gone=gone,
            assumed=sum(each.source is Source.ASSUMED for each in given),
            explicit=sum(
                each.source is not Source.ASSUMED and each.feedback_type.kind.counts is not Sum.ASIDE for each in given
            ),
        )

    @property
    def total(self) -> int:
        return self.accepts + self.negotiates + self.rejects + self.silent

    @property
    def leaving(self) -> int:
        """Whose seats are free once the round is over."""
        return self.withdraws + self.gone

    @property
    def of_those_who_stay(self) -> "Tally":
        return replace(
            self,
            rejects=self.rejects - self.withdraws,
            withdraws=0,
            silent=self.silent - self.gone,
            gone=0,
            explicit=self.explicit - self.withdraws,
        )

    @property
    def accept_rate(self) -> float:
        """For display."""
        return self.accepts / self.total if self.total else 0.0


SUMS: Final = ("accepts", "negotiates", "rejects", "withdraws", "abstains", "silent")


class Counted(Protocol):
    """A `Tally`, or the record of one."""

    @property
    def accepts(self) -> int: ...
    @property
    def abstains(self) -> int: ...
    @property
    def silent(self) -> int: ...
    @property
    def total(self) -> int: ...


def sums_of(votes: Counted | None) -> dict[str, int]:
    """Return each sum by its name; all of them 0 where nothing was counted."""
    return {name: 0 if votes is None else getattr(votes, name) for name in SUMS}


def is_silent(votes: Tally) -> bool:
    """Whether nobody has said anything, or too few have: the same version is sent once more then."""
    return not votes.explicit or lacks_quorum(votes)


def lacks_quorum(votes: Counted) -> bool:
    """Whether more than half of the seats are silent. Whoever abstains is present."""
    return 2 * votes.silent > votes.total + votes.abstains
