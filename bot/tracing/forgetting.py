"""Deletes what led to streams (`TRACES`) where nothing will be shown any more that it leads to."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from engine.errors import EngineError, UnknownStream
from engine.kernel import Rulebook, StreamKey, Tenant
from engine.runtime.streams import Committed
from engine.store.port import TRACES, Store

log = logging.getLogger(__name__)

PAGE: Final = 500
"""Records that are read at a time."""
MOST_BEHIND: Final = 100_000
"""Streams whose posts are behind that are looked at."""

Read = Callable[[StreamKey], Awaitable[Committed]]

IsOver = Callable[[StreamKey], Awaitable[bool]]
"""Says whether a stream has ended."""


async def everything_is_over(_: StreamKey) -> bool:
    """Answer where no traces are collected: what led to anything is of no use then."""
    return True


def ended_and_shown(store: Store, read: Read, rulebooks: Sequence[Rulebook[Any]]) -> IsOver:
    """Return what answers where traces are collected: what is posted yet belongs to the trace of what led to it."""
    is_open = {each.protocol: each.is_open for each in rulebooks}

    async def is_over(key: StreamKey) -> bool:
        try:
            found = await read(key)
        except UnknownStream:
            return True
        if is_open[found.protocol](found.state):
            return False
        return key not in {each.key for each in await store.lagging(MOST_BEHIND)}

    return is_over


async def forget_causes(store: Store, is_over: IsOver) -> None:
    """Look through all of them once, and delete those that are of no use."""
    try:
        for tenant in await store.tenants():
            await _forget(store, tenant, is_over)
    except EngineError as error:
        log.warning("what has led to streams that are over is deleted at the next start: %s", error)


async def _forget(store: Store, tenant: Tenant, is_over: IsOver) -> None:
    after: str | None = None
    while page := await store.records(tenant, TRACES, limit=PAGE, after=after):
        over = [each for each in page if await is_over(StreamKey(tenant, each))]
        if over:
            await store.put_records(tenant, TRACES, dict.fromkeys(over))
        after = [*page][-1]
