"""Slack or our own store is away: nothing is forgotten, and nobody is hammered."""

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack.faults import What
from bot.posts.conversation_reconciler import LONGEST_PAUSE
from bot.posts.post_records import Entry
from tests.posts.driver import LOBBY, Scene
from tests.views.stories import Story, voting

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
    await scene.show(story.stopped())
    assert "Stopped before" in str((await scene.message(story, "round-1")).blocks)
    assert "Round 1" in (await scene.message(story, "root")).text
    await scene.wait()
    assert "Stopped by" in (await scene.message(story, "root")).text


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
    assert "1 still to come" in str((await scene.message(held, "round-1")).blocks)
    assert await scene.wait() == 60_000
    assert await scene.keys(other) == ["root"]
    assert await scene.keys(third) == ["root"]


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


def test_an_entry_is_small_where_there_is_little_to_say() -> None:
    entry = Entry(state="posted", channel=LOBBY, digest="0123", ts="1.000001")
    assert entry.model_dump_json(exclude_defaults=True) == (
        '{"state":"posted","channel":"C_LOBBY","digest":"0123","ts":"1.000001"}'
    )
