"""A click or a message -> a command. A listener reads, hands over, and only then acknowledges."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.directory import admins, home, twins
from bot.listeners.gateway import Desk
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


def register(app: AsyncApp, desk: Desk) -> None:
    demand.register(app, desk)
    direct.register(app, desk)
    shortcuts.register(app, desk)
    edits.register(app, desk)
    offers.register(app, desk)
    votes.register(app, desk)
    owner_actions.register(app, desk)
    core.register(app, desk)
    pages.register(app, desk)
    exports.register(app, desk)
    home.register(app, desk)
    twins.register(app, desk)
    admins.register(app, desk)
    delegates.register(app, desk)
    why.register(app, desk)
    proceeding.register(app, desk)
    reopening.register(app, desk)
