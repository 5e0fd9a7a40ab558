"""Takes back, for a short time, that a negotiation was stopped or that its plan is carried out.

What was stopped goes on where it was: the time that had passed meanwhile is added to every deadline, and whatever a
model had not answered is asked again. Searches that the stop has ended stay ended.
"""

from typing import Final

from engine.errors import IllegalStep, NotAllowed
from engine.kernel import AlarmRang, Millis
from engine.negotiation.commands import TakeBack
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.state import Negotiation, Status
from engine.negotiation.voting import rounds

UNDO: Final = "undo"
"""The alarm after which nothing can be taken back any more."""
WINDOW: Final[Millis] = 600_000


def alarm_rang(draft: NegotiationDraft, alarm: AlarmRang) -> None:
    if 0 < draft.state.reversals.until <= alarm.at:
        draft.happens(UndoEnded(**draft.ids))


def take_back(draft: NegotiationDraft, command: TakeBack) -> None:
    """Take back a stop, or that the plan is carried out."""
    check_taking_back(draft.state, command.by, as_admin=command.as_admin, at=command.at)
    if draft.state.status is not Status.CANCELLED:
        draft.happens(ProceedingTakenBack(**draft.ids, by=command.by, at=command.at))
        return
    stopped = draft.state.reversals
    paused = command.at - stopped.stopped_at
    draft.happens(StopTakenBack(**draft.ids, by=command.by, at=command.at, status=stopped.stopped_in, paused=paused))
    if draft.state.current is not None:
        rounds.settle(draft, command.at)


def check_taking_back(state: Negotiation, by: str, *, as_admin: bool, at: Millis) -> None:
    if not state.is_owned_by(by, as_admin=as_admin):
        raise NotAllowed("Only the person who asked, or an admin, can take back what was decided about all of it.")
    if not state.reversals.until or at > state.reversals.until:
        raise IllegalStep("There is nothing that could be taken back any more.")
