"""The design's own events about people who were not asked and say that they can help."""

from typing import Annotated, ClassVar, Final, Literal

from engine.kernel import SPARSE
from engine.negotiation.terms import Name, NegotiationEvent, PrivateText

Way = Literal["declined", "offer", "reserve", "plan"]
"""What became of somebody's help: nothing; an offer like the others'; they step in if somebody leaves; they do what the
agreed plan lacks."""


class HelpOffered(NegotiationEvent, kw_only=True):
    """Somebody who was not asked says that they can help. Whoever asked decides."""

    event_type: ClassVar[str] = "towow.help.offered"
    agent_id: str
    """Their twin's, or one made for them."""
    display_name: Name
    by: str
    text: PrivateText
    has_twin: bool = False
    """Whether there is a profile by which a twin can vote for them."""
    covers: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the demand's needs that their words name."""


class HelpAnswered(NegotiationEvent, kw_only=True):
    """Whoever asked has decided about it."""

    event_type: ClassVar[str] = "towow.help.answered"
    agent_id: str
    by: str
    way: Way
    covers: Annotated[tuple[str, ...], SPARSE] = ()
    """The ids of the needs that they take over in an agreed plan."""


HELP: Final[tuple[type[NegotiationEvent], ...]] = (HelpOffered, HelpAnswered)
