"""Finds the streams that wait for something that never comes: at start and with every sweep, by one query for all."""

import asyncio
import logging
from typing import Final

from engine.errors import StoreError
from engine.runtime.clock import Clock
from engine.runtime.ports import AlarmHost
from engine.store.port import StalledStream, Store

log = logging.getLogger(__name__)

PAGE: Final = 500


class StalledStreams:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def sweep(self, host: AlarmHost) -> None:
        tried: set[StalledStream] = set()
        try:
            while True:
                # Those that were tried and did not move, as an absent tenant's do not, hide nobody.
                most = PAGE + len(tried)
                page = await self._store.stalled(self._clock.now(), most)
                fresh = [each for each in page if each not in tried]
                tried.update(fresh)
                await asyncio.gather(*(self._move(host, each) for each in fresh))
                if not fresh or len(page) < most:
                    return
        except StoreError as error:
            log.warning("the stalled streams could not be read, the next sweep tries again: %s", error)

    async def _move(self, host: AlarmHost, found: StalledStream) -> None:
        try:
            await host.recover(found)
        except StoreError as error:
            log.warning("%s stays stalled until the next sweep: %s", found.key.stream, error)
        except Exception:
            # A rule is broken, or what it decided can never be kept: visible, and the others are moved.
            log.exception("%s is stalled and could not be moved", found.key.stream)
