"""Links to posts: the root card leads to the open round, at the address that Slack itself would tell."""

from bot.local_slack import Message
from engine.kernel import Place
from tests.posts.driver import LOBBY, Driver
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)


async def permalink(driver: Driver, message: Message) -> str:
    answer = await driver.client().chat_getPermalink(channel=message.channel, message_ts=message.ts)
    return str(answer["permalink"]).replace("&", "&amp;")


async def root_of(driver: Driver, story: Story) -> str:
    return str((await driver.message(story, "root")).blocks)


async def test_the_root_card_leads_to_the_round_that_is_open(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    for place in (await driver.mentioned(), COMMAND):
        story = voting("aya", "bo", place=place)
        await driver.show(story)
        address = await permalink(driver, await driver.message(story, "round-1"))
        assert f"<{address}|Go to the vote>" in await root_of(driver, story)
        assert not await driver.is_behind()


async def test_it_leads_to_the_newest_round_and_to_none_once_the_plan_stands(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    story = voting("aya", "bo", place=await driver.mentioned())
    story.twin("aya", "accept").twin("bo", "negotiate", wish="later").time_is_up().drafted("aya", "bo")
    await driver.show(story)
    assert await permalink(driver, await driver.message(story, "round-2")) in await root_of(driver, story)
    await driver.show(story.twin("aya", "accept").twin("bo", "accept").time_is_up())
    assert "Go to the vote" not in await root_of(driver, story)


async def test_where_slack_has_not_said_where_it_is_the_vote_is_below(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    assert ", below" in await root_of(driver, story)
    assert await driver.calls("chat.update") == 0


async def test_the_link_is_one_edit_of_the_root_card(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    await driver.show(voting("aya", "bo", place=await driver.mentioned()))
    assert await driver.calls("chat.update") == 1


async def test_direct_messages_lead_to_the_thread(driver: Driver) -> None:
    driver.web = f"{driver.workspace.url}/"
    place = await driver.mentioned()
    story = voting("aya", "bo", place=place, linked={"aya": "U_AYA"}).twin("aya", "accept")
    address = f"{driver.web}archives/{LOBBY}/p{place.thread.replace('.', '')}"
    await driver.show(story)
    [part] = await driver.direct(story, "U_AYA")
    assert f"<{address}|Thread>" in str(part.blocks)
    await driver.show(story.twin("bo", "accept").time_is_up())
    [_, ending] = await driver.direct(story, "U_AYA")
    assert f"<{address}|the thread>" in str(ending.blocks)
