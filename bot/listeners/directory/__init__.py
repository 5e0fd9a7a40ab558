"""A click in the App Home -> a command to the directory."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory import admins, home, twins
from bot.listeners.gateway import CommandGateway


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    home.register(app, gateway)
    twins.register(app, gateway)
    admins.register(app, gateway)
