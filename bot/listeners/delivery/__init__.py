"""What people click and write about a delivery."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery import (
    beginning,
    clarifying,
    handing_over,
    leading,
    owning,
    permitting,
    proposals,
    reviewing,
)
from bot.listeners.services import Services


def register(app: AsyncApp, services: Services) -> None:
    for each in (beginning, leading, reviewing, permitting, clarifying):
        each.register(app, services)
    for each in (owning, handing_over, proposals):  # the workers' half
        each.register(app, services)
