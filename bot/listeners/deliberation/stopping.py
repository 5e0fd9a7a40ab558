"""Whoever asked, or an admin, has it end with what there is."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.deliberation.reading import read_deliberation
from bot.listeners.interaction import Click, on_click
from bot.listeners.services import Services
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import STOP
from bot.views.kit.button_values import StreamButton
from engine.deliberation.commands import StopDeliberation
from engine.deliberation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, STOP, _stop, notices.refused)


async def _stop(click: Click) -> None:
    stream = StreamButton.read(click.value).stream
    await read_deliberation(click, stream)
    command = StopDeliberation(command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin())
    await click.services.gateway.send(click.key(stream), RULEBOOK, command)
