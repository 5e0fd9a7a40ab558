"""What a button carries: where its click belongs. Routing, not authority: who may vote is decided from the payload.

The buttons of actions are drawn from their rows.
"""

from collections.abc import Mapping
from typing import Any, Final

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.button_values import ActionButton, ButtonValue
from engine.facts.circumstances import When
from engine.negotiation.actions import ACTIONS, BY_NAME
from engine.negotiation.state import Negotiation
from engine.negotiation.voting.kinds import FeedbackType

PRIMARY: Final[Mapping[str, Any]] = {"style": "primary"}
_OFFERED: Final = tuple(each for each in ACTIONS if each.is_offered is not None)


def action_button(
    name: str, stream: str, texts: Texts, *, label: str = "", look: Mapping[str, Any] = {}, **about: Any
) -> Block:
    """Draw the button of an action from its row.

    Args:
        label: where it is called otherwise than the row says.
        look: its style, and the question that it asks first.
        about: what it carries, besides the stream.
    """
    value = ActionButton(stream=stream, **about).value()
    return blocks.button(label or texts.own(BY_NAME[name].label), name, value, **look)


def offered_buttons(state: Negotiation, texts: Texts) -> list[Block]:
    """Draw what whoever asked can do now, by the rows that say so themselves."""
    carried: dict[str, Any] = {"agent_id": "", "round": 0, "digest": ""}
    if state.current is not None:
        carried |= {"round": state.current.number, "digest": state.current.digest}
    return [
        action_button(each.name, state.channel_id, texts, **{name: carried[name] for name in each.about})
        for each in _OFFERED
        if each.is_offered is not None and each.is_offered(state)
    ]


def vote_action(kind: FeedbackType) -> str:
    """Return the name of the button of a kind of vote, and of the form behind it."""
    return f"vote.{kind}"


ACCEPT = vote_action(FeedbackType.ACCEPT)
NEGOTIATE = vote_action(FeedbackType.NEGOTIATE)
WITHDRAW = vote_action(FeedbackType.WITHDRAW)
VOTE_PREPARED = "vote.prepared"
STOP = "negotiation.stop"
CLOSE = "round.close"
EXTEND = "round.extend"
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
FIND_TIME = "time.find"
KEEP_TIME = "time.keep"
AGREE_TO_TIME = "time.agree"
REFUSE_TIMES = "time.refuse"
ASK_HELPER = "help.ask"
DECLINE_HELPER = "help.decline"
REOPEN = "demand.reopen"
EXPORT = "outcome.export"
SHARE = "outcome.share"
CANNOT = "seat.cannot"
OTHER_TIMES = "plan.times"
TAKE_TIME = "time.take"
NOT_MEANT = "wish.not_meant"
OFFER_HELP = "help.offer"


class VoteButton(ButtonValue):
    """The value of a button that belongs to a round."""

    stream: str
    round: int
    digest: str
    """Of the proposal that the button was shown with."""
    agent_id: str = ""
    """The seat, where the message is about one alone."""

    def value(self) -> str:
        return self.model_dump_json(exclude_defaults=True)


class CannotButton(VoteButton):
    """The value of a button with which somebody says that they cannot then."""

    first: str = ""
    """ISO: the days of their part; empty where these are open."""
    last: str = ""

    @classmethod
    def on(cls, when: When, about: VoteButton) -> "CannotButton":
        """Make it for a part at this time. Before there is a plan, the round is 0."""
        days = (when.first, when.last) if when.exact == "day" else ("", "")
        return cls(**about.model_dump(), first=days[0], last=days[1])


def cannot_button(button: CannotButton, texts: Texts) -> Block:
    """Asks on which days somebody cannot, and for nothing else."""
    return blocks.button(texts.say("I cannot then…"), CANNOT, button.value())


class SeatButton(ButtonValue):
    """The value of a button that is about one person's part in a negotiation."""

    stream: str
    agent_id: str = ""
    """Empty where the button is for everybody."""

    def value(self) -> str:
        return self.model_dump_json(exclude_defaults=True)


class VersionsButton(ButtonValue):
    """The value of a button that puts a version of the plan beside the one before."""

    stream: str
    version: int
