"""The negotiation that somebody's click or form is about."""

from bot.listeners.interaction import Interaction
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation


async def read_negotiation(interaction: Interaction, stream: str) -> Negotiation:
    """Read it. From now on, somebody whose language nobody knows is answered in the demand's.

    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state
