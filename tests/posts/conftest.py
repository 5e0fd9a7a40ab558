"""A scene for every test."""

from collections.abc import AsyncIterator

import pytest

from bot.local_slack import LocalWorkspace
from engine.store.memory import MemoryStore
from tests.posts.driver import CHANNELS, PEOPLE, Scene
from tests.views.stories import Story


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace:
        scene = Scene(workspace, store)
        yield scene
        await scene.posts.close()


@pytest.fixture
async def story(scene: Scene) -> Story:
    """A demand by mention, not yet committed."""
    return Story(place=await scene.mentioned()).demand()
