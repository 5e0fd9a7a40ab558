"""Waits until Slack takes our token again: the app was taken out of a workspace, or has another token there."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.posts.failures import CallFailed, Shut
from bot.posts.rate_limits import RateLimits
from bot.posts.waiting import FIRST_PAUSE, Waiting
from engine.kernel import Millis, Tenant
from engine.runtime.ports import IsAbsent, nobody_is_absent

log = logging.getLogger(__name__)

LONGEST_PAUSE: Final[Millis] = 60_000
"""Between two questions: one call a minute for a whole workspace costs nobody anything."""


class Readmission:
    """While we are shut out of a workspace, one question goes there now and then, and all else waits for its answer.

    Args:
        ask: returns if Slack takes the token.
        is_absent: of whom it is known that they have taken us out: nobody is asked there.
    """

    def __init__(
        self,
        ask: Callable[[Tenant], Awaitable[None]],
        rate_limits: RateLimits,
        waiting: Waiting,
        is_absent: IsAbsent = nobody_is_absent,
    ) -> None:
        self._ask = ask
        self._rate_limits = rate_limits
        self._waiting = waiting
        self._is_absent = is_absent
        self._asking: dict[Tenant, asyncio.Task[None]] = {}
        self._heard: dict[Tenant, asyncio.Event] = {}

    def shut_out(self, tenant: Tenant, why: str) -> None:
        """Hold back every call to a workspace until Slack takes the token there again."""
        if tenant in self._asking:
            return
        self._rate_limits.bar(tenant)
        self._heard[tenant] = asyncio.Event()
        self._asking[tenant] = self._waiting.activity.spawn(self._until_let_in(tenant, why))

    def is_shut_out(self, tenant: Tenant) -> bool:
        """Return whether Slack takes our token no more, as far as that is known."""
        return tenant in self._asking

    def heard_from(self, tenant: Tenant) -> None:
        """Ask at once: Slack has sent us something from there."""
        if tenant in self._heard:
            self._heard[tenant].set()

    async def close(self) -> None:
        tasks = [*self._asking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _until_let_in(self, tenant: Tenant, why: str) -> None:
        pause, heard, is_told = FIRST_PAUSE, self._heard[tenant], False
        try:
            while not self._is_absent(tenant):
                await self._waiting.until_or_event(self._waiting.clock.after(pause), heard)
                heard.clear()
                try:
                    await self._ask(tenant)
                except CallFailed as failed:
                    if isinstance(failed, Shut) and not is_told:
                        is_told = True
                        log.error(
                            "%s takes our token no more (%s): everything waits until the app is installed there again; "
                            "Slack may have made another token for it, and then ToWow has to be started with that one",
                            tenant.team_id,
                            why,
                        )
                    pause = min(LONGEST_PAUSE, 2 * pause)
                else:
                    break
            if is_told:
                log.warning("%s takes our token again", tenant.team_id)
        finally:
            del self._asking[tenant], self._heard[tenant]
            self._rate_limits.let_in(tenant)
