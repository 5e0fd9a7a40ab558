"""Knows the channel of each person's direct messages with us, and whether their account still exists."""

import asyncio
from typing import Final

from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic
from engine.store.port import Store

KIND: Final = "direct"

TRUSTED: Final[Millis] = 60_000
"""How long an account is believed to exist. Slack accepts messages to one that was closed."""

Person = tuple[Tenant, str]


class DirectMessages:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[Person, str] = {}
        self._seen: dict[Person, Monotonic] = {}
        self._waiters: dict[Person, set[asyncio.Event]] = {}

    async def channel(self, tenant: Tenant, user: str) -> str:
        """Return the channel of a user's direct messages; empty where they were never opened.

        Raises:
            StoreError
        """
        if (tenant, user) not in self._known:
            rows = await self._store.records(tenant, KIND, user)
            self._known[tenant, user] = rows.get(user, '""').strip('"')
        return self._known[tenant, user]

    def is_there(self, tenant: Tenant, user: str) -> bool:
        """Return whether Slack has confirmed within the last minute that the account exists."""
        seen = self._seen.get((tenant, user))
        return seen is not None and self._clock.monotonic() - seen < TRUSTED

    def wait(self, tenant: Tenant, user: str, wake: asyncio.Event) -> None:
        """Set ``wake`` once Slack was asked about this user, whoever asked."""
        self._waiters.setdefault((tenant, user), set()).add(wake)

    async def keep(self, tenant: Tenant, user: str, channel: str) -> None:
        """Store what Slack has just said of a user's channel, unless it is stored already.

        Args:
            channel: empty where the account or the conversation was closed.

        Raises:
            StoreError
        """
        person = (tenant, user)
        if await self.channel(tenant, user) != channel:
            await self._store.put_records(tenant, KIND, {user: f'"{channel}"' if channel else None})
            self._known[person] = channel
        if channel:
            self._seen[person] = self._clock.monotonic()
        else:
            self._seen.pop(person, None)
        for wake in self._waiters.pop(person, ()):
            wake.set()
