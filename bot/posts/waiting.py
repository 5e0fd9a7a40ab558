"""Waits for the clock or for an event, and tells others that this is no work, and until when it lasts."""

import asyncio
from typing import Final

from engine.kernel import Millis
from engine.runtime.activity import Activity, Turns
from engine.runtime.clock import Clock, Monotonic, until_or_event, wall_time

FIRST_PAUSE: Final[Millis] = 1_000

LONGEST_PAUSE: Final[Millis] = 300_000


class Waiting:
    """Everything in `bot.posts` waits through one of these, so that `idle` knows when only the clock is waited for."""

    def __init__(self, clock: Clock, activity: Activity, turns: Turns | None = None) -> None:
        self.clock = clock
        self.activity = activity
        self.turns = turns or Turns()
        """Of those who draw posts: two hundred threads that change at once are not drawn in one go."""
        self._dues: list[Monotonic] = []
        self._resting: list[asyncio.Event] = []

    @property
    def next_due(self) -> Millis | None:
        """Return the soonest time that anything waits for, as the wall clock will show it."""
        return wall_time(self.clock, min(self._dues)) if self._dues else None

    async def pause(self, millis: Millis) -> None:
        """Wait for so long. Call it only within `Activity.busy`."""
        due = self.clock.after(millis)
        self._dues.append(due)
        try:
            with self.activity.waiting():
                await self.clock.until(due)
        finally:
            self._dues.remove(due)

    async def until_or_event(self, due: Monotonic, sooner: asyncio.Event) -> None:
        """Wait for a time or for an event, whichever comes first."""
        self._dues.append(due)
        self._resting.append(sooner)
        try:
            with self.activity.waiting():
                await until_or_event(self.clock, due, sooner)
        finally:
            self._dues.remove(due)
            self._resting.remove(sooner)

    async def for_event(self, until: asyncio.Event) -> None:
        """Wait for an event, however long it takes."""
        self._resting.append(until)
        try:
            with self.activity.waiting():
                await until.wait()
        finally:
            self._resting.remove(until)

    async def idle(self) -> None:
        """Return once nothing is under way and every time that is waited for lies in the future."""
        while True:
            await self.activity.idle()
            has_passed = bool(self._dues) and min(self._dues) <= self.clock.monotonic()
            if not has_passed and not any(each.is_set() for each in self._resting):
                return
            await asyncio.sleep(0)  # a task is about to wake
