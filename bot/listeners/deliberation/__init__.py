"""What people click and write about a deliberation."""

from slack_bolt.async_app import AsyncApp

from bot.listeners.deliberation import exports, people, planning
from bot.listeners.export_notes import resume_exports
from bot.listeners.services import Services
from bot.posts.slack_calls import Clients
from engine.deliberation.rules import RULEBOOK


def register(app: AsyncApp, services: Services) -> None:
    for each in (planning, people, exports.EXPORTS):
        each.register(app, services)


async def resume(services: Services, clients: Clients) -> None:
    """Tell everybody whose file was under way when the process ended."""
    await resume_exports(services, clients, RULEBOOK.protocol, lambda state: str(state.brief.goal))
