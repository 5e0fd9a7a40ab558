"""Slack at its worst: nothing is posted twice, nothing is forgotten, nobody is hammered."""

import logging

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.posts.keeper import LONGEST_PAUSE
from bot.posts.table import Entry
from bot.workspace.faults import What
from engine.negotiation.messages import Place
from tests.posts.scene import LOBBY, Scene
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)


# ── an outcome that nobody knows ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
async def test_a_message_whose_reply_was_lost_is_found_and_not_repeated(scene: Scene, where: str) -> None:
    story = Story(place=COMMAND if where == "in the channel" else await scene.mentioned()).demand()
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.show(story)
    assert (await scene.table(story))["root"].state == "posting"
    await scene.wait()
    assert await scene.keys(story) == ["root"]
    assert await scene.calls("chat.postMessage") == 1
    assert not await scene.is_behind()


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
async def test_a_message_that_never_arrived_is_posted_after_a_look(scene: Scene, where: str) -> None:
    story = Story(place=COMMAND if where == "in the channel" else await scene.mentioned()).demand()
    await scene.workspace.admin.fault("chat.postMessage", "drop_before")
    await scene.show(story)
    await scene.wait()
    assert await scene.keys(story) == ["root"]
    looks = await scene.calls("conversations.replies") + await scene.calls("conversations.history")
    assert looks == 1


async def test_the_rest_of_the_thread_waits_for_the_one_that_is_unknown(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.workspace.admin.fault("chat.postMessage", "drop_after", nth=2)
    await scene.show(story)
    assert await scene.keys(story) == ["root", "offers"]
    await scene.wait()
    assert await scene.keys(story) == ["root", "offers", "round-1"]


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_after_a_kill_the_thread_is_looked_at_before_anything_is_repeated(scene: Scene, fault: What) -> None:
    """The process died between the call and the record of its outcome: only the intent is on disk."""
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.workspace.admin.fault("chat.postMessage", fault)
    await scene.show(story)
    await scene.posts.close()
    scene.posts = scene.another()
    await scene.posts.start()
    await scene.posts.idle()
    assert await scene.keys(story) == ["root", "offers", "round-1"]
    assert await scene.calls("conversations.replies") == 1


async def test_what_was_found_is_brought_up_to_date(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.show(story)
    await scene.show(story.understood())
    await scene.wait()
    root = await scene.message(story, "root")
    assert "Looking for the right people…" in root.text
    assert await scene.calls("chat.postMessage") == 1


async def test_a_reply_that_takes_too_long_is_an_outcome_nobody_knows(scene: Scene, story: Story) -> None:
    scene.seconds = 1
    scene.posts = scene.another()
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.show(story)
    await held.release()
    await scene.wait()
    assert await scene.keys(story) == ["root"]
    assert await scene.calls("chat.postMessage") == 1


async def test_a_look_goes_back_as_far_as_it_must(scene: Scene) -> None:
    story = Story(place=COMMAND).demand()
    scene.at(float((await scene.mentioned()).thread))
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.show(story)
    for number in range(210):
        await scene.workspace.person("U_ASKS").say(LOBBY, f"chatter {number}")
    await scene.wait()
    assert await scene.keys(story) == ["root"]
    assert await scene.calls("conversations.history") == 2


async def test_somebody_elses_thread_is_not_ours(scene: Scene) -> None:
    """Two demands in one thread, one key: the stream tells them apart."""
    place = await scene.mentioned()
    first, second = (Story(place=place, stream=f"collab-{name}").demand() for name in ("first", "second"))
    await scene.show(first)
    await scene.workspace.admin.fault("chat.postMessage", "drop_before")
    await scene.show(second)
    await scene.wait()
    assert await scene.keys(first) == ["root"]
    assert await scene.keys(second) == ["root"]


async def test_where_slack_does_not_let_us_look_it_is_posted_again(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "drop_before")
    await scene.workspace.admin.fault("conversations.replies", "error", error="missing_scope")
    await scene.show(story)
    await scene.wait()
    assert await scene.keys(story) == ["root"]


async def test_a_look_that_fails_is_tried_again(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.workspace.admin.fault("conversations.replies", "status", times=2)
    await scene.show(story)
    for _ in range(3):
        await scene.wait()
    assert await scene.calls("chat.postMessage") == 1
    assert await scene.keys(story) == ["root"]


# ── Slack is down ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("do", ["status", "drop_before", "drop_after"])
async def test_an_edit_is_simply_repeated(scene: Scene, story: Story, do: What) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", do)
    await scene.show(story.understood())
    assert await scene.is_behind()
    await scene.wait()
    assert "Looking for" in (await scene.message(story, "root")).text
    assert await scene.calls("conversations.replies") == 0
    assert not await scene.is_behind()


async def test_an_edit_that_failed_is_repeated_with_the_newest_state(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "status")
    await scene.show(story.understood())
    await scene.show(story.shortlisted("aya"))
    await scene.wait()
    assert "0 of 1 are in" in (await scene.message(story, "root")).text


async def test_the_pauses_double_up_to_a_limit(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "status", times=None)
    await scene.show(story.understood())
    pauses = [await scene.wait() for _ in range(12)]
    assert pauses[:4] == [1_000, 2_000, 4_000, 8_000]
    assert pauses[-2:] == [LONGEST_PAUSE, LONGEST_PAUSE]
    assert await scene.calls("chat.update") == 13
    await scene.workspace.admin.clear_faults()
    await scene.wait()
    assert not await scene.is_behind()


async def test_new_votes_do_not_make_it_hurry(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "status", times=None)
    await scene.show(story.understood())
    await scene.show(story.shortlisted("aya", "bo"))
    await scene.show(story.offers("aya"))
    # The root was tried once; the offers, which are new, were posted at once; their edit was tried once.
    assert await scene.calls("chat.update") == 2
    assert await scene.keys(story) == ["root", "offers"]


async def test_a_message_that_cannot_be_edited_now_does_not_hold_up_the_others(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "status")
    await scene.show(story.twin("aya", "accept"))
    assert "1 still to come" in str((await scene.message(story, "round-1")).blocks)
    assert "0 of 2" in (await scene.message(story, "root")).text


async def test_an_unreachable_slack_is_tried_again(scene: Scene, story: Story) -> None:
    await scene.workspace.__aexit__(None, None, None)
    await scene.show(story)
    pauses = [await scene.wait() for _ in range(3)]
    assert pauses == [1_000, 2_000, 4_000]
    assert await scene.table(story) != {}


# ── too many ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_slack_says_until_when_to_wait(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=30)
    await scene.show(story)
    assert await scene.wait() == 30_000
    assert await scene.keys(story) == ["root"]
    assert await scene.calls("conversations.replies") == 0


async def test_the_whole_workspace_waits_with_this_method_and_goes_on_with_others(scene: Scene) -> None:
    held = voting("aya", "bo", place=await scene.mentioned(), stream="collab-held")
    other = Story(place=await scene.mentioned(), stream="collab-other").demand()
    await scene.show(held)
    await scene.workspace.admin.fault("chat.postMessage", "error", error="ratelimited", retry_after=60)
    await scene.show(other)
    third = Story(place=await scene.mentioned(), stream="collab-third").demand()
    await scene.show(third)
    await scene.show(held.twin("aya", "accept"))
    assert await scene.calls("chat.postMessage") == 4
    assert "1 of 2" in (await scene.message(held, "root")).text
    assert await scene.wait() == 60_000
    assert await scene.keys(other) == ["root"]
    assert await scene.keys(third) == ["root"]


# ── Slack says no ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("error", ["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long"])
async def test_what_slack_does_not_take_is_said_in_plain_words(
    scene: Scene, story: Story, error: str, caplog: LogCaptureFixture
) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "error", error=error)
    await scene.show(story)
    [root] = await scene.messages(story)
    assert not [block for block in root.blocks if block["type"] == "actions"]
    assert "Asked by <@U_ASKS>" in root.text
    assert (await scene.table(story))["root"].is_plain
    assert not await scene.is_behind()
    assert error in caplog.text


async def test_an_edit_falls_back_to_plain_words_too(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "error", error="invalid_blocks")
    await scene.show(story.understood())
    root = await scene.message(story, "root")
    assert not [block for block in root.blocks if block["type"] == "actions"]
    await scene.show(story.shortlisted("aya"))
    assert [block for block in (await scene.message(story, "root")).blocks if block["type"] == "actions"]


async def test_what_is_not_taken_in_plain_words_either_is_given_up_where_one_can_see_it(
    scene: Scene, caplog: LogCaptureFixture
) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.workspace.admin.fault("chat.postMessage", "error", nth=2, times=2, error="invalid_blocks")
    await scene.show(story)
    assert await scene.keys(story) == ["root", "round-1"]
    offers = (await scene.table(story))["offers"]
    assert (offers.state, offers.why) == ("given_up", "invalid_blocks")
    assert not await scene.is_behind()
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR] == [
        "Slack refuses the blocks of offers of collab-00000001: invalid_blocks",
        "offers of collab-00000001 is given up: invalid_blocks",
    ]


@pytest.mark.parametrize(
    "error", ["channel_not_found", "is_archived", "not_in_channel", "account_inactive", "invalid_auth"]
)
async def test_a_place_that_is_closed_to_us_is_given_up(
    scene: Scene, story: Story, error: str, caplog: LogCaptureFixture
) -> None:
    await scene.workspace.admin.fault("chat.postMessage", "error", times=None, error=error)
    await scene.show(story)
    assert (await scene.table(story))["root"].why == error
    assert scene.posts.next_due is None
    assert not await scene.is_behind()
    await scene.show(story.understood())
    assert caplog.text.count("given up") == 1  # said once, though it was tried again


async def test_a_place_that_opens_again_hears_the_news(scene: Scene, story: Story) -> None:
    await scene.workspace.admin.leave(LOBBY, scene.workspace.bot_user_id)
    await scene.show(story)
    assert await scene.keys(story) == []
    await scene.workspace.admin.join(LOBBY, scene.workspace.bot_user_id)
    await scene.show(story.understood())
    assert await scene.keys(story) == ["root"]


async def test_an_edit_that_is_refused_for_good_is_given_up(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.workspace.admin.fault("chat.update", "error", error="edit_window_closed")
    await scene.show(story.understood())
    root = (await scene.table(story))["root"]
    assert (root.state, root.why) == ("given_up", "edit_window_closed")
    assert root.ts
    await scene.show(story.shortlisted("aya"))
    assert "0 of 1" in (await scene.message(story, "root")).text


# ── a person deletes it ───────────────────────────────────────────────────────────────────────────────────────────


async def test_a_deleted_vote_comes_back_while_it_is_open(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await _deleted(scene, story, "round-1")
    await scene.show(story.twin("aya", "accept"))
    assert await scene.keys(story) == ["root", "offers", "round-1"]
    await scene.show(story.twin("bo", "accept"))
    assert "2 of 2 in favour" in str((await scene.message(story, "round-1")).blocks)


async def test_anything_else_that_is_deleted_stays_deleted(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await _deleted(scene, story, "root")
    await scene.show(story.twin("aya", "accept"))
    await scene.show(story.twin("bo", "accept"))
    assert await scene.keys(story) == ["offers", "round-1"]
    assert (await scene.table(story))["root"].state == "deleted"
    assert not await scene.is_behind()


async def test_a_closed_round_that_was_deleted_stays_deleted(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await _deleted(scene, story, "round-1")
    await scene.show(story.stopped())
    assert await scene.keys(story) == ["root", "offers", "outcome"]


async def test_a_vote_that_came_back_is_not_posted_twice_either(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await _deleted(scene, story, "round-1")
    await scene.workspace.admin.fault("chat.postMessage", "drop_after")
    await scene.show(story.twin("aya", "accept"))
    await scene.wait()
    assert await scene.keys(story) == ["root", "offers", "round-1"]
    assert await scene.calls("chat.postMessage") == 4


# ── our own store ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_while_the_store_is_away_nothing_is_sent_and_nothing_is_lost(scene: Scene, story: Story) -> None:
    await scene.commit(story)
    await scene.store.close()
    scene.posts.notice(await scene.commit(story))
    await scene.posts.idle()
    await scene.wait()
    assert await scene.calls("chat.postMessage") == 0
    await scene.store.open()
    await scene.wait()
    assert await scene.keys(story) == ["root"]


async def test_a_start_waits_for_the_store(scene: Scene, story: Story) -> None:
    await scene.commit(story)
    await scene.store.close()
    await scene.posts.start()
    await scene.posts.idle()
    await scene.store.open()
    await scene.wait()
    assert await scene.keys(story) == ["root"]


async def test_an_outcome_that_could_not_be_written_down_is_looked_up(scene: Scene, story: Story) -> None:
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.tell(story)
    await held.reached()
    await scene.store.close()
    await held.release()
    await scene.posts.idle()
    await scene.store.open()
    await scene.wait()
    assert await scene.keys(story) == ["root"]
    assert await scene.calls("chat.postMessage") == 1
    assert (await scene.table(story))["root"].state == "posted"


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_closing_lets_a_call_end_and_writes_down_what_became_of_it(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.tell(story)
    await held.reached()
    scene.posts.notice(await scene.commit(story))
    closing = scene.closing()
    await held.release()
    await closing
    assert (await scene.table(story))["root"].state == "posted"
    assert await scene.calls("chat.postMessage") == 1
    assert await scene.is_behind()


async def test_after_closing_nothing_is_noticed(scene: Scene, story: Story) -> None:
    await scene.posts.close()
    await scene.show(story)
    assert await scene.calls("chat.postMessage") == 0


async def test_a_broken_view_is_told_and_does_not_stop_the_others(scene: Scene, caplog: LogCaptureFixture) -> None:
    broken = Story(place=await scene.mentioned(), stream="collab-broken").demand()
    whole = Story(place=await scene.mentioned(), stream="collab-whole").demand()
    key = await scene.commit(broken)
    del scene.stories[key]
    scene.posts.notice(key)
    await scene.show(whole)
    assert await scene.keys(whole) == ["root"]
    assert "KeyError" in caplog.text


async def _deleted(scene: Scene, story: Story, key: str) -> None:
    """Somebody who may deletes the message, unseen by us."""
    message = await scene.message(story, key)
    await scene.client().chat_delete(channel=message.channel, ts=message.ts)


def test_an_entry_is_small_where_there_is_little_to_say() -> None:
    entry = Entry(state="posted", channel=LOBBY, digest="0123", ts="1.000001")
    assert entry.model_dump_json(exclude_defaults=True) == (
        '{"state":"posted","channel":"C_LOBBY","digest":"0123","ts":"1.000001"}'
    )
