"""A scene for every test."""

from collections.abc import AsyncIterator

import pytest

from bot.local_slack import LocalWorkspace
from engine.store.memory import MemoryStore
from tests.posts.driver import CHANNELS, PEOPLE, Driver
from tests.views.stories import Story


@pytest.fixture
async def driver() -> AsyncIterator[Driver]:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace:
        driver = Driver(workspace, store)
        yield driver
        await driver.posts.close()


@pytest.fixture
async def story(driver: Driver) -> Story:
    """A demand by mention, not yet committed."""
    return Story(place=await driver.mentioned()).demand()
