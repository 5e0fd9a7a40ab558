"""The right of one process to keep something in Slack, where several share a store: the posts of a stream, say.

Slack cannot be told who may call it. So whoever calls must have time left for the call, and whatever is stored about it
is stored only while the right lasts.
"""

from dataclasses import dataclass
from typing import Final

from bot.posts.waiting import Waiting
from engine.errors import LeaseLost
from engine.kernel import Millis, StreamKey, Tenant
from engine.runtime.membership import BEAT, Membership

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
