"""What the reconciler does for any protocol: several in a thread, steps of workflows, streams that wait."""

import pytest

from bot.local_slack import Message
from bot.posts.going_out import Choices
from bot.posts.stream_reconciler import Presenters
from bot.registry import DIRECTORY, NEGOTIATION
from bot.views.negotiation.presenter import NegotiationPresenter
from engine.kernel import Place, StreamKey
from engine.llm.port import Pause, PauseCause
from tests.bot.driver import text_of
from tests.negotiation.scenario import NOON
from tests.posts.direct_stories import begun, next_round
from tests.posts.driver import AYA, BO, PRESENTERS, Driver
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


async def shown_with(driver: Driver, presenters: Presenters) -> list[str]:
    """Which posts a negotiation gets."""
    driver.posts = driver.another(presenters)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    return await driver.keys(story)


async def test_a_stream_without_a_presenter_counts_as_shown(driver: Driver) -> None:
    assert PRESENTERS[DIRECTORY.name] is None

    assert await shown_with(driver, {NEGOTIATION.name: None}) == []

    assert not await driver.is_behind()


async def test_a_protocol_that_nobody_described_is_an_error_and_its_streams_stay_behind(
    driver: Driver, caplog: pytest.LogCaptureFixture
) -> None:
    assert await shown_with(driver, {DIRECTORY.name: None}) == []

    assert await driver.is_behind()
    assert "is a stream of 'negotiation'; no protocol here is called that" in caplog.text


async def test_another_presenter_says_where_its_posts_are(driver: Driver) -> None:
    class Hidden(NegotiationPresenter):
        def place(self, state: object) -> Place | None:
            return None

    assert await shown_with(driver, {NEGOTIATION.name: Hidden()}) == []
    assert not await driver.is_behind()
    assert await shown_with(driver, PRESENTERS) == ["root", "offers", "round-1"]


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
