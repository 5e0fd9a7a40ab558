"""Keeps this process a member of a store that several use at once, and knows for how long it is one."""

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from engine.errors import LeaseLost, StoreError
from engine.kernel import Millis, StreamKey
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock, Monotonic
from engine.store.sharing import Sharing

log = logging.getLogger(__name__)

LASTS: Final[Millis] = 30_000
"""For how long a process counts as there after it said so: others go on with what a dead one held so much later."""

BEAT: Final[Millis] = 1_000
"""How often it says so, and is told what others ask for."""

LOOK_EVERY: Final = 5
"""Beats between two looks for what others have left."""

PAGE: Final = 1_000
"""Events read at a time to find out which streams have moved."""

MOST_ORPHANS: Final = 200
"""Taken up at one look."""

FORGET_EVERY: Final = 3_600
"""Beats between two times at which it is forgotten what nobody goes by any more."""

KEPT: Final[Millis] = 3 * 86_400_000
"""For how long it is kept what was spent on a day: clocks differ, and a call that was begun late ends later."""

Heard = Callable[[StreamKey], None]


class Membership:
    """Args:
    activity: counts what is under way.
    """

    def __init__(self, sharing: Sharing, clock: Clock, activity: Activity) -> None:
        self.sharing = sharing
        self._clock = clock
        self._activity = activity
        self._name = ""
        self._until = Monotonic(0)
        self._asked: list[Heard] = []
        self._left: list[Heard] = []
        self._lost: list[Callable[[], None]] = []
        self._news: list[Heard] = []
        self._place = -1
        """Up to where it was read what was committed."""
        self._staying: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """Of this member; another one after it was gone for too long."""
        return self._name

    def listen(self, *, asked: Heard, left: Heard, lost: Callable[[], None]) -> None:
        """
        Args:
            asked: called with what this member holds and another one wants to be looked at.
            left: called with what members held that are gone.
            lost: called once this process holds nothing any more of what it held.
        """
        self._asked.append(asked)
        self._left.append(left)
        self._lost.append(lost)

    def follow(self, heard: Heard) -> None:
        """Call ``heard`` with each stream that any member has committed events to, a beat later at most."""
        self._news.append(heard)

    def lasts(self, millis: Millis) -> bool:
        """Return whether it is a member for so long yet, even if it is not heard of meanwhile."""
        return self._until - self._clock.monotonic() > millis

    def check(self, name: str) -> None:
        """Check that this process is still the member of that name.

        Raises:
            LeaseLost: this process is no member of that name any more.
        """
        if name != self._name:
            raise LeaseLost("This process was away for too long, and others go on in its place.")

    async def start(self) -> None:
        await self._join()
        _, self._place = await self.sharing.news(-1, PAGE)
        self._staying = self._activity.spawn(self._stay())

    async def close(self) -> None:
        """Leave at once, so that others go on with what is left to do."""
        if self._staying is not None:
            self._staying.cancel()
            await asyncio.gather(self._staying, return_exceptions=True)
        try:
            await self.sharing.heartbeat(self._name, 0)
        except StoreError as error:
            log.warning("others are not told that this process has ended, and find out by themselves: %s", error)

    async def _stay(self) -> None:
        beats = 0
        while True:
            with self._activity.waiting():
                await self._clock.until(self._clock.after(BEAT))
            beats += 1
            try:
                await self._beat()
                await self._read_news()
                if beats % LOOK_EVERY == 0:
                    await self._look_for_orphans()
                if beats % FORGET_EVERY == 1:
                    day = datetime.fromtimestamp((self._clock.now() - KEPT) / 1_000, UTC).date()
                    await self.sharing.forget_over(day.isoformat())
            except StoreError as error:
                log.warning("this process cannot say that it is there: %s", error)
            except Exception:
                # Without its beat the process would lose everything it holds: a fault of ours in who listens is told.
                log.exception("something that a beat has told of could not be looked at")

    async def _beat(self) -> None:
        # It lasts from before the store was asked: the answer may take its time.
        until = self._clock.after(LASTS)
        asked = await self.sharing.heartbeat(self._name, LASTS)
        if asked is None:
            log.warning("this process was away for too long; others may have gone on with what it did")
            await self._join()
            for lost in self._lost:
                lost()
            return
        self._until = until
        for key in asked:
            for heard in self._asked:
                heard(key)

    async def _read_news(self) -> None:
        before = -1
        while before != self._place:
            before = self._place
            keys, self._place = await self.sharing.news(before, PAGE)
            for key in keys:
                for heard in self._news:
                    heard(key)

    async def _join(self) -> None:
        until = self._clock.after(LASTS)
        self._name = await self.sharing.join(LASTS)
        self._until = until

    async def _look_for_orphans(self) -> None:
        for key in await self.sharing.orphans(MOST_ORPHANS):
            for heard in self._left:
                heard(key)
