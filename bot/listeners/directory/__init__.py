"""Listeners of the directory: they turn what people do in the App Home into its commands."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory import admins, away, calendars, limits, notifications, telling, twins
from bot.listeners.services import Services


def register(app: AsyncApp, services: Services) -> None:
    for each in (twins, limits, telling, away, calendars, notifications, admins):
        each.register(app, services)
