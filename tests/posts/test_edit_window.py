"""Slack lets nobody edit a message any more: a new one takes over from what holds no longer."""

from __future__ import annotations

import pytest

from bot.local_slack import Message
from tests.posts.driver import AYA, LINKED, Driver
from tests.views.stories import Story, voting

MINUTES = 60_000


async def uneditable(driver: Driver, why: str) -> None:
    await driver.workspace.admin.fault("chat.update", "error", error=why, times=None)


async def there(driver: Driver, story: Story, key: str) -> list[Message]:
    found = await driver.messages(story)
    return [each for each in found if key in str(each.metadata)]


@pytest.mark.parametrize("why", ["edit_window_closed", "cant_update_message"])
async def test_the_end_of_a_round_is_told_by_cards_that_take_over(driver: Driver, why: str) -> None:
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, why)
    driver.clock.jump(driver.clock.now() + 11 * MINUTES)

    await driver.show(story.stopped())

    assert sorted(await driver.keys(story)) == ["offers", "outcome", "root", "round-1"]
    assert "Stopped by" in (await driver.message(story, "root")).text
    assert "accept" not in str((await driver.message(story, "round-1")).blocks).lower()
    assert "accept" not in str([each.blocks for each in await driver.direct(story, AYA)]).lower()
    assert not await driver.is_behind()


async def test_a_card_takes_over_once_in_ten_minutes(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, "edit_window_closed")
    await driver.show(story.twin("aya", "accept"))
    before = len(await driver.messages(story))

    assert await driver.wait() == 10 * MINUTES
    await driver.show(story.twin("bo", "accept"))

    assert "1 of 2" in str((await driver.message(story, "round-1")).blocks)
    assert await driver.wait() == 10 * MINUTES
    assert len(await driver.messages(story)) == before
    assert "2 of 2" in str((await driver.message(story, "round-1")).blocks)


async def test_where_it_may_not_be_deleted_either_both_stand_there(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, "edit_window_closed")
    await driver.workspace.admin.fault("chat.delete", "error", error="cant_delete_message", times=None)
    driver.clock.jump(driver.clock.now() + 11 * MINUTES)

    await driver.show(story.stopped())

    assert (await driver.keys(story)).count("round-1") == 2
    assert not await driver.is_behind()
