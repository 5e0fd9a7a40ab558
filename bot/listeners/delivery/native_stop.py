"""What Slack's own button *Stop* does to a delivery: the same as ours."""

from bot.listeners.native_stop import Stop, StopRequest
from engine.delivery.commands import StopDelivery
from engine.delivery.state import Delivery


def stop(state: Delivery, request: StopRequest) -> Stop:
    command = StopDelivery(command_id=request.command_id, at=request.at, by=request.by, as_admin=request.as_admin)
    return Stop(command, state.is_open)
