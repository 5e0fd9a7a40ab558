"""A server for each test."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Protocol

import pytest

from engine.store.memory import MemoryStore
from engine.store.port import Store

from .api_harness import ApiHarness, standing


class Begin(Protocol):
    async def __call__(self, **circumstances: Any) -> ApiHarness:
        """See `standing`."""


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
async def begin(store: Store) -> AsyncIterator[Begin]:
    async with AsyncExitStack() as stack:

        async def begun(**circumstances: Any) -> ApiHarness:
            return await stack.enter_async_context(standing(store, **circumstances))

        yield begun


@pytest.fixture
async def harness(begin: Begin) -> ApiHarness:
    return await begin()
