"""How a delivery stands as Slack tells it of agents."""

from bot.views.kit.presenter import SessionStatus
from engine.delivery.outstanding import effects
from engine.delivery.state import Delivery


def session(state: Delivery) -> SessionStatus | None:
    """Return None for a delivery that has not begun.

    While it owes nothing, and no failed attempt is about to be made again, only people move it on.
    """
    if not state.exists:
        return None
    if not state.is_open:
        return SessionStatus.CLOSED
    is_at_work = bool(effects(state)) or any(each.retry_at and each.is_open for each in state.tickets.values())
    return SessionStatus.PROCESSING if is_at_work else SessionStatus.SUSPENDED
