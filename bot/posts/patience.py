"""Waiting for the clock, so that others can tell it from work, and know until when."""

import asyncio

from engine.activity import Activity
from engine.clock import Clock
from engine.kernel import Millis


class Patience:
    def __init__(self, clock: Clock, activity: Activity) -> None:
        self.clock = clock
        self.activity = activity
        self._dues: list[Millis] = []

    @property
    def next_due(self) -> Millis | None:
        """The soonest time that somebody waits for."""
        return min(self._dues, default=None)

    async def until(self, due: Millis) -> None:
        """Inside of `Activity.busy`."""
        self._dues.append(due)
        try:
            with self.activity.waiting():
                await self.clock.until(due)
        finally:
            self._dues.remove(due)

    async def until_or(self, due: Millis, sooner: asyncio.Event) -> None:
        waits = [asyncio.create_task(self.clock.until(due)), asyncio.create_task(sooner.wait())]
        self._dues.append(due)
        try:
            with self.activity.waiting():
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._dues.remove(due)
            for each in waits:
                each.cancel()
            await asyncio.gather(*waits, return_exceptions=True)

    async def idle(self) -> None:
        """Returns when nothing is under way, and whatever waits waits for a time that is yet to come."""
        while True:
            await self.activity.idle()
            if self.next_due is None or self.next_due > self.clock.now():
                return
            await asyncio.sleep(0)  # the clock has jumped, and who waited for it has not woken yet
