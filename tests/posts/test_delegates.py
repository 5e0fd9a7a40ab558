"""A delegate's card in their direct messages: posted, taken back where it stands, and in their language."""

from bot.texts import texts_in
from bot.views.negotiation.button_values import ACCEPT
from tests.posts.driver import AYA, CHEN, LINKED, TENANT, Driver
from tests.views.stories import Story, voting

TWO = {name: LINKED[name] for name in ("aya", "bo")}


async def opened(driver: Driver) -> Story:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=TWO)
    return story.twin("aya", "accept").twin("bo", "accept")


async def test_a_card_that_was_taken_back_is_changed_where_it_stands(driver: Driver) -> None:
    story = (await opened(driver)).delegates(AYA, "aya", CHEN)
    await driver.show(story)
    assert await driver.direct_keys(story, CHEN) == [f"part-1/aya/{CHEN}"]
    assert ACCEPT in str(await driver.direct(story, CHEN))

    await driver.show(story.delegates(AYA, "aya"))

    [card] = await driver.direct(story, CHEN)
    assert ACCEPT not in str(card.blocks)
    assert "decides without you again" in str(card.blocks)


async def test_who_never_saw_it_is_not_told_that_it_was_taken_back(driver: Driver) -> None:
    story = (await opened(driver)).delegates(AYA, "aya", CHEN).delegates(AYA, "aya")

    await driver.show(story)

    assert await driver.direct(story, CHEN) == []


async def test_each_reads_their_own_language_also_after_a_restart(driver: Driver) -> None:
    await driver.store.put_records(TENANT, "locale", {CHEN: f'{{"locale":"zh-CN","at":{driver.clock.now()}}}'})
    story = (await opened(driver)).delegates(AYA, "aya", CHEN)

    await driver.show(story)

    [card] = await driver.direct(story, CHEN)
    said = texts_in("zh").say(
        "🤝 {who} lets you decide for them here; whoever of you votes last counts.", who=f"<@{AYA}>"
    )
    assert said in str(card.blocks)
