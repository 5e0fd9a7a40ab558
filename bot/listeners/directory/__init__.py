"""A click in the App Home -> a command to the directory."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory import admins, home, twins
from bot.listeners.services import Services


def register(app: AsyncApp, services: Services) -> None:
    for each in (home, twins, admins):
        each.register(app, services)
