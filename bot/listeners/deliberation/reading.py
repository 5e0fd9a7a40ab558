"""The deliberation that somebody's click or form is about."""

from bot.listeners.gateway import CommandGateway
from bot.listeners.handing_over import is_carried_out
from bot.listeners.interaction import Interaction
from engine.deliberation.errors import CarriedOut
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.kernel import StreamKey


async def read_deliberation(interaction: Interaction, stream: str) -> Deliberation:
    """Read it. From now on, somebody whose language nobody knows is answered in the goal's."""
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state


async def check_not_carried_out(gateway: CommandGateway, key: StreamKey, state: Deliberation) -> None:
    """Check that no delivery carries the plan out."""
    if await is_plan_carried_out(gateway, key, state):
        raise CarriedOut("This plan is being carried out, so it stays as it is. Write to whoever has the task.")


async def is_plan_carried_out(gateway: CommandGateway, key: StreamKey, state: Deliberation) -> bool:
    return not state.is_argued and await is_carried_out(gateway, key)
