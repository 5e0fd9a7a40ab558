"""A process that group-commits to many streams and says what was acknowledged, until it is killed.

    python busy_process.py FILE-OR-ADDRESS

Each commit owes one effect, settles the one before and writes one record. A line on stdout is ``stream command_id``.
"""

import asyncio
import os
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

from engine.kernel import Record, StreamKey, Tenant
from engine.store.address import is_postgres
from engine.store.port import Commit, NewEvent, PendingEffect, Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore

STREAMS = [StreamKey(Tenant("T_ACME"), f"demand-{number}") for number in range(20)]


async def work(store: Store, key: StreamKey) -> None:
    stream = await store.load(key)
    for version in count(stream.version if stream else 0):
        command_id = f"command-{version}"
        event = NewEvent("towow.offer.submitted", version, '{"by":"U_AYA"}', '"I can host"')
        pending = PendingEffect(key, f"effect-{version + 1}", "ask", "round-1", "{}")
        commands = ((command_id, None),)
        commit = Commit(key, "negotiation", version, commands, (event,), (pending,), (f"effect-{version}",))
        record = Record("vote", f"{key.stream}/{version:08}", "{}")
        await store.commit(replace(commit, records=(record,)))
        os.write(sys.stdout.fileno(), f"{key.stream} {command_id}\n".encode())


async def main() -> None:
    where = sys.argv[1]
    store: Store = PostgresStore(where) if is_postgres(where) else SqliteStore(Path(where))
    await store.open()
    try:
        await asyncio.gather(*(work(store, key) for key in STREAMS))
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
