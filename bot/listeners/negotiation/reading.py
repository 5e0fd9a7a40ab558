"""The negotiation that somebody's click or form is about, and whether they speak for a twin of it."""

from bot.listeners.interaction import Interaction
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.state import Negotiation


async def read_negotiation(interaction: Interaction, stream: str) -> Negotiation:
    """Read it. From now on, somebody whose language nobody knows is answered in the demand's."""
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state


async def speaks_for(interaction: Interaction, agent_id: str) -> bool:
    """Whether somebody may speak for an unlinked twin: an admin, or the person who saved its profile."""
    entry = (await interaction.directory()).entry(agent_id)
    return entry.may_confirm(interaction.actor, as_admin=await interaction.is_admin())
