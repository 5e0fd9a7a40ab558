"""Keeps an index of each tenant's profiles up to date, with their vectors in the store.

Only profiles that have changed are encoded again, in a thread. Whoever asks meanwhile waits a little, and then goes on:
whoever has no vector yet is found by words.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from engine.directory.profile import Profiles
from engine.kernel import Tenant
from engine.llm.encoder import Meaning, meaning
from engine.shortlist import WHOLE
from engine.shortlist.people import SearchedProfiles
from engine.store.port import Store

if TYPE_CHECKING:
    from engine.shortlist.index import Shelf

PATIENCE: Final = 15.0
"""Seconds that a question waits for vectors that are not known yet."""


class Shortlists:
    """
    Args:
        most: of more profiles than this, so many are put to a model.
        encoder: the installed one unless told otherwise.
    """

    def __init__(
        self, store: Store, most: int = WHOLE, encoder: Meaning | None = None, patience: float = PATIENCE
    ) -> None:
        self._store = store
        self._most = most
        self._encoder = encoder or meaning()
        self._patience = patience
        self._shelves: dict[Tenant, Shelf] = {}

    async def of(self, tenant: Tenant, profiles: Profiles) -> Profiles:
        """Return the profiles, so that they can be searched if they are too many for a model."""
        if len(profiles) <= self._most:
            return profiles
        from engine.shortlist.index import Shelf  # numpy is loaded only where there are many people

        shelf = self._shelves.setdefault(tenant, Shelf(self._store, tenant, self._encoder))
        await shelf.update(profiles)
        if shelf.encoding is not None:
            await asyncio.wait({shelf.encoding}, timeout=self._patience)
        return SearchedProfiles(profiles, shelf.index, self._most)

    async def close(self) -> None:
        """Stop encoding; what was encoded is kept."""
        for shelf in self._shelves.values():
            if shelf.encoding is not None:
                shelf.encoding.cancel()
                await asyncio.wait({shelf.encoding})
