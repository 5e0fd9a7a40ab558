"""Somebody wants to know why a plan is as it is. Nothing is decided here, and nothing changes."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.negotiation.reading import read_negotiation
from bot.listeners.services import Services
from bot.views.kit.button_values import read_stream_button
from bot.views.negotiation import notices
from bot.views.negotiation.button_values import WHY_PLAN
from bot.views.negotiation.decision_record import why_this_plan


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, WHY_PLAN, _clicked, notices.refused)


async def _clicked(click: Click) -> None:
    state = await read_negotiation(click, read_stream_button(click.value).stream)
    await click.open(why_this_plan(state, await click.texts()))
