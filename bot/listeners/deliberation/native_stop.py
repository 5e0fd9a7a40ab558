"""What Slack's own button *Stop* does to a deliberation: the same as ours."""

from bot.listeners.native_stop import Stop, StopRequest
from engine.deliberation.commands import StopDeliberation
from engine.deliberation.state import Deliberation


def stop(state: Deliberation, request: StopRequest) -> Stop:
    command = StopDeliberation(command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin)
    return Stop(command, state.is_open)
