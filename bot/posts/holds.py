"""The right of one process to keep something in Slack, where several share a store: the posts of a stream, say.

Slack cannot be told who may call it. So whoever calls must have time left for the call, and whatever is stored about it
is stored only while the right lasts.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import msgspec

from bot.posts.failures import CallFailed, Shut
from bot.posts.rate_limits import RateLimits
from bot.posts.waiting import FIRST_PAUSE, Waiting
from engine.errors import LeaseLost
from engine.kernel import Millis, StreamKey, Tenant
from engine.llm.port import Pause
from engine.runtime.membership import BEAT, Membership
from engine.runtime.ports import IsAbsent, nobody_is_absent
from engine.store.port import Store

BESIDE: Final = "beside:"
"""Before the names of what is held beside the streams, for the time of one call."""

NEEDED: Final[Millis] = 12_000
"""What must be left before a call: one takes ten seconds at most (bot/slack/client.py)."""


@dataclass(slots=True)
class Hold:
    """
    Args:
        membership: None where one process has the store to itself, and so may keep everything.
    """

    key: StreamKey
    membership: Membership | None = None
    member: str = ""
    """Under which name it is held; empty where it is not."""

    async def take(self) -> bool:
        """Hold it from now on; return whether nobody else does, who is asked to look at it in that case.

        Raises:
            LeaseLost: it was held, and is so no longer.
            StoreError
        """
        if self.membership is None:
            return True
        if self.member:
            self.check()
            return True
        name = self.membership.name
        if await self.membership.sharing.hold(self.key, name):
            self.member = name
        return bool(self.member)

    async def let_go(self) -> bool:
        """Hold it no longer; return False where somebody has asked to look at it, and it is held still."""
        if self.membership is None or not self.member:
            return True
        if await self.membership.sharing.let_go(self.key, self.member):
            self.member = ""
        return not self.member

    async def drop(self) -> None:
        """Hold it no longer, whoever has asked to look at it: they try again by themselves."""
        while not await self.let_go():
            pass

    def check(self) -> None:
        """Check that this process still holds it.

        Raises:
            LeaseLost: it is held no longer.
        """
        if self.membership is not None:
            self.membership.check(self.member)

    @property
    def has_time(self) -> bool:
        """Whether it is held for as long as a call takes."""
        return self.membership is None or (self.member == self.membership.name and self.membership.lasts(NEEDED))

    def fence(self) -> None:
        """Check that enough time is left for a call to Slack.

        Raises:
            LeaseLost: too little time is left for a call.
        """
        if not self.has_time:
            raise LeaseLost(f"Too little time is left for calls about {self.key.stream}.")

    async def ready(self, waiting: Waiting) -> None:
        """Wait until there is time for a call.

        Raises:
            LeaseLost: it is held no longer.
        """
        self.check()
        while not self.has_time:
            await waiting.pause(BEAT)
            self.check()


def beside(tenant: Tenant, name: str) -> StreamKey:
    """Return by which name something is held for the time of one call."""
    return StreamKey(tenant, BESIDE + name)


async def go_on_without(key: StreamKey, membership: Membership) -> None:
    """Let go what a process held for the time of one call when it ended."""
    hold = Hold(key, membership)
    if await hold.take():
        await hold.drop()


KIND: Final = "paused"
"""Of the records, by stream: why it waits, as far as another process must know."""

LATE: Final[Millis] = 120_000
"""How long after a pause was to end it is taken for over: the process that knew of it may have ended."""

PausedBy = Callable[[StreamKey], Pause | None]

PauseOf = Callable[[StreamKey], Awaitable[Pause | None]]
"""May raise `StoreError`."""


async def not_paused(key: StreamKey) -> None:
    """For models that answer at once."""


def known_to_one(own: PausedBy) -> PauseOf:
    """Return what one process knows that has the store to itself."""

    async def of(key: StreamKey) -> Pause | None:
        return own(key)

    return of


class SharedPauses:
    """
    Args:
        own: says which streams wait for the model that this process asks.
        now: says what time it is.
    """

    def __init__(self, store: Store, own: PausedBy, now: Callable[[], Millis]) -> None:
        self._store = store
        self._own = own
        self._now = now

    async def tell(self, key: StreamKey) -> None:
        """Store what is true of a stream now."""
        pause = self._own(key)
        row = msgspec.json.encode(pause).decode() if pause else None
        await self._store.put_records(key.tenant, KIND, {key.stream: row})

    async def of(self, key: StreamKey) -> Pause | None:
        """Return why a stream waits, whichever process asks its model."""
        if (own := self._own(key)) is not None:
            return own
        row = (await self._store.records(key.tenant, KIND, key.stream, limit=1)).get(key.stream)
        pause = msgspec.json.decode(row, type=Pause) if row else None
        return pause if pause is not None and self._now() < pause.until + LATE else None


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
