"""Stops a negotiation: whoever asked does, or the plan that began it takes it back."""

from engine.errors import IllegalStep
from engine.kernel import OPERATOR, Millis
from engine.negotiation.afterwards import undoing
from engine.negotiation.commands import Cancel, Recall
from engine.negotiation.drafting import NegotiationDraft
from engine.negotiation.events import NegotiationCancelled
from engine.negotiation.search import subnets
from engine.negotiation.terms import Outcome


def cancel(draft: NegotiationDraft, command: Cancel) -> None:
    state = draft.state
    if state.is_searching and not state.is_open:
        subnets.stop(draft, command)
        return
    if not state.is_open:
        raise IllegalStep(f"This negotiation is {state.status} already; there is nothing left to stop.")
    is_kept = state.parent is not None or command.by == OPERATOR
    _end(draft, command.at, by=command.by, reason=command.reason, until=0 if is_kept else command.at + undoing.WINDOW)


def recall(draft: NegotiationDraft, command: Recall) -> None:
    """End a subnet whose parent does not wait for it any longer, or release its agreement, which has come too late."""
    subnets.check_recall(draft.state)
    if draft.state.is_open:
        _end(draft, command.at, by=command.stopped_by)
    else:
        subnets.release(draft)


def _end(draft: NegotiationDraft, at: Millis, *, by: str, reason: str = "", until: Millis = 0) -> None:
    subnets.give_up(draft, reason=Outcome.CANCELLED)
    draft.happens(NegotiationCancelled(**draft.ids, by=by, reason=reason, at=at, until=until))
