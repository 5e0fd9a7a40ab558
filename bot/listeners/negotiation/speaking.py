"""Who speaks for a twin that is linked to nobody, where a limit of its person is in doubt."""

from bot.listeners.interaction import Interaction


async def speaks_for(interaction: Interaction, agent_id: str) -> bool:
    """Whether somebody may speak for a twin that is nobody's: an admin, or whoever has saved its profile.

    Raises:
        StoreError, TimeoutError
    """
    entry = (await interaction.directory()).entry(agent_id)
    return entry.may_confirm(interaction.actor, as_admin=await interaction.is_admin())
