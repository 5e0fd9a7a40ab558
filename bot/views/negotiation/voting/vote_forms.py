"""Builds the forms behind a round's buttons, and reads them.

A form remembers the round and the proposal for which it was opened. When it is sent, the rules check again whether that
round is open and whether the person may vote in that seat.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from slack_sdk.models.blocks import Block

from bot.texts import Texts
from bot.views.directory.telling_form import told_field
from bot.views.kit.fields import (
    Values,
    choice_field,
    entered_text,
    picked_option,
    text_block,
    text_field,
)
from bot.views.kit.modals import form, read_metadata
from bot.views.negotiation.button_values import VoteButton, vote_action
from bot.views.negotiation.voting.votes import BUTTONS, wish_of
from bot.views.negotiation.voting.wish_fields import ALL, wish_fields
from engine.kernel import Validated
from engine.negotiation.events import PreparedVote
from engine.negotiation.state import Seat
from engine.negotiation.voting.kinds import FeedbackType

WHY, SEAT = "why", "seat"
"""Names of fields: where the errors of a refused form belong."""


class OpenedVoteForm(Validated):
    """What a form remembers of where it was opened, as its private_metadata."""

    stream: str
    round: int
    digest: str
    channel: str
    thread: str = ""
    """The thread of the message whose button was clicked; empty outside of threads."""
    ts: str
    """The timestamp of the message whose button was clicked."""
    vote: FeedbackType
    agent_id: str | None = None
    """The seat; None where the form asks for it."""


@dataclass(frozen=True, slots=True)
class VoteForm:
    """A form as it was sent."""

    vote_button: VoteButton
    channel: str
    thread: str
    ts: str
    vote: FeedbackType
    agent_id: str | None
    """None where no seat was chosen."""
    why: str = ""


def vote_form(
    opened: OpenedVoteForm,
    seats: Sequence[Seat],
    texts: Texts,
    *,
    may_tell: bool = False,
    prepared: PreparedVote | None = None,
) -> dict[str, Any]:
    """The form of a kind of vote. One that asks nothing else asks for the seat.

    Args:
        seats: those to choose from; none where the seat is known.
        may_tell: whether it is their own twin that they overrule, which they may tell something for good.
        prepared: what the twin has prepared; the form begins with its words where it is this kind of vote.
    """
    said = prepared if prepared is not None and prepared.feedback_type is opened.vote else None
    button = BUTTONS[opened.vote]
    asked = [_choice(seats, texts)] if not button.form or (opened.agent_id is None and seats) else []
    told = [told_field(texts)] if may_tell else []
    heading = (button.heading or button.label)(texts)
    fields = [*asked, *_FIELDS[button.form](texts, said), *told]
    return form(vote_action(opened.vote), heading, texts.say("Send"), fields, texts, metadata=opened.model_dump_json())


def _change_and_why(texts: Texts, said: PreparedVote | None) -> list[Block]:
    return [
        *wish_fields(texts, ALL, wish_of(said, texts) if said else ""),
        text_field(
            WHY,
            texts.say("Why?"),
            "",
            optional=True,
            initial=said.reasoning if said else "",
        ),
    ]


def _why(texts: Texts, said: PreparedVote | None) -> list[Block]:
    return [
        text_block(texts.say("That is a fair answer. Once the round ends, you will not be asked again.")),
        text_field(
            WHY,
            texts.say("Why?"),
            texts.say("One sentence is enough; everyone in the thread can read it"),
            initial=said.reasoning if said else "",
        ),
    ]


_FIELDS: Final[Mapping[str, Callable[[Texts, PreparedVote | None], list[Block]]]] = {
    "": lambda _texts, _said: [],
    "why": _why,
    "change": _change_and_why,
}
"""What the form of a kind of vote asks besides the seat, by the name that its row has for it."""


def read_vote(view: Mapping[str, Any]) -> VoteForm:
    """The vote in a form that was sent. Blanks are read as empty.

    Raises:
        ValueError: not a form of ours.
    """
    opened = read_opened(view)
    values: Values = view["state"]["values"]
    return VoteForm(
        vote_button=VoteButton(stream=opened.stream, round=opened.round, digest=opened.digest),
        channel=opened.channel,
        thread=opened.thread,
        ts=opened.ts,
        vote=opened.vote,
        agent_id=opened.agent_id or picked_option(values, SEAT),
        why=entered_text(values, WHY),
    )


def read_opened(view: Mapping[str, Any]) -> OpenedVoteForm:
    """Read which vote the form was opened for.

    Raises:
        ValueError: not a form of ours.
    """
    return read_metadata(view, OpenedVoteForm)


def _choice(seats: Sequence[Seat], texts: Texts) -> Block:
    options = [(seat.agent_id, seat.display_name or seat.agent_id) for seat in seats]
    return choice_field(SEAT, texts.say("For whom do you answer?"), options)
