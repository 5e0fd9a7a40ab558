"""In which channel somebody's direct messages with us are: asked once, and written down."""

from typing import Final

from engine.kernel import Tenant
from engine.store.port import Store

KIND: Final = "direct"


class DirectMessages:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[Tenant, str], str] = {}

    async def channel(self, tenant: Tenant, user: str) -> str:
        """Empty where they were never opened.

        Raises:
            StoreError
        """
        if (tenant, user) not in self._known:
            rows = await self._store.records(tenant, KIND, user)
            self._known[tenant, user] = rows.get(user, '""').strip('"')
        return self._known[tenant, user]

    async def keep(self, tenant: Tenant, user: str, channel: str) -> None:
        """An empty channel: it is open no more. What is known already is not written again.

        Raises:
            StoreError
        """
        if await self.channel(tenant, user) == channel:
            return
        await self._store.put_records(tenant, KIND, {user: f'"{channel}"' if channel else None})
        self._known[tenant, user] = channel
