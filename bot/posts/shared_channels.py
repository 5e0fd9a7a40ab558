"""Knows whether people of other companies read a channel by now: Slack is asked before anything is shown there."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Final

from bot.posts.failures import FORBIDDEN, Refused
from engine.kernel import Millis, Tenant
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)

TRUSTED: Final[Millis] = 60_000
"""How long what Slack says of a channel is believed. Its events say it sooner, and may be lost."""

Spot = tuple[Tenant, str]


class SharedChannels:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked: dict[Spot, Monotonic] = {}
        self._shared: set[Spot] = set()
        self._asking: defaultdict[Spot, asyncio.Lock] = defaultdict(asyncio.Lock)

    def is_shared(self, tenant: Tenant, channel: str) -> bool:
        """Return whether Slack has said so within the last minute."""
        spot = (tenant, channel)
        return spot in self._shared and not self._is_to_ask(spot)

    def forget(self, tenant: Tenant, channel: str) -> None:
        """Ask Slack anew before anything is shown there: it has changed who reads a channel."""
        self._asked.pop((tenant, channel), None)

    def _is_to_ask(self, spot: Spot) -> bool:
        """Return whether Slack was not asked within the last minute. Nobody but its reader reads a direct message."""
        channel = spot[1]
        if not channel or channel.startswith("D"):
            return False
        asked = self._asked.get(spot)
        return asked is None or self._clock.monotonic() - asked >= TRUSTED

    async def ask(self, tenant: Tenant, channel: str, asked: Callable[[], Awaitable[bool]]) -> None:
        """Ask whether a channel is shared, unless that is known. Who asks at the same time is asked for once. Where we
        may not ask, it is taken for shared: we may post there all the same.

        Raises:
            CallFailed: Slack did not say it; not where it refuses to.
        """
        spot = (tenant, channel)
        if not self._is_to_ask(spot):
            return
        async with self._asking[spot]:
            if self._is_to_ask(spot):
                try:
                    (self._shared.add if await asked() else self._shared.discard)(spot)
                except Refused as refused:
                    log.info("Slack does not say who reads %s: %s", channel, refused.why)
                    if refused.why in FORBIDDEN:
                        self._shared.add(spot)
                self._asked[spot] = self._clock.monotonic()
