"""What people click and write about a delivery."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery import artifacts, beginning, leading, owning, reviewing
from bot.listeners.delivery.artifacts import heard
from bot.listeners.export_notes import resume_exports
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from engine.delivery.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    for each in (beginning, leading, reviewing, artifacts.EXPORTS):
        each.register(app, services)
    for each in (owning, artifacts):  # the workers' half
        each.register(app, services)


async def resume(services: Services, clients: Clients) -> None:
    """Tell everybody whose file was under way when the process ended, and share what was not shared yet."""
    await resume_exports(services, clients, RULEBOOK.protocol, lambda state: str(state.brief.goal))
    await artifacts.resume(services, clients)


__all__ = ["heard", "register", "resume"]
