"""A delegate's card in their direct messages: posted, taken back where it stands, and in their language."""

from bot.texts import texts
from bot.views.negotiation.button_values import ACCEPT
from tests.posts.driver import AYA, CHEN, LINKED, TENANT, Scene
from tests.views.stories import Story, voting

TWO = {name: LINKED[name] for name in ("aya", "bo")}


async def opened(scene: Scene) -> Story:
    story = voting("aya", "bo", place=await scene.mentioned(), linked=TWO)
    return story.twin("aya", "accept").twin("bo", "accept")


async def test_a_card_that_was_taken_back_is_changed_where_it_stands(scene: Scene) -> None:
    story = (await opened(scene)).delegates(AYA, "aya", CHEN)
    await scene.show(story)
    assert await scene.direct_keys(story, CHEN) == [f"part-1/aya/{CHEN}"]
    assert ACCEPT in str(await scene.direct(story, CHEN))

    await scene.show(story.delegates(AYA, "aya"))

    [card] = await scene.direct(story, CHEN)
    assert ACCEPT not in str(card.blocks)
    assert "decides without you again" in str(card.blocks)


async def test_who_never_saw_it_is_not_told_that_it_was_taken_back(scene: Scene) -> None:
    story = (await opened(scene)).delegates(AYA, "aya", CHEN).delegates(AYA, "aya")

    await scene.show(story)

    assert await scene.direct(story, CHEN) == []


async def test_each_reads_their_own_language_also_after_a_restart(scene: Scene) -> None:
    await scene.store.put_records(TENANT, "locale", {CHEN: f'{{"locale":"zh-CN","at":{scene.clock.now()}}}'})
    story = (await opened(scene)).delegates(AYA, "aya", CHEN)

    await scene.show(story)

    [card] = await scene.direct(story, CHEN)
    said = texts("zh").say("🤝 {who} lets you decide for them here; whoever of you votes last counts.", who=f"<@{AYA}>")
    assert said in str(card.blocks)
