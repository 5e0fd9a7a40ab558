"""Puts the files that were made into the thread of a delivery that has ended: once, and at most once.

Which deliveries have files to be shared is recorded in the commit in which they end. That record is gone before the
upload begins, and a note stands in its place: nobody can find out whether an upload that was not answered has arrived,
so whoever asked is told of it instead.
"""

import logging
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from bot.listeners.export_notes import KIND, PAUSES, ExportNote, drop_note, tell_requester, write_note
from bot.listeners.exports import upload
from bot.listeners.services import Services
from bot.posts.failures import CLOSED, CallFailed
from bot.posts.post_records import PostRecord, PostRecords
from bot.posts.slack_calls import Clients
from bot.texts import texts_in
from bot.views.delivery.results import file_name, message, not_shared, to_share
from bot.views.kit.export import notices as said
from bot.views.kit.export.file import File
from engine.delivery.events import DeliveryEnded
from engine.delivery.inbox import RESULTS, files_of
from engine.delivery.rules import RULEBOOK
from engine.delivery.state import Delivery
from engine.delivery.terms import Artifact
from engine.errors import EngineError
from engine.kernel import Event, StreamKey
from engine.runtime.runtime import Listener

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
