"""The deliberation that somebody's click or form is about."""

from bot.listeners.interaction import Interaction
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation


async def read_deliberation(interaction: Interaction, stream: str) -> Deliberation:
    """Read it. From now on, somebody whose language nobody knows is answered in the goal's.

    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state
