"""Somebody who has voted lets their twin vote again."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import HAND_BACK, read_seat_button
from engine.negotiation.commands import HandBack
from engine.negotiation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, HAND_BACK, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    button = read_seat_button(click.value)
    await read_negotiation(click, button.stream)
    command = HandBack(command_id=click.cause, at=click.now(), by=click.actor, agent_id=button.agent_id)
    await click.services.gateway.send(click.key(button.stream), RULEBOOK, command)
