"""One bot after another on the same database: whenever one is killed, the next is started."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Awaitable, Callable
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from engine.kernel import Millis

from .bot_process import Papers, live
from .fuse import LIGHTS, When
from .line import DONE, SHOWN, Line

_SERVER = multiprocessing.get_context("forkserver")


def warm_up() -> None:
    """Let a server import everything beforehand: a bot that it forks is up in a tenth of a second."""
    _SERVER.set_forkserver_preload(["pytest", "tests.crash.preloaded"])
    forkserver.ensure_running()


class BotFailed(AssertionError):
    """It ended by itself, and nobody had dismissed it."""


async def _nothing() -> None: ...


class Bots:
    """
    Args:
        papers: what the next bot is started with.
        life: what the process of each bot does.
        killed: called when one was killed; before the next one starts.
    """

    def __init__(
        self,
        papers: Callable[[], Papers],
        life: Callable[[Papers, Connection], None] = live,
        killed: Callable[[], Awaitable[None]] = _nothing,
    ) -> None:
        self._papers = papers
        self._life = life
        self._killed = killed
        self._process: ForkServerProcess | None = None
        self._line: Line | None = None
        self._changed = asyncio.Condition()
        self._deaths = 0
        self._naps = 0
        self._has_ended = False
        self.ahead: Millis = 0
        """How much later it is for them than for the machine."""

    @property
    def crashes(self) -> int:
        """How many have been killed, but for those that were only to sleep."""
        return self._deaths - self._naps

    async def live(self) -> None:
        """Returns when a bot has ended because it was dismissed.

        Raises:
            BotFailed
        """
        while (code := await self._one_life()) == -signal.SIGKILL:
            async with self._changed:
                self._deaths += 1
                self._changed.notify_all()
            await self._killed()
        if code != 0:
            raise BotFailed(f"It ended with {code}.")
        async with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    async def crashed(self) -> None:
        """Returns when one has been killed."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.crashes > 0)

    async def nap(self, length: Millis) -> None:
        """One is killed, and when the next one starts it is later. Only while nothing is left to do."""
        deaths = self._deaths
        self.ahead += length
        self._naps += 1
        self.kill()
        async with self._changed:
            await self._changed.wait_for(lambda: self._deaths > deaths)

    async def nothing_is_left_to_do(self) -> None:
        """Returns when a bot says so, however many are killed before they can."""
        await self._confirms(DONE)

    async def everything_is_shown(self) -> None:
        """The same, while people are not done yet: no time passes for it."""
        await self._confirms(SHOWN)

    async def _confirms(self, question: str) -> None:
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._line is not None)
                line = self._line
            assert line is not None
            line.say(question)
            if await line.hear() is not None:
                return
            if line is self._line:
                self._line = None

    async def dismiss(self) -> None:
        """Let one end by itself, once nothing is left to do; where it is killed meanwhile, the next one."""
        while not self._has_ended:
            await self.nothing_is_left_to_do()
            told = self._line
            if told is not None:
                told.close()
            await self._another_or_none(told)

    async def _another_or_none(self, told: Line | None) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._has_ended or self._line not in (None, told))

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def kill_at_next_write(self, when: When) -> None:
        self._signal(LIGHTS[when])

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    async def _one_life(self) -> int | None:
        """Its exit code."""
        ours, theirs = _SERVER.Pipe()
        process = _SERVER.Process(target=self._life, args=(self._papers(), theirs), daemon=True)
        process.start()
        theirs.close()
        line, ended, loop = Line(ours), asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(process.sentinel, ended.set)
        try:
            async with self._changed:
                self._process, self._line = process, line
                self._changed.notify_all()
            await ended.wait()
        finally:
            self._process = self._line = None
            loop.remove_reader(process.sentinel)
            line.close()
            if not ended.is_set():
                process.kill()
            process.join()
        code = process.exitcode
        process.close()
        return code
