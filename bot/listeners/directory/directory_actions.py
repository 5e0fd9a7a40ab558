"""What everything that changes the directory has in common: who may try, how it is sent, and what is shown."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import is_from_outside
from bot.listeners.colleagues import actor_of
from bot.listeners.interaction import Interaction
from bot.posts.failures import CALL_ERRORS
from bot.views.directory import notices
from bot.views.directory.admins import CARD, person_card
from bot.views.directory.buttons import HELD
from bot.views.directory.held import held_modal
from bot.views.kit.modals import notice
from bot.workspace_settings import directory_key
from engine.directory.errors import InvalidProfile
from engine.directory.messages import PersonsCommand
from engine.directory.rules import RULEBOOK
from engine.errors import NotAColleague, StoreError
from engine.kernel import Tenant

log = logging.getLogger(__name__)


async def send(interaction: Interaction, command: PersonsCommand) -> None:
    """Send what a person does to the directory of their workspace."""
    interaction.check_colleague()
    await interaction.services.gateway.begin(directory_key(interaction.tenant), RULEBOOK, command, is_admitted=True)
    interaction.directory_changed()


async def check_colleagues(client: AsyncWebClient, tenant: Tenant, users: Iterable[str]) -> None:
    """Check that everybody who was chosen from a list is a person, and of this workspace."""
    chosen = [*users]
    try:
        actors = await asyncio.gather(*(actor_of(client, tenant, each) for each in chosen))
    except NotAColleague as error:
        raise InvalidProfile(f"Of {', '.join(chosen)}, somebody is no colleague who could decide anything.") from error
    if outsiders := [each for each in actors if is_from_outside(each)]:
        raise InvalidProfile(f"{', '.join(outsiders)} is of another company.")


def show_person(interaction: Interaction, agent_id: str) -> None:
    """Show an admin somebody as they stand now, where a modal shows them; not waited for, as Slack waits 3 seconds."""
    if shown := _shown(interaction.body):
        interaction.services.background.spawn(_show_person(interaction, shown, agent_id))


def show_instead(interaction: Interaction, view_id: str, view: Mapping[str, Any]) -> None:
    """Show something in a modal that may have been closed meanwhile; not waited for."""
    interaction.services.background.spawn(_show_instead(interaction.client, view_id, view))


def show_held(interaction: Interaction, agent_id: str) -> None:
    """Show somebody what a twin holds to as it is now, where a modal shows it; not waited for."""
    view = interaction.body.get("view") or {}
    shown = view.get("id") if view.get("callback_id") == HELD else view.get("previous_view_id")
    if shown and view.get("type") == "modal":
        interaction.services.background.spawn(_show_held(interaction, str(shown), agent_id))


async def _show_held(interaction: Interaction, shown: str, agent_id: str) -> None:
    try:
        profile = (await interaction.directory()).entry(agent_id).profile
    except (StoreError, TimeoutError) as error:
        log.info("a modal goes on showing what %s held to: %s", agent_id, error)
        return
    texts = interaction.known_texts()
    view = held_modal(agent_id, profile, texts) if profile else notice(notices.nobody_there(texts))
    await _show_instead(interaction.client, shown, view)


async def _show_person(interaction: Interaction, shown: str, agent_id: str) -> None:
    texts = interaction.known_texts()
    try:
        entry = (await interaction.directory()).entry(agent_id)
    except (StoreError, TimeoutError) as error:
        log.info("a modal goes on showing %s as they were: %s", agent_id, error)
        return
    card = person_card(agent_id, entry, texts) if entry.profile else notice(notices.nobody_there(texts))
    await _show_instead(interaction.client, shown, card)


async def _show_instead(client: AsyncWebClient, view_id: str, view: Mapping[str, Any]) -> None:
    try:
        await client.views_update(view_id=view_id, view={**view})
    except CALL_ERRORS as error:
        log.info("a modal that would say what has changed is gone: %s", error)


def _shown(body: Mapping[str, Any]) -> str | None:
    """Return the modal that shows the person: where the button was, or what the form lay upon."""
    view = body.get("view") or {}
    if view.get("callback_id") == CARD:
        return str(view["id"])
    return view.get("previous_view_id") if view.get("type") == "modal" else None
