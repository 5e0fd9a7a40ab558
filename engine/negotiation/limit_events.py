"""The design's own events about limits that stand in words: what a twin and a second reader say of them.

What is said of somebody's limit is for them alone; others learn that their seat waits.
"""

from typing import Annotated, ClassVar, Literal

from engine.facts.data import Datum
from engine.kernel import PRIVATE, SPARSE, Message
from engine.negotiation.answers import LimitVerdict
from engine.negotiation.terms import NegotiationEvent, PrivateText

Doubter = Literal["twin", "reader", "words", "data"]
"""Whose doubt it is: the twin's, the second reader's, or code's, which found the owner's own words as they stand, or
two data that contradict each other."""


class LimitDoubt(Message, kw_only=True):
    """That a demand or a version may break a limit of somebody, or does."""

    words: PrivateText = ""
    """The limit, as its owner has written it; empty where they have typed it into a field."""
    verdict: LimitVerdict = LimitVerdict.UNSURE
    quote: PrivateText = ""
    """The words of the demand or the plan that it rests on."""
    why: PrivateText = ""
    """In a sentence of the second reader's."""
    by: Doubter = "twin"
    wanted: Datum | None = None
    found: Datum | None = None


class Weighed(Message):
    """What came of the limits that somebody's twin was asked about."""

    is_limited: bool = False
    """Whether there is any limit in words."""
    doubts: tuple[LimitDoubt, ...] = ()

    def has(self, verdict: LimitVerdict) -> bool:
        return any(each.verdict is verdict for each in self.doubts)

    @property
    def broken_data(self) -> tuple[LimitDoubt, ...]:
        return tuple(each for each in self.doubts if each.by == "data")


class LimitsWeighed(NegotiationEvent, kw_only=True):
    """Somebody's limits were held against the demand (round 0), or against the version of a round."""

    event_type: ClassVar[str] = "towow.limits.weighed"
    agent_id: str
    round: int
    version: int = 0
    by: Literal["twin", "reader"]
    in_words: Annotated[bool, SPARSE] = True
    """Whether they have any limit in words; else all of theirs are data."""
    waits: Annotated[bool, SPARSE] = False
    """Whether an accept of the twin does not stand, and only its person can give one."""
    abstains: Annotated[bool, SPARSE] = False
    """Whether the twin casts no vote."""
    blind: Annotated[bool, SPARSE] = False
    """Whether what came of it stays with the owner until the round is evaluated, as their vote does."""
    doubts: Annotated[tuple[LimitDoubt, ...], PRIVATE] = ()
    """Told to the owner alone; what is kept is not among them."""
