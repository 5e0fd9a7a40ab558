"""The event that other plans take the same people or rooms at the same time."""

from typing import Annotated, ClassVar

from engine.kernel import PRIVATE, SPARSE
from engine.negotiation.terms import Clash, NegotiationEvent


class ClashesFound(NegotiationEvent):
    """The design's own: which other plans take the same people or rooms at the same time, by what is known now."""

    event_type: ClassVar[str] = "towow.clashes.found"
    clashes: Annotated[tuple[Clash, ...], PRIVATE]
    has_more: Annotated[bool, SPARSE] = False
