"""kill -9 of a process, and a server that ends at once: what was acknowledged is kept, and all goes on by itself."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest

from engine.errors import StoreUnavailable
from engine.store.postgres import PostgresStore
from tests.postgres import USER, PostgresServer

from .test_sqlite_crash import handled_in, killed_after
from .words import MEETUP, PICNIC, said, step

HERE = Path(__file__).parent
ROUNDS = [1, 40, 300]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """One of this module's own, that waits for its disk."""
    server = PostgresServer.create(is_careless=False)
    server.start()
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {USER}")
    yield server
    server.stop("immediate")


@pytest.fixture
def url(server: PostgresServer) -> Iterator[str]:
    with server.schema() as url:
        yield url


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def test_nothing_acknowledged_is_lost_when_a_process_is_killed(store: PostgresStore, url: str) -> None:
    acknowledged: list[str] = []
    for enough in ROUNDS:
        acknowledged += await asyncio.to_thread(killed_after, enough, url)
        assert set(acknowledged) <= await handled_in(store)
    assert len(acknowledged) >= sum(ROUNDS)


async def test_nothing_acknowledged_is_lost_when_the_server_ends_at_once(
    store: PostgresStore, server: PostgresServer, url: str
) -> None:
    acknowledged = await asyncio.to_thread(_until_the_server_ends, server, url, 100)
    server.start()

    assert len(acknowledged) >= 100
    assert set(acknowledged) <= await handled_in(store)


def _until_the_server_ends(server: PostgresServer, url: str, enough: int) -> list[str]:
    """What a process had acknowledged when the server ended, which ends the process."""
    command = [sys.executable, str(HERE / "busy_process.py"), url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as busy:
        assert busy.stdout is not None
        lines = [busy.stdout.readline() for _ in range(enough)]
        server.stop("immediate")
        rest, said_last = busy.communicate(timeout=60)
        lines += rest.splitlines(keepends=True)
    assert "StoreUnavailable" in said_last
    return [line.strip() for line in lines if line.endswith("\n")]


async def test_without_a_server_nothing_is_acknowledged_and_it_goes_on_by_itself(
    store: PostgresStore, server: PostgresServer
) -> None:
    await store.commit(step(MEETUP, 0, [said()]))
    await store.load(MEETUP)
    assert store.sharing is not None
    member = await store.sharing.join(60_000)
    server.stop("immediate")

    outcomes = await asyncio.gather(
        store.commit(step(MEETUP, 1, [said()])),
        store.commit(step(PICNIC, 0, [said()])),
        store.load(MEETUP),
        store.sharing.hold(MEETUP, member),
        return_exceptions=True,
    )
    assert [type(each) for each in outcomes] == [StoreUnavailable] * 4
    server.start()

    await store.commit(step(MEETUP, 1, [said()]))
    await store.commit(step(PICNIC, 0, [said()]))
    stream = await store.load(MEETUP)
    assert stream is not None
    assert stream.version == 2
    assert await store.sharing.hold(MEETUP, member)


@pytest.mark.exhaustive
async def test_an_outcome_that_nobody_knows_is_found_by_the_ids_of_commands(
    store: PostgresStore, server: PostgresServer
) -> None:
    """The server ends while it commits: kept as a whole or not at all, and what is kept is there at the next look."""
    for version in range(12):
        commit = asyncio.ensure_future(store.commit(step(MEETUP, version, [said()])))
        await asyncio.wait([commit], timeout=0)
        if version % 4 == 3:
            await asyncio.to_thread(server.stop, "immediate")
            server.start()
        try:
            await commit
        except StoreUnavailable:
            stream = await store.load(MEETUP)
            if stream is None or f"command-at-{version}" not in stream.commands:
                await store.commit(step(MEETUP, version, [said()]))
    stream = await store.load(MEETUP)
    assert stream is not None
    assert (stream.version, len(stream.commands)) == (12, 12)
    assert await store.verify(MEETUP)
