"""Work that nobody waits for, such as a private sentence: it is done at most once, and a restart forgets it."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

from bot.posts.holds import Hold, beside
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.runtime.activity import Activity
from engine.runtime.membership import Membership

GRACE: Final = 1.0
"""Seconds that work under way is given on closing."""


class BackgroundTasks:
    def __init__(self) -> None:
        self.activity = Activity()
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start the work, and keep its task until it has ended."""
        task = self.activity.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Give what is under way a moment, then cancel it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OneAtATime:
    """
    Args:
        membership: of this process; None where it has the store to itself.
    """

    membership: Membership | None = None

    async def begin(self, tenant: Tenant, name: str) -> bool:
        """Return whether this process may do it now, which `end` then ends; the end of the process does so, too."""
        return await Hold(beside(tenant, name), self.membership).take()

    async def end(self, tenant: Tenant, name: str) -> None:
        if self.membership is None:
            return
        try:
            await Hold(beside(tenant, name), self.membership, self.membership.name).drop()
        except StoreError as error:
            log.warning("other processes take %s for being under way: %s", name, error)
