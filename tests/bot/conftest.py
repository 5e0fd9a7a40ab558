"""A driver for each test, and every store there is."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest

from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .driver import DEMAND, Driver, playing


class Given(Protocol):
    async def __call__(self, demand: str = DEMAND, /, **circumstances: Any) -> Driver:
        """A demand that was posted, and everything that follows without a person or the clock; see `playing`."""


class Begin(Protocol):
    async def __call__(self, **circumstances: Any) -> Driver:
        """ToWow in its workspace, before anybody said anything; see `playing`."""


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
async def driver(store: Store) -> AsyncIterator[Begin]:
    async with AsyncExitStack() as stack:

        async def begin(**circumstances: Any) -> Driver:
            return await stack.enter_async_context(playing(store, **circumstances))

        yield begin


@pytest.fixture
def given(driver: Begin) -> Given:
    async def posted(demand: str = DEMAND, /, **circumstances: Any) -> Driver:
        return await (await driver(**circumstances)).asks(demand)

    return posted


STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "towow.db"),
    "memory": lambda _: MemoryStore(),
}


@pytest.fixture(params=STORES)
def every_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)
