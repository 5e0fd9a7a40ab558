"""Processes of workers: no shell, a bounded output, a bounded time, and nothing left of them.

A process of our own stands between (`engine.workers.guard`): it ends everything that a command has begun, also where
ToWow is killed. Where the guard itself is killed, whatever has the mark of this command in its environment is ended.
"""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from engine.errors import EngineError
from engine.files.kept_folder import make_file, make_folder
from engine.runtime.clock import Clock, WallClock
from engine.workers.port import Failure
from engine.workers.sandbox import Sandbox

log = logging.getLogger(__name__)

Result = TypeVar("Result")

GUARD: Final = Path(__file__).with_name("guard.py")
GRACE: Final = 2.0
"""Seconds between being told to end and being killed."""
PATIENCE: Final = 10.0
"""Seconds in which the guard has ended everything, once that was killed."""
BEATS: Final = 5
"""Signs of life in the time for which a guard waits for one."""
MARK: Final = "TOWOW_ATTEMPT"
"""A variable by which everything that a command has begun is found, unless it has taken it out of its environment."""
UNKNOWN: Final = 255
"""What asyncio says of a process that was waited for elsewhere, as `terminate` does where it has just ended."""
TICK: Final = 0.02
"""Seconds between two looks for what has that mark."""
PIECE: Final = 65_536
LONGEST_LINE: Final = 16_000_000
"""Bytes; a line that is longer is a flood."""
KEPT_STDERR: Final = 20_000
"""Bytes of the end of what it printed to stderr."""
NOT_STARTED: Final = 127


class ProcessTrouble(EngineError):
    """A process came to nothing; the message says how, with nothing of what it printed."""

    failure: Failure = "exit"


class NotStarted(ProcessTrouble):
    failure: Failure = "not_started"


class Flooded(ProcessTrouble):
    failure: Failure = "flood"


class TimedOut(ProcessTrouble):
    failure: Failure = "timeout"


class Stalled(ProcessTrouble):
    failure: Failure = "stalled"


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, and within which bounds."""

    command: tuple[str, ...]
    directory: Path
    environment: Mapping[str, str]
    """The whole of it: nothing is inherited."""
    total: float
    """Seconds that it may take."""
    silence: float
    """Seconds for which it may print nothing to stdout."""
    output_bytes: int
    """That it may print, to stdout and to stderr each."""
    sandbox: Sandbox | None = None
    stderr: Path | None = None
    """A file in which the end of what it printed to stderr is kept, for whoever runs ToWow."""
    unheard: float = 0.0
    """Seconds for which ToWow may be stopped until it is ended: others may say then that it was interrupted. 0: for any
    time."""
    grace: float = GRACE
    clock: Clock = field(default_factory=WallClock)
    """Counts the seconds. Programs take real time, so that it is the machine's but in tests."""

    def running(self, *command: str) -> "Launch":
        return replace(self, command=command)


class WorkerProcess:
    """A command that runs. Made by `started`."""

    def __init__(self, process: asyncio.subprocess.Process, launch: Launch, mark: str) -> None:
        assert process.stdin is not None  # noqa: S101 - started with pipes
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        self.stdin = process.stdin
        self._process = process
        self._stdout, self._stderr = process.stdout, process.stderr
        self._launch = launch
        self._mark = mark
        self._silence = launch.silence
        self._until = launch.clock.after(launch.total * 1000)
        self._read = 0
        self._is_flooding = False
        self._tail = b""
        self._draining = asyncio.create_task(self._drain())

    @property
    def returncode(self) -> int | None:
        """How it ended: 128 and more where a signal ended it; None while it runs."""
        return self._process.returncode

    @property
    def stderr(self) -> str:
        """The end of what it printed to stderr, for whoever runs ToWow."""
        return self._tail.decode("utf-8", "replace")

    def hurry(self, silence: float) -> None:
        """Bound how long it may go on in silence, in seconds: it has said what was to be said."""
        self._silence = min(self._silence, silence)

    async def lines(self) -> AsyncIterator[bytes]:
        """Every line that it prints, without its end."""
        rest = bytearray()
        while piece := await self._in_time(self._stdout.read(PIECE)):
            self._read += len(piece)
            rest += piece
            if self._read > self._launch.output_bytes or len(rest) > LONGEST_LINE:
                self._is_flooding = True
            self._check_flood()
            if b"\n" in piece:
                *lines, last = rest.split(b"\n")
                rest = last
                for line in lines:
                    yield bytes(line.rstrip(b"\r"))
        self._check_flood()
        if rest:
            yield bytes(rest.rstrip(b"\r"))

    async def ended(self) -> int:
        """Wait until it has ended by itself, and return how."""
        code = await self._in_time(self._process.wait())
        await self._in_time(asyncio.shield(self._draining))
        self._check_flood()
        if code == NOT_STARTED:
            raise NotStarted(_not_there(self._launch))
        return code

    async def write(self, text: bytes, *, close: bool = False) -> None:
        """Write to its stdin; that it has ended, or closed it, is no fault of the writer's."""
        with contextlib.suppress(ConnectionError):
            self.stdin.write(text)
            await self._in_time(self.stdin.drain())
        if close:
            self.stdin.close()

    async def end(self) -> None:
        """End it with everything that it has begun; on return nothing of it is left."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            # What it printed and nobody has read would hold it up, and `wait` with it.
            discarding = asyncio.create_task(self._discard())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._launch.grace + PATIENCE):
                    await self._process.wait()
            discarding.cancel()
            await asyncio.gather(discarding, return_exceptions=True)
        if self._process.returncode in (None, -signal.SIGKILL, UNKNOWN):
            # Somebody may have killed the guard, so that what it guarded may go on.
            log.error("the guard of %s may have been killed, and what it has left is ended", self._launch.command[0])
            await asyncio.to_thread(_end_marked, self._mark)
        self.stdin.close()
        await asyncio.wait({self._draining}, timeout=self._launch.grace)
        self._draining.cancel()
        await asyncio.gather(self._draining, return_exceptions=True)
        if self._launch.stderr is not None and self._tail:
            with contextlib.suppress(OSError):
                await asyncio.to_thread(_keep, self._launch.stderr, self._tail)

    async def _discard(self) -> None:
        while await self._stdout.read(PIECE):
            pass

    def _check_flood(self) -> None:
        if self._is_flooding:
            raise Flooded(f"It printed more than {self._launch.output_bytes} bytes.")

    async def _in_time(self, work: Awaitable[Result]) -> Result:
        clock = self._launch.clock
        silent = clock.after(self._silence * 1000)
        working = asyncio.ensure_future(work)
        waiting = asyncio.ensure_future(clock.until(min(self._until, silent)))
        try:
            await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            if self._until <= silent:
                raise TimedOut(f"It took longer than {self._launch.total:g} seconds.")
            raise Stalled(f"It was silent for {self._silence:g} seconds.")
        finally:
            waiting.cancel()
            working.cancel()
            await asyncio.gather(waiting, working, return_exceptions=True)

    async def _drain(self) -> None:
        """Read stderr, or it would wait; keep the end of it. Once it is a flood, the command is ended."""
        read = 0
        while piece := await self._stderr.read(PIECE):
            read += len(piece)
            self._tail = (self._tail + piece)[-KEPT_STDERR:]
            if read > self._launch.output_bytes and not self._is_flooding:
                self._is_flooding = True
                with contextlib.suppress(ProcessLookupError):
                    self._process.terminate()


@asynccontextmanager
async def started(launch: Launch) -> AsyncIterator[WorkerProcess]:
    """Start a command. On leaving, nothing of it is left."""
    if not _is_there(launch):
        raise NotStarted(_not_there(launch))
    ours, theirs = os.pipe()
    os.set_inheritable(ours, True)
    try:
        # Whoever is cancelled while it starts still has to end it.
        mark = uuid4().hex
        starting = asyncio.create_task(_start(launch, ours, mark))
        try:
            process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait({starting})
            if not starting.cancelled() and starting.exception() is None:
                await WorkerProcess(starting.result(), launch, mark).end()
            raise
        except OSError as error:
            raise NotStarted(f"{launch.command[0]} could not be started.") from error
        running = WorkerProcess(process, launch, mark)
        beating = asyncio.create_task(_beat(theirs, launch.unheard / BEATS)) if launch.unheard else None
        try:
            yield running
        finally:
            if beating is not None:
                beating.cancel()
            await _whole(running.end())
    finally:
        os.close(ours)
        os.close(theirs)


async def _beat(lifeline: int, pause: float) -> None:
    """Tell the guard again and again that we go on."""
    os.set_blocking(lifeline, False)
    while True:
        with contextlib.suppress(OSError):  # the guard has ended, or does not read: both are known otherwise
            os.write(lifeline, b".")
        await asyncio.sleep(pause)


async def _start(launch: Launch, lifeline: int, mark: str) -> asyncio.subprocess.Process:
    command = launch.command
    if launch.sandbox is not None:
        command = launch.sandbox.wrap(command, launch.directory, launch.environment)
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(GUARD), str(lifeline), str(launch.grace), str(launch.unheard), *command),
        cwd=launch.directory,
        env={**launch.environment, MARK: mark},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        pass_fds=(lifeline,),
    )


def _end_marked(mark: str) -> None:
    """Kill everything with this mark, and what that begins meanwhile; on Linux only."""
    until = time.monotonic() + PATIENCE
    while (found := _marked(mark)) and time.monotonic() < until:
        for each in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)
        time.sleep(TICK)


def _marked(mark: str) -> list[int]:
    sought, found = f"{MARK}={mark}".encode(), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                if sought in file.read().split(b"\0"):
                    found.append(int(name))
    return found


def _keep(path: Path, text: bytes) -> None:
    make_folder(path.parent)
    make_file(path)
    path.write_bytes(text)


def _not_there(launch: Launch) -> str:
    hint = ", or its sandbox does not show it: name it in readable" if launch.sandbox else ""
    return f"{launch.command[0]}, or what runs it, is not installed, or may not be run{hint}."


def _is_there(launch: Launch) -> bool:
    program = launch.command[0]
    path = str(launch.directory / program) if os.path.dirname(program) else program
    return shutil.which(path, path=launch.environment.get("PATH", os.defpath)) is not None


async def _whole(work: Coroutine[Any, Any, None]) -> None:
    """Do something to its end, also where somebody gives up waiting for it."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
