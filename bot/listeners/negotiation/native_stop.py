"""What Slack's own button *Stop* does to a negotiation: the same as ours."""

from bot.listeners.native_stop import Stop, StopRequest
from engine.negotiation.commands import Cancel
from engine.negotiation.state import Negotiation


def stop(state: Negotiation, request: StopRequest) -> Stop | None:
    """A subnet ends with the negotiation that it is for."""
    if state.parent is not None:
        return None
    command = Cancel(command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin)
    return Stop(command, state.is_open)
