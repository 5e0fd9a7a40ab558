"""A card says that its model is not asked just now, for as long as that is so; nothing of it is committed."""

from bot.local_slack import Message
from engine.kernel import StreamKey
from engine.llm.port import Pause, PauseCause
from tests.bot.driver import text_of
from tests.negotiation.scenario import NOON
from tests.posts.driver import Driver
from tests.views.stories import Story, voting

MINUTE = 60_000
BUSY = Pause(PauseCause.BUSY, NOON + 5 * MINUTE)
SILENT = Pause(PauseCause.SILENT, NOON + MINUTE)


async def card(driver: Driver, story: Story) -> Message:
    return (await driver.messages(story))[0]


async def paused(driver: Driver, key: StreamKey, pause: Pause | None) -> None:
    if pause is None:
        del driver.paused[key]
    else:
        driver.paused[key] = pause
    driver.posts.look_again(key)
    await driver.posts.idle()


async def test_a_card_says_that_its_model_is_not_asked_and_that_it_is_again(driver: Driver, story: Story) -> None:
    await driver.show(story)
    before, key = await card(driver, story), await driver.commit(story)
    assert "The model" not in text_of(before)

    await paused(driver, key, BUSY)
    assert "The model is busy; going on at about" in text_of(await card(driver, story))
    await paused(driver, key, SILENT)
    assert "The model does not answer just now; it is asked again at about" in text_of(await card(driver, story))
    await paused(driver, key, None)
    assert text_of(await card(driver, story)) == text_of(before)
    assert await driver.store.lagging(10) == []


async def test_a_pause_edits_one_message_and_notifies_nobody(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    before, key = await driver.messages(story), await driver.commit(story)
    await paused(driver, key, BUSY)
    after = await driver.messages(story)
    assert len(after) > 2
    assert [each.ts for each in after] == [each.ts for each in before]
    assert [each.edited for each in after[1:]] == [each.edited for each in before[1:]]


async def test_what_is_looked_at_again_without_a_change_costs_no_call(driver: Driver, story: Story) -> None:
    await driver.show(story)
    key = await driver.commit(story)
    await paused(driver, key, BUSY)
    calls = await driver.workspace.admin.calls()
    driver.posts.look_again(key)
    await driver.posts.idle()
    assert await driver.workspace.admin.calls() == calls
