"""A click or a message -> a command to a negotiation."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.gateway import CommandGateway
from bot.listeners.negotiation import (
    core,
    delegates,
    demand,
    direct,
    edits,
    exports,
    offers,
    owner_actions,
    pages,
    proceeding,
    reopening,
    shortcuts,
    votes,
    why,
)


def register(app: AsyncApp, gateway: CommandGateway) -> None:
    demand.register(app, gateway)
    direct.register(app, gateway)
    shortcuts.register(app, gateway)
    edits.register(app, gateway)
    offers.register(app, gateway)
    votes.register(app, gateway)
    owner_actions.register(app, gateway)
    core.register(app, gateway)
    pages.register(app, gateway)
    exports.register(app, gateway)
    delegates.register(app, gateway)
    why.register(app, gateway)
    proceeding.register(app, gateway)
    reopening.register(app, gateway)
