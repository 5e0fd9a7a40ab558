"""The engine alone: SQLite on disk, a stub at the model port, no Slack."""

import asyncio
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.stub import CRITICAL_PATH, StubModel, crowd
from engine.directory.profile import Profiles
from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.prompts import load_prompts
from engine.negotiation.asks import RETURNS, NegotiationAsks
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.runtime.clock import WallClock
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.port import Alarm, Commit, NewEvent
from engine.store.sqlite import SqliteStore

TENANT = Tenant("T_BENCH")
TWINS_ONLY = Policy(human_window=0, override_window=0)


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run of so many negotiations at once."""

    cpu_ms: float
    """Of the whole process (engine and store), per negotiation."""
    wall: float
    """Seconds, from the first demand to the last final proposal."""
    written_kib: float
    """Handed to the operating system, per negotiation."""
    kept_kib: float
    """In the file at the end, per negotiation."""

    def over_critical_path(self, latency: float) -> float:
        return self.wall / (CRITICAL_PATH * latency)


@asynccontextmanager
async def engine(path: Path, latency: float = 0.0, profiles: Profiles | None = None) -> AsyncIterator[Runtime]:
    clock = WallClock()
    store = SqliteStore(path)
    await store.open()
    try:
        asks = {
            RULEBOOK.protocol: for_every_tenant(
                NegotiationAsks(load_prompts({RULEBOOK.protocol: RETURNS}), profiles or crowd())
            )
        }
        asker = Asker(StubModel(latency), asks, clock, in_flight=10_000)
        runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])
        try:
            await runtime.start()
            yield runtime
        finally:
            await runtime.close()
    finally:
        await store.close()


async def demand(runtime: Runtime, number: int, policy: Policy = TWINS_ONLY) -> StreamKey:
    key = StreamKey(TENANT, f"collab-{number:08}")
    await runtime.handle(
        key,
        RULEBOOK.protocol,
        SubmitDemand(
            command_id=f"m{number}",
            at=WallClock().now(),
            demand_id=f"d-{number:08}",
            channel_id=key.stream,
            requester_id="U_ASKS",
            raw_input="A meetup for fifty people, with a venue and speakers",
            policy=policy,
        ),
    )
    return key


async def cost(at_once: int, latency: float) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "towow.db"
        async with engine(path, latency) as runtime:
            cpu, wall, written = time.process_time(), time.perf_counter(), _written()
            keys = await asyncio.gather(*(demand(runtime, number) for number in range(at_once)))
            await runtime.activity.idle()
            cpu, wall, written = time.process_time() - cpu, time.perf_counter() - wall, _written() - written
            for key in keys:
                state, _ = await runtime.read(key)
                if state.status != "finalized":
                    raise RuntimeError(f"{key.stream} is {state.status}; the figures would mean nothing")
        kept = path.stat().st_size
        return Cost(cpu * 1000 / at_once, wall, written / 1024 / at_once, kept / 1024 / at_once)


async def start_with(open_negotiations: int) -> tuple[float, float]:
    """
    Returns:
        seconds from a closed file to a runtime that has paid and rung whatever it had to; peak growth of memory, MiB.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "towow.db"
        linked = crowd().with_links({f"user_agent_p{number}": f"U_{number}" for number in range(12)})
        async with engine(path, profiles=linked) as runtime:
            first = await demand(runtime, 0, Policy())
            await runtime.activity.idle()
            state, _ = await runtime.read(first)
            if state.status != "negotiating":
                raise RuntimeError(f"it is {state.status}; it should wait for people")
        await _multiply(path, first, open_negotiations)
        before, began = _resident(), time.perf_counter()
        async with engine(path, profiles=linked):
            return time.perf_counter() - began, _resident() - before


async def _multiply(path: Path, first: StreamKey, copies: int) -> None:
    """So many streams like the first one, each with its open round and its alarm."""
    store = SqliteStore(path)
    await store.open()
    try:
        stream = await store.load(first)
        if stream is None:
            raise RuntimeError("the first negotiation is gone")
        events = tuple(NewEvent(each.event_type, each.at, each.public, each.private) for each in stream.events)
        one = Commit(stream.key, stream.protocol, 0, events=events)

        async def copy(number: int) -> None:
            key = StreamKey(TENANT, f"copy-{number:08}")
            alarms = tuple(Alarm(key, each.name, each.generation, each.due) for each in stream.alarms)
            await store.commit(replace(one, key=key, set_alarms=alarms))

        for start in range(0, copies, 500):
            await asyncio.gather(*(copy(number) for number in range(start, min(start + 500, copies))))
    finally:
        await store.close()


def _written() -> int:
    """Bytes handed to write calls by this process so far; 0 where the system does not count them."""
    counters = Path("/proc/self/io")
    if not counters.exists():
        return 0
    return int(next(line.split()[1] for line in counters.read_text().splitlines() if line.startswith("wchar")))


def _resident() -> float:
    """MiB in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
