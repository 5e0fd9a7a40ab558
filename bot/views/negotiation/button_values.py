"""What a button carries: where its click belongs. Routing, not authority: who may vote is decided from the payload."""

from engine.kernel import Validated
from engine.negotiation.voting.kinds import FeedbackType


def vote_action(kind: FeedbackType) -> str:
    """Return the name of the button of a kind of vote, and of the form behind it."""
    return f"vote.{kind}"


ACCEPT = vote_action(FeedbackType.ACCEPT)
NEGOTIATE = vote_action(FeedbackType.NEGOTIATE)
WITHDRAW = vote_action(FeedbackType.WITHDRAW)
VOTE_PREPARED = "vote.prepared"
STOP = "negotiation.stop"
CLOSE = "round.close"
CORRECT = "offer.correct"
EDIT = "demand.edit"
CLARIFY = "demand.clarify"
LOOK_WIDER = "missing.look_wider"
GO_ON = "missing.go_on"
SEND_AGAIN = "missing.send_again"
CORE = "core.choose"
CHANGE = "plan.change"
DELEGATE = "seat.delegate"
HAND_BACK = "seat.hand_back"
WHY = "seat.why"
WHY_PLAN = "plan.why"
COMPARE = "plan.compare"
PROCEED = "plan.proceed"
GIVE_UP = "seat.give_up"
UNDO = "decision.undo"
DONE = "check_in.done"
LATE = "check_in.late"
ASK_HELPER = "help.ask"
DECLINE_HELPER = "help.decline"
REOPEN = "demand.reopen"
EXPORT = "outcome.export"
NOT_MEANT = "wish.not_meant"
OFFER_HELP = "help.offer"


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


class CheckInButton(Validated):
    """The value of a button that says how something stands that is due."""

    stream: str
    key: str

    def value(self) -> str:
        return self.model_dump_json()


class VersionsButton(Validated):
    """The value of a button that puts a version of the plan beside the one before."""

    stream: str
    version: int

    def value(self) -> str:
        return self.model_dump_json()


def read_versions_button(value: str) -> VersionsButton:
    """
    Raises:
        ValueError: not a button of ours.
    """
    return VersionsButton.model_validate_json(value)
