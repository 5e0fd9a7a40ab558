"""The events that follow the end of a negotiation: it is carried out, a compromise is offered, it is taken up again."""

from typing import ClassVar

from engine.kernel import Millis
from engine.negotiation.answers import Compromise
from engine.negotiation.terms import Asked, Name, NegotiationEvent, PrivateText, PrivateTexts


class PlanProceeded(NegotiationEvent):
    """The design's own: it was decided that the plan is carried out."""

    event_type: ClassVar[str] = "towow.plan.proceeded"
    by: str
    at: Millis
    announce: bool = False
    until: Millis = 0
    """Until when it can be taken back; 0 where it cannot."""


class ProceedingTakenBack(NegotiationEvent):
    """The design's own: the plan is not carried out after all."""

    event_type: ClassVar[str] = "towow.proceeding.taken_back"
    by: str
    at: Millis


class StopTakenBack(NegotiationEvent):
    """The design's own: a negotiation that was stopped goes on where it was."""

    event_type: ClassVar[str] = "towow.stop.taken_back"
    by: str
    at: Millis
    status: str
    """Where it goes on."""
    paused: Millis
    """How long it was stopped; every deadline is that much later."""


class UndoEnded(NegotiationEvent):
    """The design's own: what was decided can be taken back no more."""

    event_type: ClassVar[str] = "towow.undo.ended"


class CompromiseOffered(NegotiationEvent):
    """The design's own: what a model says would still be possible. Nobody is bound by it."""

    event_type: ClassVar[str] = "towow.compromise.offered"
    compromise: Compromise
    model: str = ""
    prompt_hash: str = ""


class NegotiationReopened(NegotiationEvent, kw_only=True):
    """The design's own: a failed negotiation is reopened as another one."""

    event_type: ClassVar[str] = "towow.negotiation.reopened"
    by: str
    at: Millis
    raw_input: PrivateText
    balanced: bool = False
    also_ask: tuple[Asked, ...] = ()
    next_demand_id: str
    next_channel_id: str


class ReopeningFailed(NegotiationEvent):
    """The design's own: the other negotiation could not begin."""

    event_type: ClassVar[str] = "towow.reopening.failed"
    next_channel_id: str


class SeatGivenUp(NegotiationEvent, kw_only=True):
    """The design's own: somebody cannot keep what they promised with an agreed plan. What the plan is without them
    follows.
    """

    event_type: ClassVar[str] = "towow.seat.given_up"
    agent_id: str
    display_name: Name
    by: str
    at: Millis
    reason: PrivateText = ""
    lacks: PrivateTexts = ()
    """What the plan lacks without them, and what is looked for."""


class CheckInAsked(NegotiationEvent, kw_only=True):
    """The design's own: on the day before something is due, whoever has promised it is asked how it stands."""

    event_type: ClassVar[str] = "towow.check_in.asked"
    key: str
    agent_id: str = ""
    """Whose it is; empty where it is whoever asked."""
    what: PrivateText
    day: PrivateText
    """When it is due, as a date."""


class CheckInAnswered(NegotiationEvent, kw_only=True):
    """The design's own: it is done, or will be late. The last answer counts."""

    event_type: ClassVar[str] = "towow.check_in.answered"
    key: str
    by: str
    at: Millis
    is_late: bool = False
    text: PrivateText = ""
    """What is late, and until when; everybody who takes part reads it."""
