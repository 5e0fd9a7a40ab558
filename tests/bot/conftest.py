"""A scene for each test, and every store there is."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Protocol

import pytest

from engine.store.memory import MemoryStore
from engine.store.port import Store
from engine.store.sqlite import SqliteStore

from .scene import DEMAND, Scene, playing


class Given(Protocol):
    async def __call__(self, demand: str = DEMAND, /, **circumstances: Any) -> Scene:
        """A demand that was posted, and everything that follows without a person or the clock; see `playing`."""


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
async def scene(store: Store) -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def begin(**circumstances: Any) -> Scene:
            return await stack.enter_async_context(playing(store, **circumstances))

        yield begin


@pytest.fixture
def given(scene: Callable[..., Any]) -> Given:
    async def posted(demand: str = DEMAND, /, **circumstances: Any) -> Scene:
        empty: Scene = await scene(**circumstances)
        return await empty.asks(demand)

    return posted


STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "towow.db"),
    "memory": lambda _: MemoryStore(),
}


@pytest.fixture(params=STORES)
def every_store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return STORES[request.param](tmp_path)
