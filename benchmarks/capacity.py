"""What one, two and four processes do that share PostgreSQL, beside SQLite: how far each goes before something is used
up.

One after another they share no transaction: that is what a negotiation costs whose models take their time.

With ``--json``: by store, and how many processes, for a negotiation: ``cpu_ms`` of the processes,
``server_cpu_ms`` of the database, and of PostgreSQL ``transactions``, ``jobs`` and ``wal_kib``; ``kib`` is what
it takes on disk in the end. ``negotiations_per_s`` are those of all processes.
"""

import asyncio
import multiprocessing
import os
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks import engine
from benchmarks.cost import Figures
from benchmarks.latency import AT_ONCE as AT_ONCE_ANSWERED
from benchmarks.stub import StubModel, crowd
from bot.runtimes import runtime_on
from engine.files.prompts import load_prompts
from engine.kernel import Ask
from engine.llm.asker import Asker, for_every_tenant
from engine.negotiation.asks import RETURNS, NegotiationAsks
from engine.negotiation.rules import RULEBOOK
from engine.runtime.activity import PACE
from engine.runtime.clock import WallClock, not_at_all
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore
from tests.postgres import PostgresServer

AT_ONCE: Final = 50
WARM: Final = 5
"""Negotiations before any is measured."""
SEVERAL: Final = (2, 4)
"""Processes on one database."""
LONGEST: Final = 300.0
"""Seconds until a process is given up."""
LOOK: Final = 0.05
"""Seconds between two looks whether everything has ended."""
TICK: Final = os.sysconf("SC_CLK_TCK")


class Server(NamedTuple):
    """What PostgreSQL has counted."""

    cpu: float
    """Seconds of all its processes."""
    transactions: int
    jobs: int
    wal: int
    """Bytes of its log."""
    size: int
    """Bytes of the database."""


async def measure() -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "towow.db"
        sqlite = await _measured(SqliteStore(path), None)
        sqlite["kib"] = path.stat().st_size / 1024 / (AT_ONCE + WARM)
    server = PostgresServer.create(is_careless=False)
    server.start()
    try:
        _create_database(server)
        postgres = await _measured(PostgresStore(server.url()), server)
        _create_database(server)
        in_turn = await _measured(PostgresStore(server.url()), server, in_turn=True)
        several = {}
        for processes in SEVERAL:
            _create_database(server)
            several[f"postgres, {processes} processes"] = await asyncio.to_thread(_measured_together, server, processes)
    finally:
        server.stop()
    return {"sqlite": sqlite, "postgres": postgres, **several, "postgres, one after another": in_turn}


def _create_database(server: PostgresServer) -> None:
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS towow WITH (FORCE)")
        connection.execute("CREATE DATABASE towow")


def _measured_together(server: PostgresServer, processes: int) -> dict[str, float]:
    """Each process begins as many; whatever follows may be done by any."""
    spawned = multiprocessing.get_context("spawn")
    turns, found = spawned.Barrier(processes + 1), spawned.Queue()
    own = [range(WARM + first, WARM + AT_ONCE, processes) for first in range(processes)]
    running = [spawned.Process(target=_take_part, args=(server.url(), each, turns, found)) for each in own]
    for process in running:
        process.start()
    try:
        turns.wait(LONGEST)
        before, wall = _counted(server), time.perf_counter()
        turns.wait(LONGEST)
        wall = time.perf_counter() - wall
        after = _counted(server)
        cpu = sum(found.get(timeout=LONGEST) for _ in running)
        for process in running:
            process.join(LONGEST)
    finally:
        for process in running:
            process.kill()
    return {"cpu_ms": 1000 * cpu / AT_ONCE, "negotiations_per_s": AT_ONCE / wall, **_each(before, after)}


def _take_part(url: str, numbers: Sequence[int], turns: Any, found: Any) -> None:
    asyncio.run(_negotiate_beside_others(url, numbers, turns, found))


async def _negotiate_beside_others(url: str, numbers: Sequence[int], turns: Any, found: Any) -> None:
    """
    Args:
        turns: a barrier that all pass when they are ready, and when everything has ended.
        found: is given the seconds of CPU.
    """
    store = PostgresStore(url)
    async with _runtime(store) as runtime:
        await engine.negotiate(runtime, [WARM + AT_ONCE + numbers[0]])
        await asyncio.to_thread(turns.wait, LONGEST)
        cpu = time.process_time()
        await engine.negotiate(runtime, numbers)
        while (left := await store.counts())["open_streams"] or left["owed"]:  # noqa: ASYNC110 - others do it
            await asyncio.sleep(LOOK)
        cpu = time.process_time() - cpu
        await asyncio.to_thread(turns.wait, LONGEST)
        await engine.check(runtime, numbers)
        found.put(cpu)


async def _measured(store: Store, server: PostgresServer | None, *, in_turn: bool = False) -> dict[str, float]:
    """
    Args:
        in_turn: each begins once the one before has ended.
    """
    async with _runtime(store) as runtime:
        await engine.negotiate(runtime, range(WARM))
        before = _counted(server) if server else None
        cpu, wall = time.process_time(), time.perf_counter()
        numbers = range(WARM, WARM + AT_ONCE)
        for each in ([number] for number in numbers) if in_turn else [numbers]:
            await engine.negotiate(runtime, each)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        await engine.check(runtime, range(WARM + AT_ONCE))
        found = {"cpu_ms": 1000 * cpu / AT_ONCE, "negotiations_per_s": AT_ONCE / wall}
        if server and before:
            found |= _each(before, _counted(server))
        return found


def _each(before: Server, after: Server) -> dict[str, float]:
    """What the server has done for each negotiation."""
    return {
        "server_cpu_ms": 1000 * (after.cpu - before.cpu) / AT_ONCE,
        "transactions": (after.transactions - before.transactions) / AT_ONCE,
        "jobs": (after.jobs - before.jobs) / AT_ONCE,
        "wal_kib": (after.wal - before.wal) / 1024 / AT_ONCE,
        "kib": (after.size - before.size) / 1024 / AT_ONCE,
    }


@asynccontextmanager
async def _runtime(store: Store) -> AsyncIterator[Runtime]:
    clock = WallClock()
    await store.open()
    try:
        asks = NegotiationAsks(load_prompts({RULEBOOK.protocol: RETURNS}), crowd())
        asker = Asker(StubModel(AT_ONCE_ANSWERED), {RULEBOOK.protocol: for_every_tenant(asks)}, clock)
        runners = {Ask.kind: asker}
        async with runtime_on(
            store, clock, [RULEBOOK], runners, [Ask], held_up=not_at_all, tracing=None, pace=PACE
        ) as runtime:
            await runtime.start()
            async with engine.tidied(runtime):
                yield runtime
    finally:
        await store.close()


def _counted(server: PostgresServer) -> Server:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("SELECT pg_stat_clear_snapshot()")
        row = connection.execute(
            "SELECT xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), pg_database_size(current_database()),"
            " (SELECT last_value FROM procrastinate_jobs_id_seq)"
            " FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
        assert row is not None
        transactions, wal, size, jobs = row
    return Server(_cpu(server), int(transactions), int(jobs), int(wal), int(size))


def _cpu(server: PostgresServer) -> float:
    """Return the seconds of the server and all that it has started, ended or not."""
    first = (server.folder / "data" / "postmaster.pid").read_text().split()[0]
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            said = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if stat.parent.name == first:
            ticks += sum(map(int, said[11:15]))  # with what those took that have ended
        elif said[1] == first:
            ticks += sum(map(int, said[11:13]))
    return ticks / TICK


def tell(found: Figures, console: Console) -> None:
    table = Table(title=f"{AT_ONCE} negotiations at once", title_justify="left")
    table.add_column("of each negotiation")
    names = {
        "cpu_ms": "CPU of the processes, ms",
        "server_cpu_ms": "CPU of the database, ms",
        "transactions": "transactions",
        "jobs": "jobs",
        "wal_kib": "KiB written to the log",
        "kib": "KiB on disk",
        "negotiations_per_s": "negotiations a second, in all",
    }
    stores: Mapping[str, Mapping[str, float]] = found
    for store in stores:
        table.add_column(store, justify="right")
    for name, told in names.items():
        table.add_row(told, *(f"{each[name]:.1f}" if name in each else "" for each in stores.values()))
    console.print(table)
