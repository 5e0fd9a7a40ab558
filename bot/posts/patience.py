"""Waiting for the clock or for one another, so that others can tell it from work, and know until when."""

import asyncio

from engine.kernel import Millis
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock


class Patience:
    def __init__(self, clock: Clock, activity: Activity) -> None:
        self.clock = clock
        self.activity = activity
        self._dues: list[Millis] = []
        self._resting: list[asyncio.Event] = []

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
        clock, woken = asyncio.create_task(self.clock.until(due)), asyncio.create_task(sooner.wait())
        self._dues.append(due)
        self._resting.append(sooner)
        try:
            with self.activity.waiting():
                await asyncio.wait((clock, woken), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._dues.remove(due)
            self._resting.remove(sooner)
            for each in (clock, woken):
                each.cancel()
            await asyncio.gather(clock, woken, return_exceptions=True)

    async def rest(self, until: asyncio.Event) -> None:
        """Until somebody sets it, however long that takes."""
        self._resting.append(until)
        try:
            with self.activity.waiting():
                await until.wait()
        finally:
            self._resting.remove(until)

    async def idle(self) -> None:
        """Returns when nothing is under way, and whatever waits waits for a time that is yet to come."""
        while True:
            await self.activity.idle()
            passed = self.next_due is not None and self.next_due <= self.clock.now()
            if not passed and not any(each.is_set() for each in self._resting):
                return
            await asyncio.sleep(0)  # somebody is about to wake
