"""The design's own events about what people ask for in their own words: how it was understood, and their correction."""

from typing import Annotated, ClassVar, Literal

from engine.facts.data import Datum
from engine.kernel import PRIVATE, SPARSE
from engine.negotiation.terms import NegotiationEvent, PrivateText


class RequestUnderstood(NegotiationEvent, kw_only=True):
    """A model has read what somebody asks for. It changes nothing of their words, which go their way meanwhile."""

    event_type: ClassVar[str] = "towow.request.understood"
    agent_id: str = ""
    """Whose seat it was asked for; empty where it is the requester's own wish."""
    by: str
    """The user who asked."""
    round: int
    text: PrivateText
    """Their words."""
    understood: PrivateText
    """In one line, which they can correct."""
    data: Annotated[Datum | None, PRIVATE, SPARSE] = None
    scope: Annotated[Literal["own", "whole"], SPARSE] = "whole"
    model: str = ""
    prompt_hash: str = ""


class RequestCorrected(NegotiationEvent, kw_only=True):
    """Whoever asked says that this is not what was meant."""

    event_type: ClassVar[str] = "towow.request.corrected"
    agent_id: str = ""
    by: str
    round: int
    """In which it was asked for."""
    text: PrivateText = ""
    """What is meant, which is a wish for the next version; empty where nothing else is."""
