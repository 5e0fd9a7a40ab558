"""Whoever wants to hear of each step is told how a round went; nobody else is."""

from bot.posts.going_out import Choices
from tests.posts.direct_stories import begun, next_round
from tests.posts.driver import AYA, BO, Driver
from tests.views.stories import Story


async def between_rounds(driver: Driver) -> Story:
    story = await begun(driver)
    driver.choices[AYA] = Choices(wants_steps=True)
    await driver.show(story.twin("aya", "accept").twin("bo", "accept").twin("chen", "negotiate").time_is_up())
    return story


async def test_they_hear_of_a_round_that_went_on(driver: Driver) -> None:
    story = await between_rounds(driver)

    assert await driver.direct_keys(story, AYA) == ["part-1/aya", f"step-1/aya/{AYA}"]
    assert await driver.direct_keys(story, BO) == ["part-1/bo"]
    step = (await driver.direct(story, AYA))[-1]
    assert "round 1 is over" in step.text
    assert "2 of 3 in favour" in str(step.blocks)


async def test_of_a_round_that_is_long_over_nobody_hears(driver: Driver) -> None:
    """Aya chooses it when the next round has begun."""
    story = await begun(driver)
    await driver.show(next_round(story))
    driver.choices[AYA] = Choices(wants_steps=True)

    await driver.show(story.twin("aya", "accept"))

    assert f"step-1/aya/{AYA}" not in await driver.direct_keys(story, AYA)


async def test_of_the_end_everybody_hears_once(driver: Driver) -> None:
    story = await between_rounds(driver)
    story.drafted("aya", "bo", "chen")
    for each in ("aya", "bo", "chen"):
        story.twin(each, "accept")
    await driver.show(story.time_is_up())

    keys = await driver.direct_keys(story, AYA)
    assert [each for each in keys if each.startswith("ending")] == ["ending/aya"]
    assert not any(each.startswith("step-2") for each in keys)
