"""What goes wrong in a run, and when."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bot.local_slack import LocalWorkspace
from bot.local_slack.clients import FaultHandle

from .bot_process import Papers
from .bots import Bots
from .databases import RunsDatabase, Schema
from .fuse import Fuse, When
from .people import LIMIT
from .postgres_wire import Moment, WireFault

PATIENCE: Final = 2 * LIMIT
"""Seconds that a fault may take to strike: a run ends before, and one that is over before its fault is no failure."""

LOOK_UPS: Final = ("conversations.replies", "conversations.history")
"""Whether something was posted: in a thread, or in somebody's direct messages."""


Strike = Callable[[Bots], Coroutine[Any, Any, None]]
"""Returns once it has happened; cancelled where it could not."""


class Mishap:
    """This one never comes about."""

    def papers(self, papers: Papers, life: int) -> Papers:
        """What the bot is started with. Its first life, since something may go wrong, is 0."""
        return papers

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        """Called before that life begins."""
        return Bots.crashed


NONE: Final = Mishap()


@dataclass(frozen=True, slots=True)
class KilledAtWrite(Mishap):
    """By itself, in its first life, or in each."""

    fuse: Fuse
    always: bool = False

    def papers(self, papers: Papers, life: int) -> Papers:
        return replace(papers, fuse=self.fuse) if self.always or not life else papers


@dataclass(frozen=True, slots=True)
class KilledAtCall(Mishap):
    """When the workspace has done what a call asked for and holds the reply back; or has just sent an envelope."""

    method: str
    nth: int
    do: Literal["hold", "drop_sent"] = "hold"

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        fault = await workspace.admin.fault(self.method, self.do, nth=self.nth)

        async def strike(bots: Bots) -> None:
            await fault.reached(PATIENCE)
            await _kill_at(bots, fault)

        return strike


@dataclass(frozen=True, slots=True)
class KilledAtStatement(Mishap):
    """When PostgreSQL has heard all but this statement, or when it has done it and the answer is held back."""

    statement: str
    moment: Moment
    nth: int
    is_writers: bool = False

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        assert isinstance(database, Schema)
        fault = database.wire.fault(WireFault(self.statement.encode(), self.moment, self.nth, self.is_writers))

        async def strike(bots: Bots) -> None:
            await fault.reached()
            bots.kill()
            await bots.crashed()

        return strike


@dataclass(frozen=True, slots=True)
class CallFails(Mishap):
    """And the bot lives: ``drop_after``, its effect is done and the bot never learns of it; ``status``, it is not."""

    method: str
    nth: int
    do: Literal["drop_after", "status"]

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        fault = await workspace.admin.fault(self.method, self.do, nth=self.nth)

        async def strike(bots: Bots) -> None:
            await fault.reached(PATIENCE)

        return strike


@dataclass(frozen=True, slots=True)
class CallFailsThenKilled(Mishap):
    """A call fails, as in `CallFails` or because there were too many (429); and what the bot then begins it never ends.

    It is killed at its next write, or at its next call of one of these methods: done, and the reply held back.
    """

    method: str
    nth: int
    do: Literal["drop_after", "status"]
    then: When | tuple[str, ...]
    status: int = 500

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        admin = workspace.admin
        await admin.fault(self.method, self.do, nth=self.nth, status=self.status, retry_after=1)
        fails = await admin.fault(self.method, "hold", nth=self.nth)  # so that we are there before it is told

        async def strike(bots: Bots) -> None:
            await fails.reached(PATIENCE)
            if isinstance(self.then, tuple):
                faults = [await admin.fault(method, "hold") for method in self.then]
                await fails.release()
                await _first(faults)
                await _kill_at(bots, *faults)
            else:
                bots.kill_at_next_write(self.then)
                await fails.release()
                await bots.crashed()

        return strike


@dataclass(frozen=True, slots=True)
class CarriedOutLate(Mishap):
    """Slack does what a post asked for once the bot has looked in vain and posts again; and the bot may be killed."""

    nth: int
    kills: bool

    async def lie_in_wait(self, workspace: LocalWorkspace, database: RunsDatabase) -> Strike:
        post = "chat.postMessage"
        fault = await workspace.admin.fault(post, "late", nth=self.nth, seconds=PATIENCE)

        async def strike(bots: Bots) -> None:
            await fault.reached(PATIENCE)
            again = await workspace.admin.fault(post, "delay")
            await again.reached(PATIENCE)
            await fault.release()
            if self.kills:
                bots.kill()
                await bots.crashed()

        return strike


async def _first(faults: list[FaultHandle]) -> None:
    """Returns when one of them has struck."""
    waiting = [asyncio.create_task(each.reached(PATIENCE)) for each in faults]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _kill_at(bots: Bots, *faults: FaultHandle) -> None:
    bots.kill()
    await bots.crashed()
    for each in faults:
        await each.release()
