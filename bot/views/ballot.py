"""What a button carries: where its click belongs. Routing, not authority: who may vote is decided from the payload."""

from engine.kernel import Message

ACCEPT = "vote.accept"
NEGOTIATE = "vote.negotiate"
WITHDRAW = "vote.withdraw"
STOP = "negotiation.stop"
CLOSE = "round.close"


class Ballot(Message):
    """The value of a button that belongs to a round."""

    stream: str
    round: int
    digest: str
    """Of the proposal that the button was shown with."""

    def value(self) -> str:
        return self.model_dump_json()


def read_ballot(value: str) -> Ballot:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return Ballot.model_validate_json(value)


class Handle(Message):
    """The value of a negotiation's other buttons."""

    stream: str

    def value(self) -> str:
        return self.model_dump_json()


def read_handle(value: str) -> Handle:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return Handle.model_validate_json(value)
