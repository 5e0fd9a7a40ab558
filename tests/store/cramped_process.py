"""A process whose disk is full for a while: no file of its may grow beyond a limit.

    python cramped_process.py FILE

Prints what its store answers while there is no room, and whether it goes on when there is room again.
"""

import asyncio
import resource
import sys
from pathlib import Path

from engine.errors import StoreUnavailable
from engine.kernel import Record, StreamKey, Tenant
from engine.store.port import Commit, NewEvent
from engine.store.sqlite import SqliteStore

KEY = StreamKey(Tenant("T_ACME"), "meetup")
ROOM = 200 * 1024
"""Bytes."""


def step(version: int) -> Commit:
    event, record = NewEvent("towow.offer", 1, "x" * 5_000), Record("vote", f"meetup/{version:08}", "{}")
    return Commit(KEY, "negotiation", version, ((f"command-{version}", None),), events=(event,), records=(record,))


async def version_of(store: SqliteStore) -> int:
    """The version, of a history that must be whole."""
    stream = await store.load(KEY)
    assert stream is not None
    records = await store.records(KEY.tenant, "vote", "meetup/")
    assert stream.version == len(stream.events) == len(stream.commands) == len(records)
    assert await store.verify(KEY)
    return stream.version


async def fill(store: SqliteStore) -> str:
    """What is said when the disk is full. The commit that is told so may be kept or not: the caller must load again."""
    while True:
        try:
            await store.commit(step(await version_of(store)))
        except StoreUnavailable as refused:
            return str(refused)


async def main(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    try:
        await store.commit(step(0))
        unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, unlimited[1]))
        for attempt in "first", "second", "third":
            print(attempt, await fill(store))
        kept = await version_of(store)
        print("unwritten", store.health.unwritten)
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        await store.commit(step(kept))
        print("goes on", await version_of(store) == kept + 1, store.health.unwritten)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
