"""What can be taken back, and what was."""

from msgspec import Struct

from engine.kernel import Millis
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack


class Reversals(Struct, frozen=True, gc=False):
    until: Millis = 0
    """Until when the last decision about all of it can be taken back; 0 where there is none."""
    stopped_in: str = ""
    """The status in which it was stopped last."""
    stopped_at: Millis = 0
    stops: tuple[StopTakenBack, ...] = ()
    proceeding: ProceedingTakenBack | None = None
    """Set where it was decided, and taken back, that the plan is carried out."""
    was_announced: bool = False
    """Whether a channel was told that the plan is carried out."""
