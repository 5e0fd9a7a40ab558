"""What everything that changes the directory has in common: who may try, how it is handed in, and what is said."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final

from slack_bolt.async_app import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.actor import is_from_outside
from bot.listeners.colleagues import actor_of
from bot.listeners.gateway import CommandGateway
from bot.listeners.negotiation.intake import check_actor
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.texts import Texts
from bot.views.directory.people_form import CARD, person_card
from bot.views.kit.notice import notice
from bot.views.negotiation import notices
from engine.directory.directories import directory_key
from engine.directory.messages import PersonsCommand
from engine.directory.rules import RULEBOOK
from engine.errors import InvalidDelegate, InvalidProfile, NotAllowed, Refusal, StoreError, UnknownAgent
from engine.kernel import Tenant

log = logging.getLogger(__name__)

TROUBLES: Final = (CallFailed, TimeoutError)


async def sent_by_person(
    gateway: CommandGateway, context: AsyncBoltContext, actor: str, tenant: Tenant, command: PersonsCommand
) -> None:
    """
    Raises:
        Refusal: also for whoever is from outside, whatever the directory says.
        StoreError, TimeoutError
    """
    check_actor(context, actor)
    await gateway.send(directory_key(tenant), command, RULEBOOK.protocol)


async def check_colleagues(client: AsyncWebClient, tenant: Tenant, users: Iterable[str]) -> None:
    """Whether everybody who was chosen from a list is a person, and of this workspace.

    Raises:
        InvalidProfile
        CallFailed: Slack did not say.
    """
    chosen = [*users]
    try:
        hands = await asyncio.gather(*(actor_of(client, tenant, each) for each in chosen))
    except InvalidDelegate as error:
        raise InvalidProfile(f"Of {', '.join(chosen)}, somebody is no colleague who could decide anything.") from error
    if outsiders := [each for each in hands if is_from_outside(each)]:
        raise InvalidProfile(f"{', '.join(outsiders)} is of another company.")


def in_texts(refusal: Refusal, texts: Texts) -> str:
    match refusal:
        case NotAllowed():
            return notices.not_your_directory(texts)
        case UnknownAgent():
            return notices.nobody_there(texts)
        case _:
            return notices.refused(refusal, texts)


async def still_open(ack: AsyncAck, field: str, error: Exception, texts: Texts) -> None:
    """Not recorded, as far as we know: the form stays open, with what was written in it."""
    log.error("a change of the directory could not be recorded: %r", error)
    await ack(response_action="errors", errors={field: notices.went_wrong(texts)})


async def show_person(
    gateway: CommandGateway,
    client: AsyncWebClient,
    tenant: Tenant,
    body: Mapping[str, Any],
    agent_id: str,
    texts: Texts,
) -> None:
    """Show an admin somebody as they stand now: a courtesy (`CommandGateway.later`), as Slack waits only 3 seconds."""
    shown = _shown(body)
    if shown is None:
        return
    try:
        entry = (await gateway.directory(tenant)).entry(agent_id)
    except (StoreError, TimeoutError) as error:
        log.info("a modal goes on showing %s as they were: %s", agent_id, error)
        return
    await show_instead(
        client, shown, person_card(agent_id, entry, texts) if entry.profile else notice(notices.nobody_there(texts))
    )


async def show_instead(client: AsyncWebClient, view_id: str, view: Mapping[str, Any]) -> None:
    """In a modal that may have been closed meanwhile."""
    try:
        await client.views_update(view_id=view_id, view={**view})
    except CALL_ERRORS as error:
        log.info("a modal that would say what has changed is gone: %s", error)


def _shown(body: Mapping[str, Any]) -> str | None:
    """The modal that shows the person: where the button was, or what the form lay upon."""
    view = body.get("view") or {}
    if view.get("callback_id") == CARD:
        return str(view["id"])
    return view.get("previous_view_id") if view.get("type") == "modal" else None
