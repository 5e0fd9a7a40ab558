"""The button that accepts several parts at once, each only where the person's own twin accepts it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from bot.texts import Texts
from bot.views.kit import blocks
from bot.views.kit.blocks import Block
from bot.views.kit.mrkdwn import safe_line
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import VoteButton
from engine.errors import Refusal
from engine.negotiation.state import Seat

ACCEPT_ALL: Final = "votes.accept_all"

LONGEST_VALUE: Final = 2_000
"""Characters that Slack takes in a button's value."""

_VALUE: Final = TypeAdapter(Annotated[list[tuple[str, int, str, str]], Field(min_length=1)])


def twin_accepts(seat: Seat, user_id: str) -> bool:
    """Whether somebody's own twin accepts, or would and has prepared it, and they have not voted themselves."""
    said = seat.twin or seat.prepared
    return seat.user_id == user_id and seat.human is None and said is not None and said.feedback_type.kind.agrees


def accept_all_button(votes: Sequence[VoteButton], texts: Texts) -> list[Block]:
    """A button for as many of these votes as its value can name; none for a single one, which has its own button."""
    named = [*votes]
    while len(_value(named)) > LONGEST_VALUE:
        named.pop()
    if len(named) < 2:
        return []
    sure = blocks.confirm(
        texts.count("Accept {n} part?", "Accept {n} parts?", len(named)),
        texts.say(
            "Each becomes your own vote, on record, as your twin says. What has changed since is left as it is, and "
            "you are told."
        ),
        texts.say("Accept all"),
        texts.say("Not yet"),
    )
    label = texts.say("Accept all as my twin says ({n})", n=len(named))
    return [blocks.button(label, ACCEPT_ALL, _value(named), style="primary", confirm=sure)]


def read_accept_all(value: str) -> list[VoteButton]:
    """Read the votes that the button accepts.

    Raises:
        ValueError: not a button of ours.
    """
    return [
        VoteButton(stream=stream, round=number, digest=digest, agent_id=agent_id)
        for stream, number, digest, agent_id in _VALUE.validate_json(value)
    ]


def _value(votes: Sequence[VoteButton]) -> str:
    return json.dumps([[each.stream, each.round, each.digest, each.agent_id] for each in votes], separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of one of the votes."""

    title: str
    """Of the demand; empty where the part is not theirs to see."""
    is_new: bool = False
    left: Seat | None = None
    """A seat of theirs that was left as it is, since its twin does not accept, or a person has voted there."""
    refusal: Refusal | None = None

    @property
    def is_given(self) -> bool:
        return self.left is None and self.refusal is None

    def why(self, texts: Texts) -> str:
        """Why it was not given; empty where it was."""
        if self.refusal is not None:
            return notices.refused(self.refusal, texts)
        if self.left is None:
            return ""
        if self.left.human is not None:
            return texts.say("there is a vote of a person already")
        return texts.say("your twin does not accept that, so decide it yourself")


def told(done: Sequence[Accepted], texts: Texts) -> str:
    """What became of each, a line for each that was not given."""
    new = sum(each.is_new for each in done)
    stood = sum(each.is_given and not each.is_new for each in done)
    lines = [texts.count("✅ {n} part accepted, as your twin says.", "✅ {n} parts accepted, as your twin says.", new)]
    if stood:
        lines.append(texts.count("{n} stood already.", "{n} stood already.", stood))
    for each in done:
        if why := each.why(texts):
            demand = safe_line(each.title, 120) or texts.say("A part that is not yours")
            lines.append(texts.say("✗ {demand}: {why}", demand=demand, why=why))
    return "\n".join(lines)
