"""Puts the files that were made into the thread of a delivery that has ended: once, and at most once.

Which deliveries have files to be shared is recorded in the commit in which they end. That record is gone before the
upload begins, and a note stands in its place: nobody can find out whether an upload that was not answered has arrived,
so whoever asked is told of it instead.
"""

import logging
from collections import deque
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from slack_bolt.async_app import AsyncApp

from bot.listeners.delivery.deciding import read_delivery
from bot.listeners.delivery.owning import read_own_ticket
from bot.listeners.export_notes import KIND, PAUSES, ExportNote, drop_note, tell_requester, write_note
from bot.listeners.exports import ExportedPlan, Exports, upload
from bot.listeners.interaction import Click, Interaction, on_click
from bot.listeners.services import Services
from bot.posts.failures import CLOSED, CallFailed
from bot.posts.post_records import PostRecord, PostRecords
from bot.posts.slack_calls import Clients
from bot.texts import Texts, texts_in
from bot.views.delivery import button_values as buttons
from bot.views.delivery import notices
from bot.views.delivery.button_values import EXPORT
from bot.views.delivery.export.data import as_json
from bot.views.delivery.export.ics import calendar, has_days, undated
from bot.views.delivery.export.markdown import markdown
from bot.views.delivery.owners_refusals import refused
from bot.views.delivery.owners_words import not_sent, sent_above
from bot.views.delivery.proof import file_name, message, not_shared, to_share
from bot.views.delivery.story import schedule
from bot.views.delivery.ticket_status import made_before
from bot.views.kit.export import form as said
from bot.views.kit.export.file import File
from bot.views.kit.export.form import FILES, Format
from bot.views.kit.mrkdwn import plain_line
from engine.delivery.events import DeliveryEnded
from engine.delivery.inbox import RESULTS, files_of
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery, Ticket
from engine.delivery.terms import Artifact
from engine.errors import EngineError, IllegalStep
from engine.kernel import Event, StreamKey
from engine.runtime.runtime import Listener
from engine.workers.outputs import OutputRefused

log = logging.getLogger(__name__)

LOOKS: Final = (1_000,) * 30 + PAUSES
"""Milliseconds between two looks for the report, below which the files come."""


def heard(services: Services, clients: Clients) -> Listener:
    """Return who shares a delivery's files once it has ended."""

    def listen(key: StreamKey, events: Sequence[Event]) -> None:
        if any(isinstance(each, DeliveryEnded) for each in events):
            services.background.spawn(share(services, clients, key))

    return listen


async def resume(services: Services, clients: Clients) -> None:
    """Share, in the background, what had not begun to be shared when the process ended."""
    for tenant in await services.store.tenants():
        for stream in await services.store.records(tenant, RESULTS):
            services.background.spawn(share(services, clients, StreamKey(tenant, stream)))


async def share(services: Services, clients: Clients, key: StreamKey) -> None:
    """Share the files of one delivery, unless that has begun before, or another process does so."""
    try:
        if not await services.one_at_a_time.begin(key.tenant, f"{RESULTS}/{key.stream}"):
            return
    except EngineError:
        log.exception("the files of %s are not in its thread", key.stream)
        return
    try:
        await _share(services, clients, key)
    finally:
        await services.one_at_a_time.end(key.tenant, f"{RESULTS}/{key.stream}")


async def _share(services: Services, clients: Clients, key: StreamKey) -> None:
    try:
        if key.stream not in await services.store.records(key.tenant, RESULTS, key.stream):
            return
        state = await services.gateway.read(key, RULEBOOK)
        files = files_of(state)
        report = await _report(services, key)
        if report is None:
            log.warning("%s has no report in its thread yet; the next start shares its files", key.stream)
            return
        note_id = f"results:{key.stream}"
        is_begun = note_id in await services.store.records(key.tenant, KIND, note_id)
        note = ExportNote(
            user=state.requester_id,
            stream=key.stream,
            protocol=RULEBOOK.protocol,
            since=services.now(),
            channel=report.channel,
            thread=report.thread or report.ts,
        )
        if files and not is_begun:
            await write_note(services, key.tenant, note_id, note)
        await services.store.put_records(key.tenant, RESULTS, {key.stream: None})
        if files and not is_begun:
            await _upload(services, clients, key, state, files, note_id, note)
    except (EngineError, TimeoutError):
        log.exception("the files of %s are not in its thread", key.stream)


async def _report(services: Services, key: StreamKey) -> PostRecord | None:
    """Return where the final report stands; None where it has not got there in time."""
    records = PostRecords(services.store, key)
    for pause in LOOKS:
        found = (await records.read()).get("report")
        if found is not None and found.ts:
            return found
        with services.background.activity.waiting():
            await services.clock.until(services.clock.after(pause))
    return None


async def _upload(
    services: Services,
    clients: Clients,
    key: StreamKey,
    state: Delivery,
    files: Sequence[Artifact],
    note_id: str,
    note: ExportNote,
) -> None:
    texts = texts_in(state.brief.spoken)
    shared, _ = to_share(files)
    made = [file for each in shared if (file := await _file(services, state, each)) is not None]
    kept = [each for each in shared if any(file.name == file_name(state, each) for file in made)]
    try:
        if made:
            blocks = message(state, kept, len(files) - len(kept), texts)
            await upload(await clients(key.tenant), made, blocks, note.channel, note.thread)
        if len(made) == len(shared):
            await drop_note(services, key.tenant, note_id)
            return
        why = not_shared(texts)
    except CallFailed as failed:
        log.warning("the files of %s are not in its thread: %s", key.stream, failed.why)
        note = note.model_copy(update={"is_private": failed.why in CLOSED})
        why = not_shared(texts)
    about = said.about(state.brief.goal, why, texts)
    await tell_requester(services, clients, key.tenant, note_id, note, why, about)


async def _file(services: Services, state: Delivery, artifact: Artifact) -> File | None:
    """Return what was registered, read back; None where it is gone, or is not what was registered."""
    try:
        content = await services.workers.artifact(state.session_id, artifact.uri, artifact.digest)
    except (EngineError, OSError) as error:
        log.warning("%s of %s cannot be read back: %s", PurePosixPath(artifact.uri).name, state.session_id, error)
        return None
    return File(file_name(state, artifact), file_name(state, artifact), content, ())


def _formats(state: Delivery) -> tuple[Format, ...]:
    if state.report is None or state.erased == "*":
        return ()
    return FILES if state.tickets else (Format.MARKDOWN, Format.JSON)


async def _read(interaction: Interaction, stream: str) -> ExportedPlan:
    state = await read_delivery(interaction, stream)
    return ExportedPlan(
        state,
        state.brief.spoken,
        _formats(state),
        undated(state),
        has_days(state),
        lambda texts: schedule(state, texts),
        {
            Format.MARKDOWN: lambda asked_by, texts: markdown(state, asked_by, texts).encode(errors="replace"),
            Format.CALENDAR: lambda _, texts: calendar(state, texts),
            Format.JSON: lambda _, __: as_json(state).encode(),
        },
    )


EXPORTS: Final = Exports(RULEBOOK.protocol, EXPORT, _read, notices.refused)


MOST: Final = 10
"""Files that are sent at once; the thread has all of them."""
LONGEST_TITLE: Final = 100
REMEMBERED: Final = 1_000
"""Clicks."""


def register(app: AsyncApp, services: Services) -> None:
    on_click(app, services, buttons.RESULTS, partial(_clicked, deque(maxlen=REMEMBERED)), refused)


async def _clicked(taken: deque[str], click: Click) -> None:
    """
    Args:
        taken: the clicks that files were sent for: one that is delivered twice sends them once.
    """
    state, ticket = await read_own_ticket(click)
    found = files_for(state, ticket)
    if not found:
        raise IllegalStep("There is nothing that could be sent.")
    if click.cause in taken:
        return
    taken.append(click.cause)
    click.services.background.spawn(_send(click, state, found, await click.texts()))


def files_for(state: Delivery, ticket: Ticket) -> list[tuple[Ticket, Artifact]]:
    """What the tickets have made that it depends on, and is no link."""
    made = ((before, each) for before, artifacts in made_before(state, ticket) for each in artifacts)
    return [(before, each) for before, each in made if not each.is_link][:MOST]


async def _send(click: Click, state: Delivery, found: Sequence[tuple[Ticket, Artifact]], texts: Texts) -> None:
    missing = []
    for before, each in found:
        try:
            content = await click.services.workers.artifact(state.session_id, each.uri, each.digest)
            title = plain_line(each.label, LONGEST_TITLE) or "…"
            file = File(each.uri.rpartition("/")[2], title, content, (sent_above(before, each, texts),))
            await upload(click.client, [file], file.message, str(click.spot["channel"]), "")
        except (OutputRefused, CallFailed) as error:
            log.warning("%s of %s could not be sent: %r", each.uri, state.session_id, error)
            missing.append(each)
    if missing:
        click.tell(not_sent(missing, texts))
