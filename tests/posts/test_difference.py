"""What is posted is made equal to what should be, as long as Slack lets it be edited."""

from __future__ import annotations

import pytest

from bot.posts.difference import Create, LookUp, Update, difference
from bot.posts.post_records import PostRecord, joined
from bot.views.kit.post import Post
from engine.kernel import Place
from tests.posts.driver import AYA, LINKED, Driver
from tests.views.stories import voting

MINUTES = 60_000


async def uneditable(driver: Driver, why: str) -> None:
    await driver.workspace.admin.fault("chat.update", "error", error=why, times=None)


@pytest.mark.parametrize("why", ["edit_window_closed", "cant_update_message"])
async def test_the_end_of_a_round_is_told_by_cards_that_take_over(driver: Driver, why: str) -> None:
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, why)
    driver.clock.jump(driver.clock.now() + 11 * MINUTES)

    await driver.show(story.stopped())

    assert sorted(await driver.keys(story)) == ["offers", "outcome", "root", "round-1"]
    assert "Stopped by" in (await driver.message(story, "root")).text
    assert "accept" not in str((await driver.message(story, "round-1")).blocks).lower()
    assert "accept" not in str([each.blocks for each in await driver.direct(story, AYA)]).lower()
    assert not await driver.is_behind()


async def test_a_card_takes_over_once_in_ten_minutes(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, "edit_window_closed")
    await driver.show(story.twin("aya", "accept"))
    before = len(await driver.messages(story))

    assert await driver.wait() == 10 * MINUTES
    await driver.show(story.twin("bo", "accept"))

    assert "1 of 2" in str((await driver.message(story, "round-1")).blocks)
    assert await driver.wait() == 10 * MINUTES
    assert len(await driver.messages(story)) == before
    assert "2 of 2" in str((await driver.message(story, "round-1")).blocks)


async def test_where_it_may_not_be_deleted_either_both_stand_there(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await uneditable(driver, "edit_window_closed")
    await driver.workspace.admin.fault("chat.delete", "error", error="cant_delete_message", times=None)
    driver.clock.jump(driver.clock.now() + 11 * MINUTES)

    await driver.show(story.stopped())

    assert (await driver.keys(story)).count("round-1") == 2
    assert not await driver.is_behind()


THREAD = Place(channel="C", thread="100.000000")
COMMAND = Place(channel="C")
ROOT, OFFERS, VOTE = Post("root", "Root", ()), Post("offers", "Offers", ()), Post("round-1", "Vote", (), restored=True)


def entry(
    post: Post,
    ts: str = "",
    state: str = "posted",
    digest: str | None = None,
    why: str = "",
    thread: str = "100.000000",
) -> PostRecord:
    return PostRecord.model_validate(
        {"state": state, "channel": "C", "thread": thread, "ts": ts, "digest": digest or post.digest, "why": why}
    )


def test_an_empty_thread_gets_its_first_post_only() -> None:
    """The second waits for the ts of the first."""
    assert difference([ROOT, OFFERS], {}, THREAD) == (Create(ROOT, "C", "100.000000"),)


def test_a_command_starts_a_thread() -> None:
    assert difference([ROOT], {}, COMMAND) == (Create(ROOT, "C", ""),)


def test_what_follows_a_command_goes_into_the_thread_of_its_first_post() -> None:
    shown = {"root": entry(ROOT, "200.000000", thread="")}
    assert difference([ROOT, OFFERS], shown, COMMAND) == (Create(OFFERS, "C", "200.000000"),)


def test_where_the_thread_is_gone_the_newest_post_that_stands_in_the_channel_goes_on_with_it() -> None:
    shown = {
        "root": entry(ROOT, "200.000000"),
        "offers": entry(OFFERS, "300.000000", thread=""),
        "round-1": entry(VOTE, "400.000000", thread="300.000000"),
    }
    assert difference([ROOT, OFFERS, VOTE, Post("outcome", "Done", ())], shown, THREAD) == (
        Create(Post("outcome", "Done", ()), "C", "300.000000"),
    )


def test_where_the_first_post_was_given_up_the_next_starts_the_thread() -> None:
    shown = {"root": entry(ROOT, state="given_up", why="is_archived")}
    assert difference([ROOT, OFFERS], shown, COMMAND) == (Create(OFFERS, "C", ""),)


def test_what_is_missing_comes_before_what_is_out_of_date() -> None:
    stale = entry(ROOT, "200.000000", digest="old")
    assert difference([ROOT, OFFERS], {"root": stale}, THREAD) == (
        Create(OFFERS, "C", "100.000000"),
        Update(ROOT, stale),
    )


def test_a_direct_message_begins_no_thread_that_others_join() -> None:
    ticket = PostRecord(state="posted", channel="D_AYA", digest="", ts="3.0", language="en")
    board = PostRecord(state="posted", channel="C_GENERAL", digest="", ts="2.0", thread="1.0")
    place = Place(channel="C_GENERAL", thread="1.0")
    assert joined(place, {"board": board, "ticket-T-1-1": ticket}) == place


def test_what_is_shown_needs_nothing() -> None:
    shown = {"root": entry(ROOT, "200.000000"), "offers": entry(OFFERS, "201.000000")}
    assert difference([ROOT, OFFERS], shown, THREAD) == ()


def test_what_may_have_been_posted_is_looked_up_after_the_newest_that_is_known() -> None:
    doubt = entry(OFFERS, state="posting")
    shown = {"root": entry(ROOT, "200.000000"), "offers": doubt}
    assert difference([ROOT, OFFERS, VOTE], shown, THREAD) == (LookUp(OFFERS, doubt, "200.000000"),)


def test_the_first_of_a_thread_is_looked_up_after_the_message_it_answers() -> None:
    doubt = entry(ROOT, state="posting")
    assert difference([ROOT], {"root": doubt}, THREAD) == (LookUp(ROOT, doubt, "100.000000"),)


def test_what_was_given_up_is_tried_again_when_it_has_something_new_to_say() -> None:
    never = entry(ROOT, state="given_up", digest="old")
    once = entry(OFFERS, "201.000000", state="given_up", digest="old")
    shown = {"root": never, "offers": once}
    assert difference([ROOT, OFFERS], shown, THREAD) == (Create(ROOT, "C", "100.000000"), Update(OFFERS, once))
    same = {"root": entry(ROOT, state="given_up"), "offers": entry(OFFERS, "201.000000", state="given_up")}
    assert difference([ROOT, OFFERS], same, THREAD) == ()


def test_only_an_open_vote_is_posted_again_when_it_was_deleted() -> None:
    shown = {"root": entry(ROOT, "200.000000", "deleted"), "round-1": entry(VOTE, "201.000000", "deleted")}
    assert difference([ROOT, VOTE], shown, THREAD) == (Create(VOTE, "C", "100.000000"),)


URGENT = Post("round-2", "Vote", (), restored=True, is_urgent=True)


def test_a_vote_may_go_before_what_only_tells() -> None:
    assert difference([ROOT, OFFERS, URGENT], {}, THREAD) == (Create(ROOT, "C", "100.000000", ahead=URGENT),)


def test_a_vote_begins_no_thread() -> None:
    assert difference([ROOT, URGENT], {}, COMMAND) == (Create(ROOT, "C", ""),)


def test_what_may_have_been_posted_is_looked_up_before_anything_is() -> None:
    doubt = entry(URGENT, state="posting")
    assert difference([ROOT, URGENT], {"round-2": doubt}, THREAD) == (LookUp(URGENT, doubt, "100.000000"),)


def test_a_post_is_named_by_what_it_shows() -> None:
    assert Post("a", "Hello", ()).digest == Post("b", "Hello", ()).digest
    assert Post("a", "Hello", ()).digest != Post("a", "Hello!", ()).digest
    assert Post("a", "Hello", ({"type": "divider"},)).digest != Post("a", "Hello", ()).digest
