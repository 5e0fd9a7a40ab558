"""Whoever asked for a delivery, or an admin, gives an agent leave for exactly what it asked, or refuses it."""

from collections.abc import Mapping
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.deciding import read_delivery, send
from bot.listeners.interaction import Click, on_click
from bot.listeners.services import Services
from bot.views.delivery import notices
from bot.views.delivery.button_values import ALLOW_ONCE, ALLOW_TICKET, REFUSE, TicketButton
from engine.delivery.commands import AnswerPermission
from engine.delivery.terms import PermissionChoice

CHOICES: Final[Mapping[str, PermissionChoice]] = {
    ALLOW_ONCE: PermissionChoice.ONCE,
    ALLOW_TICKET: PermissionChoice.TICKET,
    REFUSE: PermissionChoice.REFUSE,
}


def register(app: AsyncApp, services: Services) -> None:
    for name in CHOICES:
        on_click(app, services, name, _answered, notices.refused)


async def _answered(click: Click) -> None:
    button = TicketButton.read(click.value)
    await read_delivery(click, button.stream)
    await send(
        click,
        button.stream,
        AnswerPermission(
            command_id=click.cause,
            at=click.now(),
            by=click.actor,
            as_admin=await click.is_admin(),
            ticket_id=button.ticket,
            digest=button.digest,
            choice=CHOICES[click.name],
        ),
    )
