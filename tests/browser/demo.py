"""``towow demo`` as a process of its own, as people start it."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.demo.demo import CHANNEL, REQUESTER
from bot.local_slack import Person
from bot.local_slack.clients import Admin
from bot.views.directory.buttons import SETTINGS

from ..cli.conftest import ended, process

ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:\d+")
PATIENT: Final = {name: {name: "10"} for name in ("human", "override")}
"""Minutes in the settings form: nothing closes by itself while somebody looks for a button."""


@dataclass(frozen=True)
class Demo:
    url: str
    running: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def admin(self) -> Admin:
        return Admin(self.url)

    def person(self, user_id: str = REQUESTER) -> Person:
        return Person(self.url, user_id)

    async def takes_its_time(self) -> None:
        """From the next demand on, rounds stay open until somebody skips ahead."""
        you = self.person()
        await you.open_home()
        home = await you.until_home(lambda view: SETTINGS in str(view.blocks))
        form = await you.act(home, SETTINGS)
        assert form.modal is not None
        assert (await you.submit(form.modal, PATIENT)).acked

    async def asks(self, demand: str) -> str:
        """Posts a demand in the channel.

        Returns:
            where its thread is, for an address.
        """
        said = await self.person().say(CHANNEL, f"@towow {demand}")
        return f"{CHANNEL}/{said.ts}"

    def killed(self) -> None:
        self.running.kill()
        ended(self.running)


@asynccontextmanager
async def started(*arguments: str | Path, cwd: Path, **variables: str) -> AsyncIterator[Demo]:
    running = process("demo", "--no-browser", "--empty", *arguments, cwd=cwd, screen=subprocess.PIPE, **variables)
    try:
        assert running.stdout is not None
        address = ADDRESS.search(await asyncio.to_thread(running.stdout.readline))
        assert address is not None
        yield Demo(address[0], running)
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGINT)
            await asyncio.to_thread(ended, running)
