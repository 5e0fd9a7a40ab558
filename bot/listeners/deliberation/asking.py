"""Somebody asks the Critic."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.clicks import Click, on_click
from bot.listeners.deliberation.reading import read_deliberation
from bot.listeners.forms import Form, beside, on_form
from bot.listeners.services import Services
from bot.views.deliberation import notices
from bot.views.deliberation.button_values import ASK
from bot.views.deliberation.forms import TEXT, ask_form, read_text
from bot.views.kit.button_values import read_stream_button
from engine.deliberation.commands import AskCritic
from engine.deliberation.people import check_question
from engine.deliberation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, ASK, _clicked, notices.refused)
    on_form(app, services, ASK, _sent, notices.refused, beside(TEXT))


async def _clicked(click: Click) -> None:
    state = await read_deliberation(click, read_stream_button(click.value).stream)
    check_question(state, click.actor)
    await click.open(ask_form(state, await click.texts()))


async def _sent(form: Form) -> None:
    stream, text = read_text(form.view)
    await read_deliberation(form, stream)
    command = AskCritic(command_id=form.cause, at=form.now(), by=form.actor, text=text)
    await form.services.gateway.send(form.key(stream), RULEBOOK, command)
