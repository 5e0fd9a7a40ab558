"""How a deliberation stands as Slack tells it of agents."""

from bot.views.kit.presenter import SessionStatus
from engine.deliberation.state import Deliberation


def session(state: Deliberation) -> SessionStatus | None:
    """Return None for one that has not begun. People may join in at any time, and nobody is waited for."""
    if not state.exists:
        return None
    return SessionStatus.PROCESSING if state.is_open else SessionStatus.CLOSED
