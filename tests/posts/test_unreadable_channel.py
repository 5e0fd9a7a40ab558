"""A public channel that takes our posts and that we may not read: what is posted there stands there once, or says that
it may not.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.local_slack import App, LocalWorkspace, Message
from bot.local_slack.faults import FaultKind
from bot.local_slack.installation import SCOPES
from engine.kernel import Place
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import CHANNELS, LOBBY, PEOPLE, Driver
from tests.views.stories import Story

WRITES = "chat:write.public"


@pytest.fixture
async def outside() -> AsyncIterator[Driver]:
    """Where we are in no channel and may post to all that are public."""
    channels = [each.model_copy(update={"has_bot": False}) for each in CHANNELS]
    app = App(scopes=(*SCOPES, WRITES))
    store = MemoryStore()
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=channels, app=app) as workspace:
        driver = Driver(workspace, store)
        yield driver
        await driver.posts.close()
    await store.close()


@pytest.fixture
def story() -> Story:
    return Story(place=Place(channel=LOBBY)).demand()


async def roots(driver: Driver) -> list[Message]:
    return [each for each in await driver.workspace.person(REQUESTER).messages(LOBBY) if each.metadata]


@pytest.mark.parametrize("do", ["drop_after", "drop_before"])
async def test_what_is_lost_is_looked_for_there_and_stands_there_once(
    outside: Driver, story: Story, do: FaultKind
) -> None:
    await outside.workspace.admin.fault("chat.postMessage", do)
    await outside.show(story)
    await outside.wait()

    assert len(await roots(outside)) == 1
    assert await outside.calls("conversations.join") == 1
    assert "twice" not in str(await roots(outside))


@pytest.mark.parametrize("do", ["drop_after", "drop_before"])
async def test_where_we_may_not_come_in_it_says_that_it_may_stand_there_twice(
    outside: Driver, story: Story, do: FaultKind
) -> None:
    await outside.workspace.admin.grant(*(each for each in SCOPES if each != "channels:join"), WRITES)
    await outside.workspace.admin.fault("chat.postMessage", do)
    await outside.show(story)
    await outside.wait()

    *before, last = await roots(outside)
    assert len(before) == (do == "drop_after")
    assert "This may stand here twice" in str(last.blocks)

    await outside.show(story.understood())
    await outside.wait()

    *before, edited = await roots(outside)
    assert edited.blocks != last.blocks
    assert "This may stand here twice" in str(edited.blocks)


async def test_a_shared_channel_is_joined_as_well(outside: Driver) -> None:
    await outside.workspace.admin.share(LOBBY)
    await outside.workspace.admin.fault("chat.postMessage", "drop_after")
    await outside.show(Story(place=Place(channel=LOBBY, shared=True)).demand())
    await outside.wait()

    assert len(await roots(outside)) == 1
    assert await outside.calls("conversations.join") == 1


async def test_nobody_comes_back_where_people_have_taken_us_out(outside: Driver, story: Story) -> None:
    await outside.show(story)
    await outside.workspace.admin.leave(LOBBY, outside.workspace.bot_user_id)
    outside.clock.jump(outside.clock.now() + 61_000)
    await outside.show(story.understood())

    assert await outside.calls("conversations.join") == 1
