"""Bounds how much is under way in one workspace, so that none takes what all share."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from engine.errors import TooMuchOpen
from engine.kernel import Tenant
from engine.store.port import Store

MOST_OPEN: Final = 1_000
"""Demands, plans and deliveries of one workspace that are open at a time, where nothing else is set."""


class Admission:
    """
    Args:
        most: streams of one tenant that may be open. Several processes that count at once may admit a few more.
    """

    def __init__(self, store: Store, most: int = MOST_OPEN) -> None:
        self._store = store
        self._most = most
        self._beginning: Counter[Tenant] = Counter()

    @asynccontextmanager
    async def place(self, tenant: Tenant) -> AsyncIterator[None]:
        """Enter where one more may begin, and begin it within."""
        self._beginning[tenant] += 1
        try:
            others = self._beginning[tenant] - 1
            if await self._store.open_streams(tenant, self._most) + others >= self._most:
                raise TooMuchOpen.at_most(self._most)
            yield
        finally:
            self._beginning[tenant] -= 1
            if not self._beginning[tenant]:
                del self._beginning[tenant]
