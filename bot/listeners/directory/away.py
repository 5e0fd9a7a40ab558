"""Somebody says on which days they cannot, in Home or on a card that asks them for something."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import send, show_person
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.away_form import FIRST, away_form, read_time_away
from bot.views.directory.buttons import AWAY, read_away
from engine.directory.messages import BeAway
from engine.directory.rules import check_profile


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, AWAY, _open, notices.refused)
    on_form(app, services, AWAY, _say, notices.refused, beside(FIRST))


async def _open(click: Click) -> None:
    about, texts = read_away(click.value), await click.texts()
    check_profile(await click.directory(), click.actor, about.agent_id, as_admin=False)
    await click.open_above(away_form(about, texts))


async def _say(form: Form) -> None:
    away = read_time_away(form.view, form.known_texts())
    await send(form, BeAway(command_id=form.cause, at=form.now(), by=form.actor, **away._asdict()))
    show_person(form, away.agent_id)
