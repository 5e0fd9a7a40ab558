"""Every store there is. A new one joins the suite with a line here."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing
from engine.store.port import Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore

STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "towow.db", group_seconds=5),
    "memory": lambda _: MemoryStore(),
}
"""Those that one process has to itself."""

POSTGRES = "postgres"

SHARED = ("memory", POSTGRES)
"""Those that several processes use at once, see `shared_store`."""


@pytest.fixture(params=[*STORES, POSTGRES])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    is_postgres = request.param == POSTGRES
    async with _opened(shared_store(request) if is_postgres else STORES[request.param](tmp_path)) as store:
        yield store


@pytest.fixture(params=STORES)
async def alone(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with _opened(STORES[request.param](tmp_path)) as store:
        yield store


@pytest.fixture(params=SHARED)
async def shared(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    async with _opened(shared_store(request)) as store:
        yield store


def shared_store(request: pytest.FixtureRequest) -> Store:
    """Make the store that the request asks for by its parameter."""
    if request.param == POSTGRES:
        return PostgresStore(request.getfixturevalue("postgres_url"))
    return MemoryStore(MemorySharing())


@asynccontextmanager
async def _opened(store: Store) -> AsyncIterator[Store]:
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "towow.db"


@pytest.fixture
async def sqlite(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path, group_seconds=5)
    await store.open()
    try:
        yield store
    finally:
        await store.close()
