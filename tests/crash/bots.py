"""One bot after another on the same file: whenever one is killed, the next is started."""

import asyncio
import multiprocessing
import os
import signal
from contextlib import suppress
from dataclasses import replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from .bot_process import Papers, live

_SERVER = multiprocessing.get_context("forkserver")
"""Has imported everything already: a bot of it is up in a tenth of a second."""


def warm_up() -> None:
    _SERVER.set_forkserver_preload(["pytest", "tests.crash.bot_process"])
    forkserver.ensure_running()


class BotFailed(AssertionError):
    """It ended by itself, and not because it was done."""


class Bots:
    def __init__(self, papers: Papers) -> None:
        self._papers = papers
        self._process: ForkServerProcess | None = None
        self._line: Connection | None = None
        self._finishing = False
        self.deaths = 0

    async def live(self) -> None:
        """Returns when a bot has finished.

        Raises:
            BotFailed
        """
        papers = self._papers
        while True:
            code = await self._one_life(papers)
            if code == 0:
                return
            if code != -signal.SIGKILL:
                raise BotFailed(f"the bot ended with {code}:\n{self._papers.log.read_text()}")
            self.deaths += 1
            papers = replace(papers, fuse=None)

    def finish(self) -> None:
        """Let the bot end when nothing is left to do; if it is killed before, let the next one."""
        self._finishing = True
        self._tell()

    def kill(self) -> None:
        if self._process is not None and self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGKILL)

    async def _one_life(self, papers: Papers) -> int | None:
        ours, theirs = _SERVER.Pipe()
        process = _SERVER.Process(target=live, args=(papers, theirs), daemon=True)
        ended = asyncio.Event()
        process.start()
        theirs.close()
        self._process, self._line = process, ours
        loop = asyncio.get_running_loop()
        loop.add_reader(process.sentinel, ended.set)
        try:
            if self._finishing:
                self._tell()
            await ended.wait()
        finally:
            loop.remove_reader(process.sentinel)
            self._process = self._line = None
            ours.close()
            if not ended.is_set():
                process.kill()
            process.join()
            code = process.exitcode
            process.close()
        return code

    def _tell(self) -> None:
        if self._line is not None:
            with suppress(ConnectionError):  # it has just been killed: the next one is told
                self._line.send_bytes(b"finish")
