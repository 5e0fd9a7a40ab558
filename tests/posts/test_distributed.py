"""An app that others install may read a channel once a minute, fifteen messages at a time: what was lost is found."""

from __future__ import annotations

from bot.local_slack import LocalWorkspace
from bot.posts import DISTRIBUTED_PAGE, DISTRIBUTED_RATES, Posts
from engine.kernel import Place
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import NOON, REQUESTER
from tests.posts.driver import CHANNELS, LOBBY, PEOPLE, PRESENTERS, Driver
from tests.views.stories import Story

MINUTE = 60_000


async def test_what_was_lost_is_found_however_much_was_said_since() -> None:
    store, clock = MemoryStore(), JumpingClock(NOON)
    await store.open()
    async with LocalWorkspace(users=PEOPLE, channels=CHANNELS, now=lambda: clock.now() / 1000) as workspace:
        driver = Driver(workspace, store, clock=clock)
        driver.posts = Posts(
            store, PRESENTERS, driver.read, driver.report, driver.client(), clock,
            rates=DISTRIBUTED_RATES, page=DISTRIBUTED_PAGE,
        )  # fmt: skip
        story = Story(place=Place(channel=LOBBY)).demand()
        await workspace.admin.rate_limits(on=True, distributed=True)
        await workspace.admin.fault("chat.postMessage", "drop_after")

        await driver.show(story)
        for number in range(3 * DISTRIBUTED_PAGE):
            await workspace.person(REQUESTER).say(LOBBY, str(number))
        waits = 0
        while await driver.is_behind():
            assert await driver.wait() <= MINUTE
            waits += 1

        assert await driver.keys(story) == ["root"]
        assert waits <= 2 * 4 + 1
        assert await driver.calls("conversations.history") <= 2 * 4
        await driver.posts.close()
    await store.close()
