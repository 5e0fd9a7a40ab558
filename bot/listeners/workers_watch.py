"""Notices that the role registry or ``scheduler_config.json`` has changed, and tells the streams that it is about."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from bot.listeners.services import Services
from engine.errors import EngineError
from engine.runtime.clock import Clock

log = logging.getLogger(__name__)

EVERY: Final = 5_000
"""Milliseconds between two looks."""

Told = Callable[[Services], Awaitable[None]]


class WorkersWatch:
    """
    Args:
        told: what is called at the start, and after each change.
        clock: by which files are looked at.
    """

    def __init__(self, services: Services, told: Sequence[Told], clock: Clock) -> None:
        self._services = services
        self._told = told
        self._clock = clock
        self._known: tuple[Any, ...] | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Tell what the files say now, and look at them from time to time where there are any."""
        await self.look()
        access = self._services.workers.access
        if self._told and (access.roles or access.scheduler):
            self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> None:
        """Read what has changed. Streams that cannot be told now are told at the next look."""
        said = (self._services.workers.registry(), *(each.current() for each in self._services.scheduling.values()))
        if said == self._known:
            return
        try:
            for tell in self._told:
                await tell(self._services)
        except (EngineError, TimeoutError) as error:
            log.warning("not everybody was told who may work now: %s", type(error).__name__)
            return
        self._known = said

    async def _watch(self) -> None:
        while True:
            await self._clock.until(self._clock.after(EVERY))
            await self.look()
