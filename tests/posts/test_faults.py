"""Slack or our own store is away: nothing is forgotten, and nobody is hammered."""

import asyncio

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack.faults import FaultKind
from bot.posts.post_records import PostRecord
from bot.posts.waiting import LONGEST_PAUSE
from tests.posts.driver import LOBBY, Driver
from tests.views.stories import Story, voting

# ── Slack is down ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("do", ["status", "drop_before", "drop_after"])
async def test_an_edit_is_simply_repeated(driver: Driver, story: Story, do: FaultKind) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", do)
    await driver.show(story.understood())
    assert await driver.is_behind()
    await driver.wait()
    assert "Looking for" in (await driver.message(story, "root")).text
    assert await driver.calls("conversations.replies") == 0
    assert not await driver.is_behind()


async def test_an_edit_that_failed_is_repeated_with_the_newest_state(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "status")
    await driver.show(story.understood())
    await driver.show(story.shortlisted("aya"))
    await driver.wait()
    assert "0 of 1 are in" in (await driver.message(story, "root")).text


async def test_the_pauses_double_up_to_a_limit(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "status", times=None)
    await driver.show(story.understood())
    pauses = [await driver.wait() for _ in range(12)]
    assert pauses[:4] == [1_000, 2_000, 4_000, 8_000]
    assert pauses[-2:] == [LONGEST_PAUSE, LONGEST_PAUSE]
    assert await driver.calls("chat.update") == 13
    await driver.workspace.admin.clear_faults()
    await driver.wait()
    assert not await driver.is_behind()


async def test_new_votes_do_not_make_it_hurry(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "status", times=None)
    await driver.show(story.understood())
    await driver.show(story.shortlisted("aya", "bo"))
    await driver.show(story.offers("aya"))
    # The root was tried once; the offers, which are new, were posted at once; their edit was tried once.
    assert await driver.calls("chat.update") == 2
    assert await driver.keys(story) == ["root", "offers"]


async def test_a_message_that_cannot_be_edited_now_does_not_hold_up_the_others(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "status")
    await driver.show(story.stopped())
    assert "Stopped before" in str((await driver.message(story, "round-1")).blocks)
    assert "Round 1" in (await driver.message(story, "root")).text
    await driver.wait()
    assert "Stopped by" in (await driver.message(story, "root")).text


async def test_an_unreachable_slack_is_tried_again(driver: Driver, story: Story) -> None:
    await driver.workspace.__aexit__(None, None, None)
    await driver.show(story)
    pauses = [await driver.wait() for _ in range(3)]
    assert pauses == [1_000, 2_000, 4_000]
    assert await driver.is_behind()


# ── too many ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_slack_says_until_when_to_wait(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=30)
    await driver.show(story)
    assert await driver.wait() == 30_000
    assert await driver.keys(story) == ["root"]
    assert await driver.calls("conversations.replies") == 0


async def test_the_whole_workspace_waits_with_this_method_and_goes_on_with_others(driver: Driver) -> None:
    held = voting("aya", "bo", place=await driver.mentioned(), stream="collab-held")
    other = Story(place=await driver.mentioned(), stream="collab-other").demand()
    await driver.show(held)
    await driver.workspace.admin.fault("chat.postMessage", "error", error="ratelimited", retry_after=60)
    await driver.show(other)
    third = Story(place=await driver.mentioned(), stream="collab-third").demand()
    await driver.show(third)
    await driver.show(held.twin("aya", "accept"))
    assert await driver.calls("chat.postMessage") == 4
    assert "1 still to come" in str((await driver.message(held, "round-1")).blocks)
    assert await driver.wait() == 60_000
    assert await driver.keys(other) == ["root"]
    assert await driver.keys(third) == ["root"]


# ── our own store ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_while_the_store_is_away_nothing_is_sent_and_nothing_is_lost(driver: Driver, story: Story) -> None:
    await driver.commit(story)
    await driver.store.close()
    driver.posts.notice(await driver.commit(story))
    await driver.posts.idle()
    await driver.wait()
    assert await driver.calls("chat.postMessage") == 0
    await driver.store.open()
    await driver.wait()
    assert await driver.keys(story) == ["root"]


async def test_a_start_waits_for_the_store(driver: Driver, story: Story) -> None:
    await driver.commit(story)
    await driver.store.close()
    await driver.posts.start()
    await driver.posts.idle()
    await driver.store.open()
    await driver.wait()
    assert await driver.keys(story) == ["root"]


async def test_an_outcome_that_could_not_be_written_down_is_looked_up(driver: Driver, story: Story) -> None:
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.tell(story)
    await held.reached()
    await driver.store.close()
    await held.release()
    await driver.posts.idle()
    await driver.store.open()
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    assert await driver.calls("chat.postMessage") == 1
    assert (await driver.table(story))["root"].state == "posted"


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_closing_lets_a_call_end_and_writes_down_what_became_of_it(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.tell(story)
    await held.reached()
    driver.posts.notice(await driver.commit(story))
    closing = driver.closing()
    await held.release()
    await closing
    assert (await driver.table(story))["root"].state == "posted"
    assert await driver.calls("chat.postMessage") == 1
    assert await driver.is_behind()


@pytest.mark.parametrize("turns", range(12))
async def test_what_the_end_kept_from_being_posted_is_behind(driver: Driver, story: Story, turns: int) -> None:
    """However far a look at the stream had come."""
    await driver.tell(story)
    for _ in range(turns):
        await asyncio.sleep(0)
    await driver.closing()
    assert await driver.is_behind() or await driver.keys(story) == ["root"]


async def test_after_closing_nothing_is_noticed(driver: Driver, story: Story) -> None:
    await driver.posts.close()
    await driver.show(story)
    assert await driver.calls("chat.postMessage") == 0


async def test_a_broken_view_is_told_and_does_not_stop_the_others(driver: Driver, caplog: LogCaptureFixture) -> None:
    broken = Story(place=await driver.mentioned(), stream="collab-broken").demand()
    whole = Story(place=await driver.mentioned(), stream="collab-whole").demand()
    key = await driver.commit(broken)
    del driver.stories[key]
    driver.posts.notice(key)
    await driver.show(whole)
    assert await driver.keys(whole) == ["root"]
    assert "KeyError" in caplog.text


def test_an_entry_is_small_where_there_is_little_to_say() -> None:
    entry = PostRecord(state="posted", channel=LOBBY, digest="0123", ts="1.000001")
    assert entry.model_dump_json(exclude_defaults=True) == (
        '{"state":"posted","channel":"C_LOBBY","digest":"0123","ts":"1.000001"}'
    )
