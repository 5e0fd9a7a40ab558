"""Which runtime decides on a store: that of one process, or one of several that share a database of PostgreSQL."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from engine.kernel import Effect, Rulebook
from engine.runtime.activity import Pace, Turns
from engine.runtime.clock import Clock, HeldUp
from engine.runtime.in_process import in_process
from engine.runtime.ports import EffectRunner, IsAbsent, nobody_is_absent
from engine.runtime.runtime import Runtime
from engine.runtime.tracing import Tracing
from engine.store.port import Store


@asynccontextmanager
async def runtime_on(
    store: Store,
    clock: Clock,
    rulebooks: Sequence[Rulebook[Any]],
    runners: Mapping[str, EffectRunner],
    effects: Sequence[type[Effect]],
    *,
    held_up: HeldUp,
    tracing: Tracing | None,
    pace: Pace,
    is_absent: IsAbsent = nobody_is_absent,
    turns: Turns | None = None,
) -> AsyncIterator[Runtime]:
    """Make a runtime that is yet to be started, on a store that is open; close it on leaving.

    Args:
        pace: how jobs are taken, where several processes share the store.
        is_absent: which tenants are gone, perhaps only for a while.
        turns: shared with others who work in the background on this event loop.

    Raises:
        Misconfigured: one of the effects has no runner.
        StoreUnavailable
    """
    if store.sharing is not None:
        # What speaks to PostgreSQL is imported by whoever uses it: it need not be installed.
        from engine.runtime.jobs import jobs_of
        from engine.runtime.shared import shared
        from engine.store.postgres import PostgresStore

        if isinstance(store, PostgresStore):
            async with jobs_of(store) as jobs:
                runtime = shared(
                    store, jobs, clock, rulebooks, runners, effects, held_up=held_up, tracing=tracing, pace=pace,
                    is_absent=is_absent, turns=turns,
                )  # fmt: skip
                try:
                    yield runtime
                finally:
                    await runtime.close()
            return
    runtime = in_process(
        store, clock, rulebooks, runners, effects, held_up=held_up, tracing=tracing, is_absent=is_absent, turns=turns
    )
    try:
        yield runtime
    finally:
        await runtime.close()
