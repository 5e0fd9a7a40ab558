"""How a stream stands as Slack tells it of agents: whether machines think, people are waited for, or it has ended."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class SessionStatus(StrEnum):
    """Named as ``agents.sessions.setStatus`` takes them."""

    PROCESSING = "processing"
    """Machines work; Slack shows how long, and a button *Stop*."""
    SUSPENDED = "suspended"
    """Nothing goes on before a person has done something, or their time is over."""
    CLOSED = "closed"


_ORDER: Final = (SessionStatus.PROCESSING, SessionStatus.SUSPENDED, SessionStatus.CLOSED)


def joint_status(statuses: Iterable[SessionStatus]) -> SessionStatus:
    """Return how a thread stands in which several streams are shown: machines that work come first.

    Args:
        statuses: each stream's; at least one.
    """
    return min(statuses, key=_ORDER.index)
