"""Position summaries (seed 001, sections 2 and 8), and what moved a position."""

from typing import Annotated

from pydantic import Field

from engine.deliberation.answers import SlotKind
from engine.deliberation.envelopes.fields import (
    LONGEST_LIST,
    OPTIONAL,
    Envelope,
    Fraction,
    Id,
    Ids,
    Text,
    Texts,
    Truth,
)


class SlotValue(Envelope):
    """What is said, and of what; an empty name stands for whatever the position is about."""

    name: Text
    value: Text


SlotValues = Annotated[tuple[SlotValue, ...], Field(max_length=LONGEST_LIST)]


class Slots(Envelope):
    """What of a position can be compared as data."""

    decision: Annotated[Text, OPTIONAL] = ""
    choice: Annotated[Text, OPTIONAL] = ""
    """The option that it is for, where there are several to choose from."""
    dates: Annotated[SlotValues, OPTIONAL] = ()
    """Days, times of day, and spans of both with a slash: ISO 8601, or in the position's own words."""
    quantities: Annotated[SlotValues, OPTIONAL] = ()
    owners: Annotated[SlotValues, OPTIONAL] = ()


class PositionChanges(Envelope):
    conclusion_changed: Truth
    reasons_added: Texts
    confidence_delta: Annotated[float, Field(strict=True, ge=-1, le=1)]


class PositionSummary(Envelope):
    conclusion: Text
    """One sentence."""
    key_reasons: Texts
    assumptions: Texts
    confidence: Fraction
    changes_from_last_round: Annotated[PositionChanges | None, OPTIONAL] = None
    uncertainties: Annotated[Texts, OPTIONAL] = ()
    """Those that remain, asked for before the Reporter."""
    worst_case: Annotated[Text, OPTIONAL] = ""
    slots: Annotated[Slots | None, OPTIONAL] = None
    because: Annotated[Ids, OPTIONAL] = ()
    """The ids of the facts and arguments that it rests on."""


class Move(Envelope):
    """Something of a position or plan that changed, and the argument that moved it."""

    slot: SlotKind
    task_id: Annotated[Id, OPTIONAL] = ""
    argument: Id
    why: Annotated[Text, OPTIONAL] = ""


class PointAnswer(Envelope):
    """What is said to somebody else's argument."""

    argument: Id
    answer: Text


class Flaw(Envelope):
    """A gap in what the other one argues."""

    argument: Id
    flaw: Text


Moves = Annotated[tuple[Move, ...], Field(max_length=LONGEST_LIST)]
Answers = Annotated[tuple[PointAnswer, ...], Field(max_length=LONGEST_LIST)]
Flaws = Annotated[tuple[Flaw, ...], Field(max_length=LONGEST_LIST)]
