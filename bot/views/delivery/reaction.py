"""How a delivery stands, as a reaction on the message that asked tells the channel."""

from bot.views.kit.presenter import Reaction
from engine.delivery.state import Delivery, Status


def reaction(state: Delivery) -> Reaction | None:
    """Return None for one that has not begun, and for one that carries out the plan of another stream."""
    if not state.exists or state.brief.origin:
        return None
    if state.is_open:
        return Reaction.WAITING
    if state.status is Status.COMPLETED:
        return Reaction.AGREED
    return Reaction.STOPPED if state.stopped_by else Reaction.FAILED
