"""Takes back, for a short time, that a negotiation was stopped or that its plan is carried out.

What was stopped goes on where it was: the time that had passed meanwhile is added to every deadline, and whatever a
model had not answered is asked again. Searches that the stop has ended stay ended.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import IllegalStep
from engine.kernel import AlarmRang, Event, Millis
from engine.negotiation.commands import TakeBack
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.state import Negotiation, Round, Status
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


def _proceeding_taken_back(state: Negotiation, event: ProceedingTakenBack) -> Negotiation:
    return replace(state, proceeded=None, reversals=replace(state.reversals, proceeding=event, until=0))


def _stop_taken_back(state: Negotiation, event: StopTakenBack) -> Negotiation:
    """Go on where it was, with every deadline later by as long as it was stopped."""
    paused = event.paused
    unclear = replace(state.unclear, deadline=state.unclear.deadline + paused) if state.unclear else None
    return replace(
        state,
        outcome=None,
        cancelled_by="",
        cancel_reason="",
        reversals=replace(state.reversals, until=0, stops=(*state.reversals.stops, event)),
        until=state.until + paused,
        offers_due=state.offers_due and state.offers_due + paused,
        unclear=unclear,
        questions=(*state.questions[:-1], unclear) if unclear else state.questions,
        rounds=(*state.rounds[:-1], _later(state.rounds[-1], paused)) if state.rounds else (),
        vacancies={left: replace(each, deadline=each.deadline + paused) for left, each in state.vacancies.items()},
    )


def _later(opened: Round, paused: Millis) -> Round:
    if opened.tally is not None:
        return opened
    return replace(
        opened,
        window=opened.window.moved(paused),
    )


def _undo_ended(state: Negotiation, event: UndoEnded) -> Negotiation:
    return replace(state, reversals=replace(state.reversals, until=0))


CHANGES: Final[Mapping[type[Event], Callable[[Negotiation, Any], Negotiation]]] = {
    ProceedingTakenBack: _proceeding_taken_back,
    StopTakenBack: _stop_taken_back,
    UndoEnded: _undo_ended,
}
