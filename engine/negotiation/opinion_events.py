"""The design's own events about the second opinion: what another reader than the drafter says of a version."""

from typing import Annotated, ClassVar, Literal

from engine.kernel import PRIVATE, SPARSE, Message
from engine.negotiation.terms import NegotiationEvent, PrivateText

Subject = Literal["claims", "limits"]
"""What is asked: what a version says that is no data, or what limits in words it keeps. Nobody's free text but the
plan's own stands beside limits, so these are two questions."""


class ClaimOpinion(Message, kw_only=True):
    """What the second reader says of one claim."""

    about: Literal["need", "condition", "request", "complete"]
    verdict: Literal["yes", "no", "unsure"]
    agent_id: str = ""
    need_id: str = ""
    number: int = 0
    """Of the condition, counted from 1."""
    claim: PrivateText = ""
    """What it is about: the need, the condition or the wish, in their words."""
    quote: PrivateText = ""
    why: PrivateText = ""


class SecondOpinionAsked(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.opinion.asked"
    round: int
    version: int
    about: tuple[Subject, ...]


class SecondOpinionGiven(NegotiationEvent, kw_only=True):
    event_type: ClassVar[str] = "towow.opinion.given"
    round: int
    version: int
    about: Subject
    opinions: Annotated[tuple[ClaimOpinion, ...], PRIVATE] = ()
    """Of the claims; what is said of limits is for their owners alone."""
    failed: Annotated[bool, SPARSE] = False
    """Whether no reader could answer: then nothing is doubted."""
    model: str = ""
    prompt_hash: str = ""
