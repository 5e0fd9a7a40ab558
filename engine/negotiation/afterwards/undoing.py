"""Takes back, for a short time, that a negotiation was stopped or that its plan is carried out.

What was stopped goes on where it was: the time that had passed meanwhile is added to every deadline, and whatever a
model had not answered is asked again. Searches that the stop has ended stay ended.
"""

from typing import Final

from engine.errors import IllegalStep
from engine.kernel import AlarmRang, Millis
from engine.negotiation.commands import TakeBack
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.state import Status
from engine.negotiation.voting import rounds

UNDO: Final = "undo"
"""The alarm after which nothing can be taken back any more."""
WINDOW: Final[Millis] = 600_000


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    if 0 < draft.state.reversals.until <= alarm.at:
        draft.happens(UndoEnded(**draft.ids))


def take_back(draft: NegotiationDraft, command: TakeBack) -> None:
    """Take back a stop, or that the plan is carried out."""
    if not draft.state.reversals.until or command.at > draft.state.reversals.until:
        raise IllegalStep("There is nothing that could be taken back any more.")
    if draft.state.status is not Status.CANCELLED:
        draft.happens(ProceedingTakenBack(**draft.ids, by=command.by, at=command.at))
        return
    stopped = draft.state.reversals
    paused = command.at - stopped.stopped_at
    draft.happens(StopTakenBack(**draft.ids, by=command.by, at=command.at, status=stopped.stopped_in, paused=paused))
    if draft.state.current is not None:
        rounds.settle(draft, command.at)
