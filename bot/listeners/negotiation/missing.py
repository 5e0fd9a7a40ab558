"""Whoever asked, or an admin, decides what becomes of the demand without what nobody covers."""

from functools import partial
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.texts import Texts
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import GO_ON, LOOK_WIDER
from engine.errors import IllegalStep, Refusal
from engine.negotiation.commands import DecideMissing
from engine.negotiation.rules import RULEBOOK
from engine.negotiation.terms import MissingChoice

CHOICES: Final = {LOOK_WIDER: MissingChoice.LOOK_WIDER, GO_ON: MissingChoice.GO_ON}


def register(app: AsyncApp, services: Services) -> None:
    for button, choice in CHOICES.items():
        on_click(app, services, button, partial(_decide, choice), _refused)


async def _decide(choice: MissingChoice, click: Click) -> None:
    stream = read_stream_button(click.value).stream
    await read_negotiation(click, stream)
    command = DecideMissing(
        command_id=click.cause, at=click.now(), by=click.actor, as_admin=await click.is_admin(), choice=choice
    )
    await click.services.gateway.send(click.key(stream), RULEBOOK, command)


def _refused(refusal: Refusal, texts: Texts) -> str:
    return notices.nothing_to_decide(texts) if isinstance(refusal, IllegalStep) else notices.refused(refusal, texts)
