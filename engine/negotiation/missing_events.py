"""The design's own events about essential needs that nobody who offered covers, before the first proposal."""

from typing import Annotated, ClassVar

from engine.kernel import SPARSE, Millis
from engine.negotiation.terms import MissingChoice, NegotiationEvent


class NeedSought(NegotiationEvent):
    """People of the reserve are asked for what is missing."""

    event_type: ClassVar[str] = "towow.need.sought"
    need_ids: tuple[str, ...]
    recipients: tuple[str, ...]
    """Agent ids."""
    deadline: Millis


class RequesterAsked(NegotiationEvent):
    """Whoever asked is to decide what becomes of the demand without it."""

    event_type: ClassVar[str] = "towow.requester.asked"
    need_ids: tuple[str, ...]
    deadline: Millis
    until: Millis = 0
    """When it ends at the latest, since the requester's time comes on top."""


class RequesterDecided(NegotiationEvent):
    event_type: ClassVar[str] = "towow.requester.decided"
    choice: MissingChoice
    by: str = ""
    """Empty where they let the time pass, or nobody could be waited for."""
    deadline: Annotated[Millis, SPARSE] = 0
    """Until when others are looked for, where they are."""
    until: Annotated[Millis, SPARSE] = 0
    """When it ends at the latest, where that is later than before."""
