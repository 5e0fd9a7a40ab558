"""What stands in for processes that share one PostgreSQL: each has connections, caches, tasks and clocks of its own."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, LiteralString

import psycopg

from engine.kernel import Millis, StreamKey
from engine.runtime.activity import Pace
from engine.runtime.clock import JumpingClock
from engine.runtime.job_worker import PAUSE
from engine.runtime.jobs import Jobs
from engine.runtime.jobs_outbox import LOOK_EVERY
from engine.runtime.runtime import Receipt, Runtime
from engine.runtime.shared import shared
from engine.store.postgres import PostgresStore

from .conftest import KEY, NOON, Cookery
from .toy_protocol import EFFECTS, KITCHEN, Kitchen, Order

LASTS: Millis = 60_000
"""Real time that no test takes: who is to have been away for so long is made to have been (`Town.ages`)."""

LOOPS = 7
"""That wait for a process's pulse: two workers that look and beat, the sweep, what is watched, what is lost."""


class Line:
    """A process's line to the database: nothing comes through while it is frozen, and nothing more once it is dead."""

    def __init__(self, end: object) -> None:
        self._end = end
        self._open = asyncio.Event()
        self._open.set()
        self.workers: list[int] = []
        """What it has joined as."""

    def __getattr__(self, name: str) -> Any:
        known = getattr(self._end, name)
        if not asyncio.iscoroutinefunction(known):
            return known

        async def through(*args: Any, **kwargs: Any) -> Any:
            await self._open.wait()
            answer = await known(*args, **kwargs)
            await self._open.wait()
            if name == "join":
                self.workers.append(answer)
            return answer

        return through

    @property
    def is_open(self) -> bool:
        return self._open.is_set()

    def cut(self) -> None:
        self._open.clear()

    def mend(self) -> None:
        self._open.set()


@dataclass
class Process:
    """
    Args:
        clock: what people's deadlines are decided by, everywhere.
        pulse: what this process waits by.
    """

    store: PostgresStore
    jobs: Jobs
    clock: JumpingClock
    cookery: Cookery
    most: int
    """Jobs that it does at once."""
    pulse: JumpingClock = field(default_factory=lambda: JumpingClock(NOON))
    store_line: Line = field(init=False)
    jobs_line: Line = field(init=False)
    runtime: Runtime = field(init=False)

    def __post_init__(self) -> None:
        store, jobs = self.store_line, self.jobs_line = Line(self.store), Line(self.jobs)
        runners = {each.kind: self.cookery for each in EFFECTS}
        self.runtime = shared(
            store,
            jobs,  # type: ignore[arg-type]
            self.clock,
            [KITCHEN],
            runners,
            EFFECTS,
            patience=0,
            pace=Pace(lasts=LASTS, most=self.most),
            pulse=self.pulse,
        )
        self.cookery.waiting = self.runtime.activity.waiting

    async def handle(self, command: Any, key: StreamKey = KEY) -> Receipt:
        return await self.runtime.handle(key, "kitchen", command)

    async def kitchen(self, key: StreamKey = KEY) -> Kitchen:
        state, _ = await self.runtime.read(key)
        assert isinstance(state, Kitchen)
        return state

    async def looks(self, millis: Millis = PAUSE) -> None:
        """Time passes for it: it looks for jobs, and says that it is there, as far as that is due."""
        self.pulse.jump(self.pulse.now() + millis)
        for _ in range(LOOPS):  # so that each of them has had its turn
            await asyncio.sleep(0)
        await comes_true(lambda: self.pulse.waiting == LOOPS and self.runtime.activity.is_idle)

    def freeze(self) -> None:
        self.store_line.cut()
        self.jobs_line.cut()

    def thaw(self) -> None:
        self.store_line.mend()
        self.jobs_line.mend()


class Town:
    """Processes on one database."""

    def __init__(self, url: str, clock: JumpingClock) -> None:
        self.url = url
        self.clock = clock
        self.cooked: list[str] = []
        """Every dish that was begun, wherever."""
        self.gates: dict[str, asyncio.Event] = {}
        self.fails: dict[str, int] = {}
        self.running: list[Process] = []
        self._killed: list[Process] = []
        self._numbers = itertools.count()

    @property
    def awake(self) -> list[Process]:
        return [each for each in self.running if each.store_line.is_open]

    async def begins(self, *, most: int = 200) -> Process:
        store, jobs = PostgresStore(self.url), Jobs(self.url)
        await store.open()
        await jobs.open()
        await jobs.create()
        store.on_commit = jobs.defer
        process = Process(store, jobs, self.clock, Cookery(self.clock, self.cooked, self.fails, self.gates), most)
        self.running.append(process)
        await process.runtime.start()
        return process

    @asynccontextmanager
    async def jobs(self) -> AsyncIterator[Jobs]:
        """Those of the database, for whoever is no process."""
        jobs = Jobs(self.url)
        await jobs.open()
        try:
            yield jobs
        finally:
            await jobs.close()

    def kills(self, process: Process) -> None:
        """Nothing that it says from now on is heard."""
        process.freeze()
        self.running.remove(process)
        self._killed.append(process)

    async def ends(self, process: Process) -> None:
        """In order, as on SIGTERM."""
        self.running.remove(process)
        await process.runtime.close()
        await process.jobs.close()
        await process.store.close()

    def ages(self) -> None:
        """Let those that are frozen or killed have been away for too long."""
        there = [worker for each in self.awake for worker in each.jobs_line.workers]
        self.tells(
            "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 day' WHERE id != ALL(%s)", there
        )

    async def rests(self, finds_lost: bool = False) -> None:
        """Until nothing can happen without people's clock."""
        for _ in range(3):
            for each in self.awake:
                await each.looks(LOOK_EVERY if finds_lost else LASTS // 3)

    async def has_turns(self) -> None:
        """Everybody gets on a little, each at another place."""
        for _ in range(20):
            await asyncio.sleep(0)

    def jobs_left(self) -> list[str]:
        """The names of the queues of all jobs there are."""
        return [name for (name,) in self.tells("SELECT queue_name FROM procrastinate_jobs ORDER BY id")]

    def tells(self, statement: LiteralString, *given: Any) -> list[tuple[Any, ...]]:
        """Have the database do something that no process does."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            done = connection.execute(statement, given or None)
            return done.fetchall() if done.description else []

    async def closes(self) -> None:
        for each in list(self.running):
            each.thaw()
            await self.ends(each)
        for each in self._killed:
            each.thaw()
            await each.runtime.close()
            await each.jobs.close()
            await each.store.close()


@asynccontextmanager
async def town(url: str, clock: JumpingClock) -> AsyncIterator[Town]:
    found = Town(url, clock)
    try:
        yield found
    finally:
        for gate in found.gates.values():
            gate.set()
        await found.closes()


async def comes_true(condition: Callable[[], bool]) -> None:
    """Within a minute."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - it depends on when the server answers
            await asyncio.sleep(0.001)


def order(dish: str, guest: str = "bo") -> Order:
    return Order(command_id=f"order {dish}", at=NOON, guest=guest, dish=dish)
