"""A siege of several bots on one PostgreSQL: they are killed, frozen or ended, and so is the server."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import psycopg

from bot.local_slack import LocalWorkspace
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from tests.anthropic_server import LocalAnthropic
from tests.postgres import USER, PostgresServer

from .bot_process import BotProcess
from .plan import SEVERAL, Step
from .siege import Siege

LAST: Final = 6
"""Seconds after which the others do what a bot was doing that is not heard of."""
GONE: Final = 35.0
"""Seconds until nobody counts as there any more who was killed."""


class SharedSiege(Siege):
    """
    Args:
        bots: how many.
    """

    kinds = SEVERAL
    between_demands = (8.0, 26.0)
    peace = 900.0

    def __init__(self, seed: int, seconds: float, folder: Path, say: Callable[[str], None], bots: int) -> None:
        super().__init__(seed, seconds, folder, say)
        self._report.bots = bots
        homes = [folder / f"bot{number}" for number in range(bots)]
        for each in homes:
            each.mkdir()
        self._bots = [BotProcess(each) for each in homes]
        self._server = PostgresServer.create(is_careless=False)
        self._server.start()
        with psycopg.connect(self._server.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {USER}")
        self._which = Random(f"{seed} which")
        self._doing: dict[BotProcess, asyncio.Task[None]] = {}
        """What is being done to a bot, until it is there again."""

    async def _take(self, step: Step, workspace: LocalWorkspace, anthropic: LocalAnthropic) -> str:
        environ = self._environ(workspace, anthropic)
        match step.kind:
            case "kill" | "stop" | "freeze":
                bot = self._which.choice(self._bots)
                if (before := self._doing.get(bot)) is not None:
                    await before
                self._doing[bot] = asyncio.create_task(self._upset(bot, step, environ))
            case "postgres":
                await asyncio.to_thread(self._server.stop, "immediate" if step.what == "killed" else "fast")
                await asyncio.sleep(step.given["seconds"])
                await asyncio.to_thread(self._server.start)
            case _:
                return await super()._take(step, workspace, anthropic)
        return ""

    async def _upset(self, bot: BotProcess, step: Step, environ: Mapping[str, str]) -> None:
        pid = bot.pid
        if step.kind == "freeze":
            if pid is not None:
                os.kill(pid, signal.SIGSTOP)
                await asyncio.sleep(step.given["seconds"])
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
            return
        if step.kind == "kill":
            await bot.kill()
            await asyncio.sleep(step.given["down"])
        else:
            self._fails(await bot.stop())
        while failed := await bot.start(environ):
            if "PostgreSQL" not in failed and "store" not in failed:
                self._fails(failed)
                return
            await asyncio.sleep(1)  # the server is away just now: a supervisor starts it again

    async def _end(self) -> None:
        await asyncio.gather(*self._doing.values())
        await super()._end()
        await asyncio.sleep(GONE)

    def _environ(self, workspace: LocalWorkspace, anthropic: LocalAnthropic) -> dict[str, str]:
        shared = {"TOWOW_DB": self._server.url(), "TOWOW_JOBS_LAST": str(LAST)}
        return super()._environ(workspace, anthropic) | shared

    def _store(self) -> Store:
        return PostgresStore(self._server.url())
