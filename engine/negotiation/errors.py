"""What a negotiation refuses, besides the general refusals of `engine.errors`.

Refusal
├── InvalidInput
│   ├── InvalidDemand       E001  400  empty, too long, no words in it
│   ├── InvalidVote         E001  400  a vote that asks for a change without saying which
│   ├── InvalidOffer        E001  400  a correction that takes part without saying with what, or too long
│   └── NotAColleague
│       └── InvalidDelegate E001  400  somebody who cannot decide for another: an outsider, or the person themselves
├── IllegalStep
│   ├── ProposalOut         E010  409  the demand is to be said otherwise after people were asked about a plan
│   └── StaleVote           E010  409  a button of another round or version
└── UnknownDemand           E002  404
"""

from engine.errors import IllegalStep, InvalidInput, NotAColleague, Refusal


class InvalidDemand(InvalidInput):
    pass


class InvalidVote(InvalidInput):
    pass


class InvalidOffer(InvalidInput):
    """A person's own answer to a demand that lacks the words it needs, or has too many."""


class InvalidDelegate(NotAColleague):
    pass


class StaleVote(IllegalStep):
    """A button of a finished round or an older version of the proposal.

    Args:
        is_open: whether its round is open, and only the plan is another.
    """

    def __init__(self, message: str, *, is_open: bool = False) -> None:
        super().__init__(message)
        self.is_open = is_open


class ProposalOut(IllegalStep):
    """The demand is to be said otherwise, and people are asked about a plan for it already."""


class UnknownDemand(Refusal):
    code = "E002"
    http_status = 404


REFUSALS: tuple[type[Refusal], ...] = (
    InvalidDemand, InvalidVote, InvalidOffer, InvalidDelegate, StaleVote, ProposalOut, UnknownDemand
)  # fmt: skip
