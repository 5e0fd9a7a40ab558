"""Keeps the log of each delivery equal to its events, as files. What is lost is made again at the next start."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.delivery.events import DeliveryEnded, WordsErased
from engine.delivery.inbox import ENDED_DELIVERY, OPEN_DELIVERY, OwnDelivery
from engine.delivery.review.session_log import SUMMARY, SessionLog
from engine.delivery.rules import RULEBOOK
from engine.delivery.terms import DeliveryEvent
from engine.errors import StoreError
from engine.files.kept_folder import keep_folder, put_files
from engine.kernel import Event, StreamKey, decode
from engine.runtime.activity import Activity
from engine.runtime.streams import opened
from engine.store.port import Store

log = logging.getLogger(__name__)

WHOLE: Final = (DeliveryEnded, WordsErased)
"""After these, the folder is compared with all that has happened."""


class SessionLogs:
    """
    Args:
        folder: has a folder for each session.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        self.activity = Activity()
        self._store = store
        self._folder = folder
        self._due: set[StreamKey] = set()
        self._growing: dict[StreamKey, SessionLog] = {}
        """Of the deliveries that go on: what is written."""
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Write what was not written when the process ended, and what was deleted since."""
        for tenant in await self._store.tenants():
            for row in (await self._store.records(tenant, OPEN_DELIVERY)).values():
                self._take(StreamKey(tenant, decode(row, OwnDelivery).stream))
            for row in (await self._store.records(tenant, ENDED_DELIVERY)).values():
                key = StreamKey(tenant, decode(row, OwnDelivery).stream)
                if not (self._folder / key.stream / SUMMARY).is_file():  # which is written last
                    self._take(key)

    def hear(self, key: StreamKey, events: Sequence[Event]) -> None:
        if isinstance(events[0], DeliveryEvent):
            self._take(key)

    async def close(self) -> None:
        if self._task is not None:
            await self._task

    def _take(self, key: StreamKey) -> None:
        self._due.add(key)
        if self._task is None:
            self._task = self.activity.spawn(self._write())

    async def _write(self) -> None:
        while self._due:
            key = self._due.pop()
            try:
                await self._write_one(key)
            except (OSError, ValueError, StoreError) as error:
                # The next event of it, or the next start, tries again.
                log.warning("the log of %s could not be written: %s", key.stream, type(error).__name__)
        self._task = None

    async def _write_one(self, key: StreamKey) -> None:
        """Write what is new. At the first look, where words were erased, and in the end, all of it is compared."""
        growing = self._growing.pop(key, None) or SessionLog()
        stored = await self._store.load(key)
        if stored is None or stored.protocol != RULEBOOK.protocol:
            return
        new = [opened(each, RULEBOOK.events) for each in stored.events[growing.version :]]
        folder = self._folder / key.stream
        if growing.version == 0 or any(isinstance(each, WHOLE) for each in new):
            growing, history = SessionLog(), [opened(each, RULEBOOK.events) for each in stored.events]
            await asyncio.to_thread(lambda: keep_folder(folder, growing.take(history)))
        else:
            await asyncio.to_thread(lambda: put_files(folder, growing.take(new)))
        if not any(isinstance(each, DeliveryEnded) for each in new):
            self._growing[key] = growing  # only now: what could not be written is made anew
