"""Somebody says in Home on which days they cannot."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import send, show_person
from bot.listeners.interaction import Click, Form, beside, on_click, on_form
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.buttons import AWAY, Twin
from bot.views.directory.calendar_form import FIRST, Days, away_form, read_days
from bot.views.kit.modals import read_metadata
from engine.directory.messages import BeAway
from engine.directory.rules import check_profile


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, AWAY, _open, notices.refused)
    on_form(app, services, AWAY, _say, notices.refused, beside(FIRST))


async def _open(click: Click) -> None:
    about, texts = Twin.read(click.value), await click.texts()
    check_profile(await click.directory(), click.actor, about.agent_id, as_admin=False)
    await click.open_above(away_form(AWAY, about.value(), texts))


async def _say(form: Form) -> None:
    agent_id = read_metadata(form.view, Twin).agent_id
    await be_away(form, agent_id, read_days(form.view, form.known_texts()))
    show_person(form, agent_id)


async def be_away(form: Form, agent_id: str, days: Days) -> None:
    """Keep that whoever sent a form is away on these days."""
    first, last = days
    cause = f"{form.cause}:away"
    away = BeAway(command_id=cause, at=form.now(), by=form.actor, agent_id=agent_id, first=first, last=last)
    await send(form, away)
