"""Somebody wants to see what a version of the plan changed. Nothing is decided here, and nothing changes."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import COMPARE, read_versions_button
from bot.views.negotiation.erased import with_marks
from bot.views.negotiation.plan.versions import versions_beside_each_other
from engine.errors import IllegalStep
from engine.negotiation.secrecy import in_public


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, COMPARE, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    button = read_versions_button(click.value)
    state = await read_negotiation(click, button.stream)
    texts = await click.texts()
    try:
        view = versions_beside_each_other(in_public(with_marks(state, texts)), button.version, texts)
    except LookupError as error:
        raise IllegalStep(str(error)) from error
    await click.open(view)
