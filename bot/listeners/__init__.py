"""A click or a message -> a command. A listener reads, hands over, and only then acknowledges."""

from slack_bolt.async_app import AsyncApp

from bot.listeners import (
    admins,
    control,
    core,
    delegates,
    demand,
    direct,
    edits,
    exports,
    home,
    offers,
    pages,
    proceeding,
    reopening,
    shortcuts,
    twins,
    votes,
    why,
)
from bot.listeners.desk import Desk


def register(app: AsyncApp, desk: Desk) -> None:
    demand.register(app, desk)
    direct.register(app, desk)
    shortcuts.register(app, desk)
    edits.register(app, desk)
    offers.register(app, desk)
    votes.register(app, desk)
    control.register(app, desk)
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
