"""Ends what is old, where an operator wants it: once a day, for each workspace.

When a workspace was looked through last is a record, so that a restart neither skips a day nor repeats one, and several
processes take turns.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.listeners.background import OneAtATime
from bot.listeners.export_notes import KIND as EXPORT
from bot.listeners.export_notes import ExportNote
from engine.errors import StoreError
from engine.kernel import Message, Millis, Rulebook, StreamKey, Tenant, decode, encode
from engine.llm.ledger_days import sum_up
from engine.runtime.clock import Clock
from engine.runtime.ports import IsAbsent
from engine.runtime.retention import Places, end, over
from engine.runtime.runtime import Runtime
from engine.store.port import RecordPlace, Store
from engine.workers.outputs import erase
from engine.workers.registry import WorkersAccess

log = logging.getLogger(__name__)

DAY: Final[Millis] = 86_400_000
LOOK_EVERY: Final[Millis] = 600_000
"""Also before the first look: a machine that has started with a wrong clock has set it by then."""
LOOKED: Final = "retention"
"""Of the record, one for each workspace, that says when it was looked through last; and of what a process holds."""


class Looked(Message):
    at: Millis


class Retention:
    """Args:
    days: what has ended is kept for so long.
    """

    def __init__(
        self,
        store: Store,
        rulebooks: Mapping[str, Rulebook[Any]],
        runtime: Runtime,
        one_at_a_time: OneAtATime,
        access: WorkersAccess,
        clock: Clock,
        is_absent: IsAbsent,
        days: int,
    ) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._runtime = runtime
        self._one_at_a_time = one_at_a_time
        self._access = access
        self._clock = clock
        self._is_absent = is_absent
        self._keep = days * DAY

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[None]:
        """Look again and again until the block ends. Another process, or the next start, goes on with what is left."""
        task = asyncio.create_task(self._look_again(), name="what is old")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def look(self) -> None:
        """Look through each workspace that nobody has looked through for a day."""
        now = self._clock.now()
        for tenant in await self._store.tenants():
            if not self._is_absent(tenant) and await self._is_due(tenant, now):
                await self._look_through(tenant, now)

    async def _look_again(self) -> None:
        ahead = self._clock.now() - self._clock.monotonic()
        while True:
            await self._clock.until(self._clock.after(LOOK_EVERY))
            before, ahead = ahead, self._clock.now() - self._clock.monotonic()
            if abs(ahead - before) > DAY:
                log.warning("this machine's clock was set by more than a day; nothing is ended before the next look")
                continue
            try:
                await self.look()
            except (StoreError, OSError) as error:
                log.warning("what is old is ended later: %s", error)
            except Exception:
                log.exception("what is old is ended later")

    async def _is_due(self, tenant: Tenant, now: Millis) -> bool:
        row = (await self._store.records(tenant, LOOKED, limit=1)).get("")
        return row is None or decode(row, Looked).at + DAY <= now

    async def _look_through(self, tenant: Tenant, now: Millis) -> None:
        if not await self._one_at_a_time.begin(tenant, LOOKED):
            return
        try:
            if await self._is_due(tenant, now):  # another process may have looked meanwhile
                await self._end(tenant, now - self._keep)
                await sum_up(self._store, now - self._keep)
                await self._store.put_records(tenant, LOOKED, {"": encode(Looked(at=now))})
        finally:
            await self._one_at_a_time.end(tenant, LOOKED)

    async def _end(self, tenant: Tenant, before: Millis) -> None:
        wanted, beside = await self._exports(tenant, before)
        gone = await over(self._store, self._rulebooks, tenant, before, wanted)
        ended: list[StreamKey] = []
        async for some in end(self._store, tenant, gone, self._delete_files, beside):
            ended += some
            self._forget(some)
        self._forget(ended)  # once more: somebody may have read one while it was deleted
        if ended:
            log.info("%d streams of %s had ended long ago, and are deleted", len(ended), tenant.team_id)

    def _forget(self, ended: list[StreamKey]) -> None:
        for key in ended:
            self._runtime.forget(key)

    async def _delete_files(self, key: StreamKey) -> None:
        await asyncio.to_thread(erase, self._access, key.stream, None)

    async def _exports(self, tenant: Tenant, before: Millis) -> tuple[set[str], Places]:
        """Return the streams of which somebody waits for a file, and the notes of whoever has waited for too long."""
        wanted, old = set[str](), dict[str, list[RecordPlace]]()
        for form_id, row in (await self._store.records(tenant, EXPORT)).items():
            note = ExportNote.model_validate_json(row)
            if note.since >= before:
                wanted.add(note.stream)
            else:
                old.setdefault(note.stream, []).append((EXPORT, form_id))
        return wanted, old
