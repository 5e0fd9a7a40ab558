"""Listeners of the directory: they turn what people do in the App Home into its commands."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory import admins, home, notifications, twins
from bot.listeners.services import Services


def register(app: AsyncApp, services: Services) -> None:
    for each in (home, twins, notifications, admins):
        each.register(app, services)
