"""The delivery and the ticket that somebody's click or form is about, and whether it stands as they were shown it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.listeners.interaction import Click, Form, Interaction, command_of
from bot.texts import Texts
from bot.views.delivery.button_values import TicketButton
from engine.delivery.errors import UnknownTicket
from engine.delivery.planning.leading import check_current
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.tickets.owners import may_lead, may_review
from engine.errors import NotAllowed
from engine.kernel import Command

View = Mapping[str, Any]


async def read_delivery(interaction: Interaction, stream: str) -> Delivery:
    """Read it. From now on, somebody whose language nobody knows is answered in the goal's."""
    state = await interaction.services.gateway.read(interaction.key(stream), RULEBOOK)
    interaction.language = state.brief.spoken
    return state


async def read_as_leader(interaction: Interaction, stream: str) -> Delivery:
    """Read a delivery for somebody who may decide about it."""
    state = await read_delivery(interaction, stream)
    if not may_lead(state, interaction.actor, as_admin=await interaction.is_admin()):
        raise NotAllowed("Only whoever asked for this, or an admin, can do that.")
    return state


async def read_reviewed(interaction: Interaction, button: TicketButton) -> tuple[Delivery, Ticket]:
    """Read the ticket that somebody reviews who may: whoever leads, and whom it names for that."""
    state = await read_delivery(interaction, button.stream)
    ticket = ticket_of(state, button.ticket)
    if not may_review(state, ticket, interaction.actor, as_admin=await interaction.is_admin()):
        raise NotAllowed("Only whom the ticket names, whoever asked for this, or an admin, says whether it is done.")
    check_current(ticket, button.decision)
    return state, ticket


async def read_decided(interaction: Interaction, button: TicketButton) -> tuple[Delivery, Ticket]:
    """Read the ticket that somebody decides about who may."""
    state = await read_as_leader(interaction, button.stream)
    ticket = ticket_of(state, button.ticket)
    check_current(ticket, button.decision)
    return state, ticket


def ticket_of(state: Delivery, ticket_id: str) -> Ticket:
    found = state.tickets.get(ticket_id)
    if found is None:
        raise UnknownTicket(f"This delivery has no ticket {ticket_id}.")
    return found


async def send(interaction: Interaction, stream: str, command: Command) -> None:
    """Send a command to the delivery, as whoever acts."""
    await interaction.services.gateway.send(interaction.key(stream), RULEBOOK, command)


async def lead(act: Click | Form, stream: str, kind: type[Command], **fields: Any) -> None:
    """Send what somebody decides about a delivery; the rules say whether they may."""
    await send(act, stream, await command_of(act, kind, **fields))


async def decide(act: Click | Form, button: TicketButton, kind: type[Command], **fields: Any) -> None:
    """Send what somebody decides about a ticket; the rules say whether they may."""
    await lead(act, button.stream, kind, ticket_id=button.ticket, decision=button.decision, **fields)


def opens(form: Callable[[Delivery, Ticket, TicketButton, Texts], View]) -> Callable[[Click], Awaitable[None]]:
    """Return what opens the form about a ticket for somebody who may decide about it."""

    async def clicked(click: Click) -> None:
        button = TicketButton.read(click.value)
        state, ticket = await read_decided(click, button)
        await click.open(form(state, ticket, button, await click.texts()))

    return clicked
