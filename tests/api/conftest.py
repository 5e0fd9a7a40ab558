"""A stand for each test."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Protocol

import pytest

from engine.store.memory import MemoryStore
from engine.store.port import Store

from .api_harness import Stand, standing


class Begin(Protocol):
    async def __call__(self, **circumstances: Any) -> Stand:
        """See `standing`."""


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
async def begin(store: Store) -> AsyncIterator[Begin]:
    async with AsyncExitStack() as stack:

        async def begun(**circumstances: Any) -> Stand:
            return await stack.enter_async_context(standing(store, **circumstances))

        yield begun


@pytest.fixture
async def stand(begin: Begin) -> Stand:
    return await begin()
