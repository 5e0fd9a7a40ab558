"""Listeners of the negotiation: they turn clicks, forms and messages into its commands."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.export_notes import resume_exports
from bot.listeners.negotiation import (
    accepting_all,
    changes,
    check_ins,
    core,
    delegates,
    edits,
    exports,
    giving_up,
    handing_back,
    missing,
    offers,
    owner_actions,
    proceeding,
    reopening,
    shortcuts,
    versions,
    volunteering,
    votes,
    why,
    why_plan,
    wishes,
)
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from engine.negotiation.rules import RULEBOOK

__all__ = ["register", "resume"]


def register(app: AsyncApp, services: Services) -> None:
    clicks = (
        shortcuts,
        offers,
        missing,
        votes,
        accepting_all,
        changes,
        handing_back,
        owner_actions,
        exports.EXPORTS,
        delegates,
        giving_up,
        check_ins,
        volunteering,
        why,
        why_plan,
        versions,
        wishes,
    )
    for each in clicks:
        each.register(app, services)
    for form in (edits.EDITED, edits.CLARIFIED, core.CHOSEN, proceeding.DECIDED, reopening.REOPENED):
        form.register(app, services)


async def resume(services: Services, clients: Clients) -> None:
    """Tell everybody whose file was under way when the process ended.

    Raises:
        StoreError
    """
    await resume_exports(services, clients, RULEBOOK.protocol, lambda state: str(state.raw_input))
