"""Somebody wants to see the arguments, and not only the verdict. Nothing is decided here, and nothing changes."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.deliberation.reading import read_deliberation
from bot.listeners.interaction import Click, on_click
from bot.listeners.services import Services
from bot.views.deliberation import notices
from bot.views.deliberation.arguments import arguments
from bot.views.deliberation.button_values import ARGUMENTS
from bot.views.kit.button_values import StreamButton


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, ARGUMENTS, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    state = await read_deliberation(click, StreamButton.read(click.value).stream)
    click.check_colleague()
    await click.open(arguments(state, await click.texts()))
