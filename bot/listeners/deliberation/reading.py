"""The deliberation that somebody's click or form is about."""

from bot.listeners.gateway import CommandGateway
from bot.listeners.handing_over import is_carried_out
from bot.listeners.interaction import Interaction
from engine.deliberation.rules import RULEBOOK
from engine.deliberation.state import Deliberation
from engine.errors import IllegalStep
from engine.kernel import StreamKey


async def read_deliberation(interaction: Interaction, stream: str) -> Deliberation:
    """Read it. From now on, somebody whose language nobody knows is answered in the goal's.

    Raises:
        UnknownStream, StoreError, TimeoutError
    """
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.language
    return state


async def check_not_carried_out(gateway: CommandGateway, key: StreamKey, state: Deliberation) -> None:
    """
    Raises:
        IllegalStep: it is finished, and being carried out: nothing reopens it any more.
        StoreError, TimeoutError
    """
    if not state.is_open and await is_carried_out(gateway, key):
        raise IllegalStep("This plan is being carried out, so no objection reopens it. Write to whoever has the task.")
