"""Every store there is. A new one joins the suite with a line in STORES."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "towow.db", group_seconds=5),
    "memory": lambda _: MemoryStore(),
}

SHARED: dict[str, Callable[[Path], Store]] = {"memory": lambda _: MemoryStore(MemorySharing())}
"""Those that several processes use at once."""


@pytest.fixture(params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = STORES[request.param](tmp_path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture(params=SHARED)
async def shared(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    store = SHARED[request.param](tmp_path)
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
