"""How a deliberation stands, as a reaction on the message that asked tells the channel."""

from bot.views.kit.presenter import Reaction
from engine.deliberation.state import Deliberation, Status
from engine.deliberation.terms import Reason


def reaction(state: Deliberation) -> Reaction | None:
    """Return None for one that has not begun, and for one about the plan of another stream."""
    if not state.exists or state.brief.origin:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.status is Status.CONVERGED:
        return Reaction.AGREED
    return Reaction.STOPPED if state.reason is Reason.USER_STOP else Reaction.FAILED
