"""Listeners of the negotiation: they turn clicks, forms and messages into its commands."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.negotiation import (
    changes,
    core,
    delegates,
    edits,
    exports,
    handing_back,
    missing,
    offers,
    owner_actions,
    proceeding,
    reopening,
    shortcuts,
    votes,
    why,
    why_plan,
)
from bot.listeners.negotiation.export_notes import resume
from bot.listeners.services import Services

__all__ = ["register", "resume"]


def register(app: AsyncApp, services: Services) -> None:
    clicks = (
        shortcuts,
        offers,
        missing,
        votes,
        changes,
        handing_back,
        owner_actions,
        exports,
        delegates,
        why,
        why_plan,
    )
    for each in clicks:
        each.register(app, services)
    for form in (edits.EDITED, edits.CLARIFIED, core.CHOSEN, proceeding.DECIDED, reopening.REOPENED):
        form.register(app, services)
