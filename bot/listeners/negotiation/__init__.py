"""Listeners of the negotiation: they turn clicks, forms and messages into its commands."""

from collections.abc import Callable, Sequence

from slack_bolt.async_app import AsyncApp

from bot.listeners.actions import register_actions
from bot.listeners.export_notes import resume_exports
from bot.listeners.negotiation import (
    availability,
    demand,
    explanations,
    exports,
    invitations,
    offers,
    volunteering,
    votes,
    workflow_step,
)
from bot.listeners.negotiation.actions import SURFACES
from bot.listeners.negotiation.intake import read_negotiation
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from engine.kernel import Event, StreamKey, Tenant
from engine.negotiation.rules import RULEBOOK
from engine.runtime.runtime import Listener

__all__ = ["availability_changed", "heard", "register", "resume"]


def register(app: AsyncApp, services: Services) -> None:
    taken = (demand, offers, votes, availability, exports.EXPORTS, volunteering, explanations, workflow_step)
    for each in (*taken, exports):
        each.register(app, services)
    register_actions(app, services, RULEBOOK, read_negotiation, SURFACES)


async def resume(services: Services, clients: Clients) -> None:
    """Tell everybody whose file was under way when the process ended, or whose calendar was to be told of a change."""
    await resume_exports(services, clients, RULEBOOK.protocol, lambda state: str(state.raw_input))
    await invitations.resume(services, clients)
    await availability.resume(services)


def availability_changed(services: Services) -> Callable[[Tenant, str], None]:
    """Return who is told that something may be known anew of when a user can."""
    return availability.availability(services)


def heard(services: Services, clients: Clients) -> Listener:
    """Return who is told what has happened to negotiations, once it is committed."""
    listeners = [each(services, clients) for each in (explanations.heard, invitations.heard, availability.heard)]

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        for each in listeners:
            each(key, events)

    return listen
