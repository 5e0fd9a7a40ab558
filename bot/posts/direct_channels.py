"""In which channel somebody's direct messages with us are: asked once, and written down; and whether they are there."""

import asyncio
from typing import Final

from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock
from engine.store.port import Store

KIND: Final = "direct"

TRUSTED: Final[Millis] = 60_000
"""How long we believe that somebody is still there. Slack takes messages to an account that has gone."""

Person = tuple[Tenant, str]


class DirectMessages:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[Person, str] = {}
        self._seen: dict[Person, Millis] = {}
        self._curious: dict[Person, set[asyncio.Event]] = {}

    async def channel(self, tenant: Tenant, user: str) -> str:
        """Empty where they were never opened.

        Raises:
            StoreError
        """
        if (tenant, user) not in self._known:
            rows = await self._store.records(tenant, KIND, user)
            self._known[tenant, user] = rows.get(user, '""').strip('"')
        return self._known[tenant, user]

    def is_there(self, tenant: Tenant, user: str) -> bool:
        """Whether Slack has said so just now."""
        seen = self._seen.get((tenant, user))
        return seen is not None and self._clock.now() - seen < TRUSTED

    def wait(self, tenant: Tenant, user: str, wake: asyncio.Event) -> None:
        """Several may want to ask after somebody at once; whoever does so first spares the others the question."""
        self._curious.setdefault((tenant, user), set()).add(wake)

    async def keep(self, tenant: Tenant, user: str, channel: str) -> None:
        """What Slack has just said; an empty channel: they are gone, or it is open no more. What is known already is
        not written again.

        Raises:
            StoreError
        """
        person = (tenant, user)
        if await self.channel(tenant, user) != channel:
            await self._store.put_records(tenant, KIND, {user: f'"{channel}"' if channel else None})
            self._known[person] = channel
        if channel:
            self._seen[person] = self._clock.now()
        else:
            self._seen.pop(person, None)
        for wake in self._curious.pop(person, ()):
            wake.set()
