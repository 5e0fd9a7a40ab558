"""The ticket that somebody's click or form is about."""

from bot.listeners.interaction import Interaction
from bot.views.delivery.owners_buttons import OwnTicketButton
from engine.delivery.errors import UnknownTicket
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.tickets.rights import may_work_on
from engine.errors import IllegalStep, NotAllowed


async def read_ticket(interaction: Interaction, button: OwnTicketButton) -> tuple[Delivery, Ticket]:
    state = await interaction.services.gateway.read(interaction.key(button.stream), RULEBOOK)
    interaction.language = state.brief.spoken
    ticket = state.tickets.get(button.ticket)
    if ticket is None:
        raise UnknownTicket(f"There is no ticket {button.ticket!r} here.")
    return state, ticket


async def read_own_ticket(interaction: Interaction, button: OwnTicketButton) -> tuple[Delivery, Ticket]:
    """Read both, for somebody who may work on the ticket while there is work."""
    state, ticket = await read_ticket(interaction, button)
    if not may_work_on(state, ticket, interaction.actor, as_admin=await interaction.is_admin()):
        raise NotAllowed("Only whoever has this ticket, or leads the delivery, can do that.")
    if not ticket.is_open or state.reason is not None:
        raise IllegalStep("This ticket is settled.")
    return state, ticket
