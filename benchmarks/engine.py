"""The engine alone: SQLite on disk, a stub at the model port, no Slack."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from benchmarks.copies import multiply
from benchmarks.cost import Cost, cost_of
from benchmarks.flow import wanted
from benchmarks.latency import AT_ONCE, Latency
from benchmarks.stub import StubModel, crowd
from engine.directory.profile import Profiles
from engine.files.prompts import load_prompts
from engine.kernel import Ask, StreamKey, Tenant
from engine.llm.asker import Asker, for_every_tenant
from engine.llm.port import Model
from engine.negotiation.asks import RETURNS, NegotiationAsks
from engine.negotiation.commands import SubmitDemand
from engine.negotiation.policy import Policy
from engine.negotiation.rules import RULEBOOK
from engine.runtime.clock import WallClock
from engine.runtime.gc_tuning import tidy
from engine.runtime.in_process import in_process
from engine.runtime.runtime import Runtime
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

TENANT = Tenant("T_BENCH")
TWINS_ONLY = Policy(human_window=0, override_window=0)


@asynccontextmanager
async def engine(
    path: Path,
    latency: Latency = AT_ONCE,
    profiles: Profiles | None = None,
    store: Store | None = None,
    model: Model | None = None,
) -> AsyncIterator[Runtime]:
    clock = WallClock()
    store = store or SqliteStore(path)
    await store.open()
    try:
        asks = {
            RULEBOOK.protocol: for_every_tenant(
                NegotiationAsks(load_prompts({RULEBOOK.protocol: RETURNS}), profiles or crowd())
            )
        }
        asker = Asker(model or StubModel(latency), asks, clock)
        runtime = in_process(store, clock, [RULEBOOK], {Ask.kind: asker}, [Ask])
        try:
            await runtime.start()
            async with tidied(runtime):
                yield runtime
        finally:
            await runtime.close()
    finally:
        await store.close()


@asynccontextmanager
async def tidied(runtime: Runtime) -> AsyncIterator[None]:
    """Garbage is collected as the bot does it: that is part of what it costs."""
    tidying = asyncio.create_task(tidy(runtime.activity))
    try:
        yield
    finally:
        tidying.cancel()
        await asyncio.gather(tidying, return_exceptions=True)


async def demand(runtime: Runtime, number: int, policy: Policy = TWINS_ONLY, raw_input: str = "") -> StreamKey:
    key = _key(number)
    await runtime.handle(
        key,
        RULEBOOK.protocol,
        SubmitDemand(
            command_id=f"m{number}",
            at=WallClock().now(),
            demand_id=f"d-{number:08}",
            channel_id=key.stream,
            requester_id="U_ASKS",
            raw_input=raw_input or wanted(key.stream),
            policy=policy,
        ),
    )
    return key


async def cost(at_once: int, latency: Latency) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        async with engine(Path(folder) / "towow.db", latency) as runtime:
            cost = await cost_of(at_once, negotiate(runtime, range(at_once)))
            await check(runtime, range(at_once))
            return cost


async def negotiate(runtime: Runtime, numbers: Iterable[int]) -> None:
    """All at once, to their ends."""
    await asyncio.gather(*(demand(runtime, number) for number in numbers))
    await runtime.activity.idle()


async def check(runtime: Runtime, numbers: Iterable[int]) -> None:
    """
    Raises:
        RuntimeError: a negotiation ended otherwise than in agreement; its cost would mean nothing.
    """
    for number in numbers:
        state, _ = await runtime.read(_key(number))
        if state.status != "finalized":
            raise RuntimeError(f"negotiation {number} is {state.status}; what it cost would mean nothing")


def _key(number: int) -> StreamKey:
    return StreamKey(TENANT, f"collab-{number:08}")


async def finish_many(path: Path, copies: int) -> None:
    """A file with so many negotiations that have ended and been shown, and one more."""
    store = SqliteStore(path)
    async with engine(path, store=store) as runtime:
        await negotiate(runtime, [0])
        await check(runtime, [0])
        _, version = await runtime.read(_key(0))
        await store.mark_shown(_key(0), version)
    multiply(path, _key(0).stream, copies)


async def open_many(path: Path, copies: int) -> None:
    """A file with so many negotiations that wait for people, and one more."""
    async with engine(path, profiles=linked()) as runtime:
        await demand(runtime, 0, Policy())
        await runtime.activity.idle()
        state, _ = await runtime.read(_key(0))
        if state.status != "negotiating":
            raise RuntimeError(f"it is {state.status}; it should wait for people")
    multiply(path, _key(0).stream, copies)


def linked() -> Profiles:
    """Twelve people who are in Slack."""
    return crowd().with_links({f"user_agent_p{number}": f"U_{number}" for number in range(12)})
