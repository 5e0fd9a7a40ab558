"""What a button carries: where its click belongs. Routing, not authority: who may vote is decided from the payload."""

from engine.kernel import Validated

ACCEPT = "vote.accept"
NEGOTIATE = "vote.negotiate"
WITHDRAW = "vote.withdraw"
STOP = "negotiation.stop"
CLOSE = "round.close"
CORRECT = "offer.correct"
EDIT = "demand.edit"
CLARIFY = "demand.clarify"
CORE = "core.choose"
DELEGATE = "seat.delegate"
WHY = "seat.why"
PROCEED = "plan.proceed"
REOPEN = "demand.reopen"
EXPORT = "outcome.export"
SHOW_ALL = "post.show_all"
PREVIOUS = "page.previous"
NEXT = "page.next"


class VoteButton(Validated):
    """The value of a button that belongs to a round."""

    stream: str
    round: int
    digest: str
    """Of the proposal that the button was shown with."""
    agent_id: str = ""
    """The seat, where the message is about one alone."""

    def value(self) -> str:
        return self.model_dump_json(exclude_defaults=True)


def read_vote_button(value: str) -> VoteButton:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return VoteButton.model_validate_json(value)


class StreamButton(Validated):
    """The value of a negotiation's other buttons."""

    stream: str

    def value(self) -> str:
        return self.model_dump_json()


def read_stream_button(value: str) -> StreamButton:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return StreamButton.model_validate_json(value)


class SeatButton(Validated):
    """The value of a button that is about one person's part in a negotiation."""

    stream: str
    agent_id: str = ""
    """Empty where the button is for everybody."""

    def value(self) -> str:
        return self.model_dump_json(exclude_defaults=True)


def read_seat_button(value: str) -> SeatButton:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return SeatButton.model_validate_json(value)


class Page(Validated):
    """The value of a button that shows a post in full."""

    stream: str
    post: str
    """The post's key."""
    number: int = 1
    """From 1."""

    def value(self) -> str:
        return self.model_dump_json()


def read_page(value: str) -> Page:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return Page.model_validate_json(value)
