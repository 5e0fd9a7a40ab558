"""Remembers who waits for a file, until they have it or were told that they have not: also after a kill.

A file is uploaded at most once, as nobody can find out whether an upload that was not answered has arrived. So whoever
asked for it must be told, even where Slack fails for a while, or where the process dies in the middle.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from bot.listeners.services import Services
from bot.posts.failures import CALL_ERRORS, CallFailed
from bot.posts.slack_calls import Clients
from bot.views.kit.export import form as said
from engine.errors import EngineError, StoreError
from engine.kernel import Millis, StreamKey, Tenant, Validated

log = logging.getLogger(__name__)

KIND: Final = "export"
"""Of the records; the key of each is the id of the form that was sent."""
PAUSES: Final[tuple[Millis, ...]] = (1_000, 10_000, 60_000, 300_000, 900_000, 3_600_000)
"""Between two attempts to tell somebody; after the last one, the next start tries again."""


class ExportNote(Validated):
    """Somebody waits for a file. It says nothing of what is in it."""

    user: str
    stream: str
    protocol: str = "negotiation"
    """The stream's; notes from before there was another say nothing."""
    channel: str = ""
    thread: str = ""
    since: Millis = 0
    """When it was asked for; notes from before that was kept say nothing."""
    is_private: bool = False
    """Whether nobody can be told anything in the channel."""


async def write_note(services: Services, tenant: Tenant, form_id: str, note: ExportNote) -> None:
    """Store where an export stands, so that a restart can go on with it."""
    await services.one_at_a_time.begin(tenant, _name(form_id))
    await services.store.put_records(tenant, KIND, {form_id: note.model_dump_json()})


async def drop_note(services: Services, tenant: Tenant, form_id: str) -> None:
    """Forget about a file that is there, or about which its requester was told."""
    try:
        await services.store.put_records(tenant, KIND, {form_id: None})
    except StoreError as error:
        log.warning("somebody may be told twice about an export: %s", error)
    await services.one_at_a_time.end(tenant, _name(form_id))


async def tell_requester(
    services: Services, clients: Clients, tenant: Tenant, form_id: str, note: ExportNote, text: str, about: str
) -> None:
    """Tell whoever waits for a file what happened, however often Slack fails, and forget about it then.

    Args:
        text: what happened.
        about: the same, for where nobody sees what it is about.
    """
    for pause in (*PAUSES, None):
        is_told = not note.is_private and await _tell_there(clients, tenant, note, text)
        if is_told or await _write_to(clients, tenant, note.user, about):
            await drop_note(services, tenant, form_id)
            return
        if pause is not None:
            with services.background.activity.waiting():
                await services.clock.until(services.clock.after(pause))
    log.error("%s could not be told about an export of %s; the next start tries again", note.user, note.stream)


async def resume_exports(services: Services, clients: Clients, protocol: str, about: Callable[[Any], str]) -> None:
    """Tell everybody whose file of a protocol's stream was under way when the process ended, and is so in no other
    process. Nobody waits for it.

    Args:
        about: what a stream is about, from its state.
    """
    for tenant in await services.store.tenants():
        for form_id, row in (await services.store.records(tenant, KIND)).items():
            note = ExportNote.model_validate_json(row)
            if note.protocol == protocol and await services.one_at_a_time.begin(tenant, _name(form_id)):
                services.background.spawn(_tell_after_restart(services, clients, tenant, form_id, note, about))


async def _tell_after_restart(
    services: Services,
    clients: Clients,
    tenant: Tenant,
    form_id: str,
    note: ExportNote,
    about: Callable[[Any], str],
) -> None:
    try:
        what = about((await services.gateway.look_up(StreamKey(tenant, note.stream))).state)
    except (EngineError, TimeoutError):
        what = ""
    try:
        texts = await services.texts.of(await clients(tenant), tenant, note.user)
    except CallFailed as failed:
        log.warning("%s is told about an export after the next start: %s", note.user, failed.why)
        return
    text = said.maybe_exported(texts)
    await tell_requester(
        services, clients, tenant, form_id, note, text, said.about(what, text, texts) if what else text
    )


def _name(form_id: str) -> str:
    return f"export/{form_id}"


async def _tell_there(clients: Clients, tenant: Tenant, note: ExportNote, text: str) -> bool:
    async def tell() -> None:
        client = await clients(tenant)
        await client.chat_postEphemeral(channel=note.channel, user=note.user, thread_ts=note.thread or None, text=text)

    return await _is_done(note.user, tell)


async def _write_to(clients: Clients, tenant: Tenant, user: str, text: str) -> bool:
    async def write() -> None:
        client = await clients(tenant)
        opened = await client.conversations_open(users=user)
        await client.chat_postMessage(channel=opened["channel"]["id"], text=text)

    return await _is_done(user, write)


async def _is_done(user: str, call: Callable[[], Awaitable[Any]]) -> bool:
    try:
        await call()
    except (*CALL_ERRORS, CallFailed, AttributeError) as error:  # slack_sdk stumbles over a reply that is text
        log.warning("%s could not be told about an export: %s", user, type(error).__name__)
        return False
    return True
