"""How a negotiation changes when a decision about all of it is taken back."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.kernel import Event, Millis
from engine.negotiation.events import ProceedingTakenBack, StopTakenBack, UndoEnded
from engine.negotiation.state import Negotiation, Round


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
