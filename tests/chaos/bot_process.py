"""The bot as the README starts it, in a process of its own, one life after another on one database."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
CONNECTED: Final = b"ToWow is connected"
WATCHED: Final = {"PYTHONPATH": str(ROOT), "PYTHONFAULTHANDLER": "1"}
START: Final = 120.0
"""Seconds that a start may take while others use the machine, too."""
LAST_WORDS: Final = 3_000
"""Characters of the log that are told of a life that ended at its start."""
END: Final = 60.0
"""Seconds that an end may take after SIGTERM."""


class BotProcess:
    """
    Args:
        folder: where the process runs; its log is kept beside it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.log = folder.with_suffix(".log")
        self.held = folder.with_suffix(".held")
        """Lines of `tests.chaos.watched`."""
        self.lives = 0
        self.stillborn = 0
        """Processes that crashed before there was an interpreter: what was preloaded did it, and none of our code."""
        self._process: Process | None = None
        self._reading: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        """Return the process's id while it lives."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def start(self, environ: Mapping[str, str]) -> str:
        """Begin another life; it connects in the background.

        Returns:
            What went wrong; empty where it is connected.
        """
        self.lives += 1
        process = await self._spawn(environ)
        self._process = process
        assert process.stdout is not None
        assert process.stderr is not None
        log_began = self.log.stat().st_size if self.log.exists() else 0
        self._keep(process.stderr)
        try:
            async with asyncio.timeout(START):
                while line := await process.stdout.readline():
                    if CONNECTED in line:
                        self._keep(process.stdout)
                        return ""
                code = await process.wait()
        except TimeoutError:
            return f"life {self.lives} was not connected within {START:g} s"
        if code == -signal.SIGKILL:
            return ""
        await asyncio.gather(*self._reading)
        told = self.log.read_bytes()[log_began:].decode(errors="replace")
        if code == -signal.SIGSEGV and "LD_PRELOAD" in environ and not told and not self.stillborn:
            # With a fault in Python's or our code, faulthandler writes where it was.
            self.lives, self.stillborn = self.lives - 1, self.stillborn + 1
            return await self.start(environ)
        return f"life {self.lives} ended at its start with {code}: {told[-LAST_WORDS:]}"

    async def _spawn(self, environ: Mapping[str, str]) -> Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.watched", "run", cwd=self._folder, stdin=DEVNULL, stdout=PIPE,
            stderr=PIPE, env=os.environ | WATCHED | {"HELD_LOOP": str(self.held)} | dict(environ),
        )  # fmt: skip

    async def second(self, environ: Mapping[str, str]) -> str:
        """Start another one on the same database beside it.

        Returns:
            What went wrong; empty where it was refused in words.
        """
        process = await self._spawn(environ)
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            async with asyncio.timeout(START):
                said = await process.stdout.readline()
                if CONNECTED in said:
                    return "a second process on the same database runs"
                told = await process.stderr.read()
                await process.wait()
        except TimeoutError:
            return f"a second process on the same database is there after {START:g} s"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0 or b"Traceback" in told or b"towow:" not in told:
            return f"a second process on the same database ended with {process.returncode}: {told.decode()[-300:]}"
        return ""

    async def kill(self) -> None:
        """End it at once, wherever it is."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def stop(self) -> str:
        """Tell it to end.

        Returns:
            What went wrong; empty where it ended by itself.
        """
        process = self._process
        if process is None or process.returncode is not None:
            return ""
        process.terminate()
        try:
            code = await asyncio.wait_for(process.wait(), END)
        except TimeoutError:
            process.send_signal(signal.SIGABRT)  # faulthandler writes into the log where it hangs
            await process.wait()
            return f"life {self.lives} did not end within {END:g} s after SIGTERM"
        return "" if code == 0 else f"life {self.lives} ended with {code} after SIGTERM"

    async def close(self) -> None:
        await self.kill()
        await asyncio.gather(*self._reading)

    def _keep(self, stream: asyncio.StreamReader) -> None:
        """Write what it says to the log: by us, so that a full disk of its does not silence it."""

        async def read() -> None:
            with self.log.open("ab") as log:
                while text := await stream.read(65_536):
                    log.write(text)

        task = asyncio.create_task(read())
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)
