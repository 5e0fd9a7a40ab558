"""Sends a person's own act to the negotiation about the demand of the path."""

from typing import Literal

from bot.api.context import Call
from bot.api.negotiation.lookup import any_negotiation
from engine.errors import Duplicate
from engine.kernel import Command, StreamKey
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation

Unchanged = Literal["E011"] | None
"""E011: it stood so already."""


async def send(call: Call, command: Command) -> tuple[Negotiation, Unchanged]:
    """
    Returns:
        the negotiation as it was before, and whether anything has changed since.

    Raises:
        Refusal, StoreError, TimeoutError
    """
    state = await any_negotiation(call, call.path["demand_id"])
    try:
        receipt = await call.context.gateway.send(StreamKey(call.workspace.tenant, state.channel_id), RULEBOOK, command)
    except Duplicate:
        return state, "E011"
    return state, None if receipt.events else "E011"
