"""Slack says no, or a person takes a message away: told, given up where one can see it, and nothing else is held up."""

import logging

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack.installation import SCOPES
from tests.posts.driver import LOBBY, Driver
from tests.views.stories import Story, voting

# ── Slack says no ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("error", ["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"])
async def test_what_slack_does_not_take_is_said_in_plain_words(
    driver: Driver, story: Story, error: str, caplog: LogCaptureFixture
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "error", error=error)
    await driver.show(story)
    [root] = await driver.messages(story)
    assert not [block for block in root.blocks if block["type"] == "actions"]
    assert "Asked by <@U_ASKS>" in root.text
    assert (await driver.table(story))["root"].is_plain
    assert not await driver.is_behind()
    assert error in caplog.text


async def test_an_edit_falls_back_to_plain_words_too(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "error", error="invalid_blocks")
    await driver.show(story.understood())
    root = await driver.message(story, "root")
    assert not [block for block in root.blocks if block["type"] == "actions"]
    await driver.show(story.shortlisted("aya"))
    assert [block for block in (await driver.message(story, "root")).blocks if block["type"] == "actions"]


async def test_what_is_not_taken_in_plain_words_either_is_given_up_where_one_can_see_it(
    driver: Driver, caplog: LogCaptureFixture
) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.workspace.admin.fault("chat.postMessage", "error", nth=2, times=2, error="invalid_blocks")
    await driver.show(story)
    assert await driver.keys(story) == ["root", "round-1"]
    offers = (await driver.table(story))["offers"]
    assert (offers.state, offers.why) == ("given_up", "invalid_blocks")
    assert not await driver.is_behind()
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR] == [
        "Slack refuses the blocks of offers of collab-00000001: invalid_blocks",
        "offers of collab-00000001 is given up: invalid_blocks",
    ]


@pytest.mark.parametrize("error", ["channel_not_found", "is_archived", "not_in_channel"])
async def test_a_place_that_is_closed_to_us_is_given_up(
    driver: Driver, story: Story, error: str, caplog: LogCaptureFixture
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "error", times=None, error=error)
    await driver.show(story)
    assert (await driver.table(story))["root"].why == error
    assert driver.posts.next_due is None
    assert not await driver.is_behind()
    await driver.show(story.understood())
    assert caplog.text.count("root of collab-00000001 is given up") == 1  # said once, though it was tried again


async def test_a_place_that_opens_again_hears_the_news(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.grant(*(each for each in SCOPES if each != "channels:join"))
    await driver.workspace.admin.leave(LOBBY, driver.workspace.bot_user_id)
    await driver.show(story)
    assert await driver.keys(story) == []
    await driver.workspace.admin.join(LOBBY, driver.workspace.bot_user_id)
    await driver.show(story.understood())
    assert await driver.keys(story) == ["root"]


async def test_an_edit_that_is_refused_for_good_is_given_up(driver: Driver, story: Story) -> None:
    await driver.show(story)
    await driver.workspace.admin.fault("chat.update", "error", error="edit_window_closed")
    await driver.show(story.understood())
    root = (await driver.table(story))["root"]
    assert (root.state, root.why) == ("given_up", "edit_window_closed")
    assert root.ts
    await driver.show(story.shortlisted("aya"))
    assert "0 of 1" in (await driver.message(story, "root")).text


# ── a person deletes it ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_deleted_vote_comes_back_while_it_is_open(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await _deleted(driver, story, "round-1")
    await driver.show(story.twin("aya", "accept"))
    assert await driver.keys(story) == ["root", "offers", "round-1"]
    await driver.show(story.twin("bo", "accept"))
    assert "2 of 2 in favour" in str((await driver.message(story, "round-1")).blocks)


async def test_anything_else_that_is_deleted_stays_deleted(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await _deleted(driver, story, "root")
    await driver.show(story.stopped())
    assert await driver.keys(story) == ["offers", "round-1", "outcome"]
    assert (await driver.table(story))["root"].state == "deleted"
    assert not await driver.is_behind()


async def test_a_closed_round_that_was_deleted_stays_deleted(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await _deleted(driver, story, "round-1")
    await driver.show(story.stopped())
    assert await driver.keys(story) == ["root", "offers", "outcome"]


async def test_a_vote_that_came_back_is_not_posted_twice_either(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await _deleted(driver, story, "round-1")
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.show(story.twin("aya", "accept"))
    await driver.wait()
    assert await driver.keys(story) == ["root", "offers", "round-1"]
    assert await driver.calls("chat.postMessage") == 4


async def _deleted(driver: Driver, story: Story, key: str) -> None:
    """Somebody who may deletes the message, unseen by us."""
    message = await driver.message(story, key)
    await driver.client().chat_delete(channel=message.channel, ts=message.ts)
