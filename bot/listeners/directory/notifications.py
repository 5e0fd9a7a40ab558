"""Somebody chooses how they are told."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory.directory_actions import send
from bot.listeners.interaction import Click, Form, Interaction, on_click, on_form
from bot.listeners.services import Services
from bot.views.directory import notices
from bot.views.directory.buttons import NOTIFICATIONS
from bot.views.directory.notifications_form import Told, notifications_form, read_notifications
from engine.directory.messages import ChooseNotifications


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, NOTIFICATIONS, _open, notices.refused)
    on_form(app, services, NOTIFICATIONS, _choose, notices.refused)


async def _open(click: Click) -> None:
    texts = await click.texts()
    click.check_colleague()
    await click.open(notifications_form(await _choices_of(click), texts))


async def _choices_of(interaction: Interaction) -> Told:
    directory = await interaction.directory()
    zone = interaction.services.texts.known_time_zone(interaction.tenant, interaction.user)
    return Told(directory.notifications(interaction.actor), directory.digest_times, zone)


async def _choose(form: Form) -> None:
    command = ChooseNotifications(
        command_id=form.cause,
        at=form.now(),
        by=form.actor,
        chosen=read_notifications(form.view, form.known_texts()),
    )
    await send(form, command)
