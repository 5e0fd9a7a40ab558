"""Where somebody's direct messages are, whether anybody reads them, and what the engine hears of it."""

from collections.abc import Callable

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.posts.languages import ACCOUNT_TRUSTED as TRUSTED
from bot.posts.languages import DIRECT_RECORD as KIND
from engine.errors import StoreError
from engine.kernel import Command
from engine.negotiation.commands import RecordDelivery
from engine.negotiation.errors import InvalidVote
from tests.posts.direct_stories import (
    begun,
    half_time,
    next_round,
)
from tests.posts.driver import AYA, TENANT, Driver
from tests.views.stories import Story


@pytest.fixture
async def story(driver: Driver) -> Story:
    """Round 1 is open for aya, bo and chen, who are all here; their twins have yet to vote."""
    return await begun(driver)


# ── where it is, and whether anybody reads it ─────────────────────────────────────────────────────────────────────


async def test_after_a_restart_it_is_known_where_to_write(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    await driver.posts.close()
    driver.posts = driver.another()
    await driver.show(half_time(story))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]
    assert await driver.calls("conversations.open") == 1


async def test_whoever_waits_long_for_their_turn_is_asked_after_once(driver: Driver, story: Story) -> None:
    """Asking again would cost them the turn they waited for."""
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=120)
    await driver.show(story.twin("aya", "accept"))
    assert await driver.wait() == 120_000
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert await driver.calls("conversations.open") == 1


async def test_whoever_could_not_be_written_to_for_long_is_asked_after_again(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", times=None)
    await driver.show(story.twin("aya", "accept"))
    assert [await driver.wait() for _ in range(8)] == [1_000 * 2**each for each in range(8)]
    await driver.workspace.admin.deactivate(AYA)
    await driver.workspace.admin.clear_faults()
    await driver.wait()
    assert reach(driver) == [("aya", 1, False, True)]


async def test_a_conversation_that_was_closed_is_opened_again(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    await driver.posts.close()
    await driver.store.put_records(TENANT, KIND, {AYA: '"D_CLOSED"'})
    driver.posts = driver.another()
    await driver.show(half_time(story))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya", "reminder-1/aya"]
    assert (await driver.table(story))["reminder-1/aya"].state == "posted"
    assert await driver.calls("conversations.open") == 2


async def test_a_letter_that_is_refused_twice_is_given_up(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    await driver.workspace.admin.fault("chat.postMessage", "error", error="messages_tab_disabled", times=None)
    await driver.show(half_time(story))
    assert (await driver.table(story))["reminder-1/aya"].why == "messages_tab_disabled"
    assert await driver.calls("conversations.open") == 2
    assert driver.posts.next_due is None


async def test_somebody_who_has_gone_is_given_up_and_the_engine_hears_it_once(
    driver: Driver, story: Story, caplog: LogCaptureFixture
) -> None:
    await driver.workspace.admin.deactivate(AYA)
    await driver.show(story.twin("aya", "accept"))
    assert (await driver.table(story))["part-1/aya"].why == "user_disabled"
    assert reach(driver) == [("aya", 1, False, True)]
    await driver.show(story.twin("bo", "accept"))
    assert reach(driver) == [("aya", 1, False, True)]
    assert caplog.text.count("part-1/aya of collab-direct is given up: user_disabled") == 1
    await driver.show(story.twin("chen", "negotiate").time_is_up())
    await driver.show(story.drafted("aya", "bo", "chen"))
    assert reach(driver) == [("aya", 1, False, True)]


async def test_somebody_who_goes_between_the_rounds_is_not_taken_for_reached(driver: Driver, story: Story) -> None:
    """Slack takes messages to them as before; nobody reads them."""
    await driver.show(next_round(story))
    driver.clock.jump(driver.clock.now() + TRUSTED)
    await driver.workspace.admin.deactivate(AYA)
    await driver.show(story.twin_fails("aya"))
    assert reach(driver) == [("aya", 2, False, True)]
    assert (await driver.table(story))["part-2/aya"].why == "user_disabled"


@pytest.mark.parametrize("error", ["cannot_dm_bot", "channel_not_found"])
async def test_whom_we_may_not_write_to_is_unreachable_but_not_gone(driver: Driver, story: Story, error: str) -> None:
    await driver.workspace.admin.fault("conversations.open", "error", error=error)
    await driver.show(story.twin("aya", "accept"))
    assert reach(driver) == [("aya", 1, False, False)]
    await driver.show(story.clicks(AYA, "aya", "accept"))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert reach(driver) == [("aya", 1, False, False)]


# ── whom a round has reached ──────────────────────────────────────────────────────────────────────────────────────


def reach(driver: Driver) -> list[tuple[str, int, bool, bool]]:
    def told(command: Command) -> tuple[str, int, bool, bool]:
        assert isinstance(command, RecordDelivery)
        return command.agent_id, command.round, command.reached, command.gone

    return [told(each) for each in driver.reported]


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        pytest.param(lambda story: story.twin("aya", "accept"), [], id="the twin has voted"),
        pytest.param(lambda story: story.clicks(AYA, "aya", "accept").twin_fails("aya"), [], id="the person has voted"),
        pytest.param(lambda story: story.twin_fails("aya"), [("aya", 1, True, False)], id="only the person can vote"),
    ],
)
async def test_the_engine_hears_whom_it_has_reached_where_silence_would_mean_something(
    driver: Driver, story: Story, happens: Callable[[Story], Story], told: list[tuple[str, int, bool, bool]]
) -> None:
    await driver.show(happens(story))
    await driver.show(story.twin("bo", "accept"))
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert reach(driver) == told


async def test_nobody_is_reached_before_the_message_is_there(driver: Driver, story: Story) -> None:
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.tell(story.twin_fails("aya"))
    await held.reached()
    assert reach(driver) == []
    await held.release()
    await driver.posts.idle()
    assert reach(driver) == [("aya", 1, True, False)]


async def test_a_message_of_unknown_outcome_has_reached_nobody_until_it_is_found(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.show(story.twin_fails("aya"))
    assert reach(driver) == []
    await driver.wait()
    assert reach(driver) == [("aya", 1, True, False)]


async def test_it_is_heard_at_once_though_something_else_is_in_trouble(driver: Driver, story: Story) -> None:
    await driver.show(story.twin("aya", "accept"))
    await driver.workspace.admin.fault("chat.update", "status", times=None)
    await driver.show(next_round(story))
    await driver.show(story.twin_fails("aya"))
    assert reach(driver) == [("aya", 2, True, False)]


async def test_where_the_store_is_away_it_is_told_again(driver: Driver, story: Story) -> None:
    driver.mishaps = [StoreError("away"), StoreError("away")]
    await driver.show(story.twin_fails("aya"))
    assert [await driver.wait() for _ in range(2)] == [1_000, 1_000]
    assert reach(driver) == [("aya", 1, True, False)] * 3
    assert story.state.rounds[-1].seats["aya"].reached
    assert driver.posts.next_due is None


async def test_what_the_engine_refuses_it_is_not_told_again(driver: Driver, story: Story) -> None:
    driver.mishaps = [InvalidVote("no")]
    await driver.show(story.twin_fails("aya"))
    assert reach(driver) == [("aya", 1, True, False)]
    assert driver.posts.next_due is None
    assert not await driver.is_behind()
