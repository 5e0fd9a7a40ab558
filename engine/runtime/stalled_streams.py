"""Finds the streams that wait for something that never comes: at start and with every sweep, by one query for all."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from engine.errors import StoreError
from engine.runtime.clock import Clock
from engine.store.port import StalledStream, Store

log = logging.getLogger(__name__)

PAGE: Final = 500


class StalledStreams:
    """
    Args:
        recover: hands a `Recover` to a stream; returns when that is committed.
    """

    def __init__(self, store: Store, clock: Clock, recover: Callable[[StalledStream], Awaitable[None]]) -> None:
        self._store = store
        self._clock = clock
        self._recover = recover

    async def sweep(self) -> None:
        tried: set[StalledStream] = set()
        try:
            while True:
                page = await self._store.stalled(self._clock.now(), PAGE)
                fresh = [each for each in page if each not in tried]
                tried.update(fresh)
                await asyncio.gather(*(self._look_at(each) for each in fresh))
                if not fresh or len(page) < PAGE:
                    return
        except StoreError as error:
            log.warning("the stalled streams could not be read, the next sweep tries again: %s", error)

    async def _look_at(self, found: StalledStream) -> None:
        try:
            await self._recover(found)
        except StoreError as error:
            log.warning("%s stays stalled until the next sweep: %s", found.key.stream, error)
        except Exception:
            # A rule is broken, or what it decided can never be kept: visible, and the others are moved.
            log.exception("%s is stalled and could not be moved", found.key.stream)
