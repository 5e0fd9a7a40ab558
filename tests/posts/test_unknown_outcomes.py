"""A call whose outcome nobody knows: looked up before it is repeated, and never done twice."""

import pytest
from msgspec.structs import replace

from bot.local_slack.faults import FaultKind
from engine.kernel import ChangePlace, Place
from tests.posts.driver import LOBBY, Driver
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)
MOVED = "C_MOVED"


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
async def test_a_message_whose_reply_was_lost_is_found_and_not_repeated(driver: Driver, where: str) -> None:
    story = Story(place=COMMAND if where == "in the channel" else await driver.mentioned()).demand()
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.show(story)
    assert (await driver.table(story))["root"].state == "posting"
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    assert await driver.calls("chat.postMessage") == 1
    assert not await driver.is_behind()


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
async def test_a_message_that_never_arrived_is_posted_after_a_look(driver: Driver, where: str) -> None:
    story = Story(place=COMMAND if where == "in the channel" else await driver.mentioned()).demand()
    await driver.workspace.admin.fault("chat.postMessage", "drop_before")
    await driver.show(story)
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    looks = await driver.calls("conversations.replies") + await driver.calls("conversations.history")
    assert looks == 1


async def test_the_rest_of_the_thread_waits_for_the_one_that_is_unknown(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.workspace.admin.fault("chat.postMessage", "drop_after", nth=2)
    await driver.show(story)
    assert await driver.keys(story) == ["root", "offers"]
    await driver.wait()
    assert await driver.keys(story) == ["root", "offers", "round-1"]


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_after_a_kill_the_thread_is_looked_at_before_anything_is_repeated(
    driver: Driver, fault: FaultKind
) -> None:
    """The process died between the call and the record of its outcome: only the intent is on disk."""
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.workspace.admin.fault("chat.postMessage", fault)
    await driver.show(story)
    await driver.posts.close()
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    assert await driver.keys(story) == ["root", "offers", "round-1"]
    assert await driver.calls("conversations.replies") == 1


async def test_what_was_found_is_brought_up_to_date(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.show(story)
    await driver.show(story.understood())
    await driver.wait()
    root = await driver.message(story, "root")
    assert "Looking for the right people…" in root.text
    assert await driver.calls("chat.postMessage") == 1


@pytest.mark.parametrize("is_heard_late", [True, False])
async def test_what_a_channel_that_gets_another_id_hides_stands_there_once_in_the_end(
    driver: Driver, is_heard_late: bool
) -> None:
    """Slack knows the old id no more, so that nobody can look there; that it is gone may be heard before or after."""
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.workspace.admin.fault("chat.postMessage", "drop_after", nth=2)
    await driver.show(story)
    await driver.workspace.admin.change_id(LOBBY, MOVED)
    if is_heard_late:
        await driver.wait()

    story.does(ChangePlace, old_channel=LOBBY, channel=MOVED, shared=False)
    story.place = replace(story.place, channel=MOVED)
    await driver.show(story)
    while driver.posts.next_due is not None:
        await driver.wait()

    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_a_reply_that_takes_too_long_is_an_outcome_nobody_knows(driver: Driver, story: Story) -> None:
    driver.seconds = 1
    driver.posts = driver.another()
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    await driver.show(story)
    await held.release()
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    assert await driver.calls("chat.postMessage") == 1


async def test_a_look_goes_back_as_far_as_it_must(driver: Driver) -> None:
    story = Story(place=COMMAND).demand()
    driver.at(float((await driver.mentioned()).thread))
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.show(story)
    for number in range(210):
        await driver.workspace.person("U_ASKS").say(LOBBY, f"chatter {number}")
    await driver.wait()
    assert await driver.keys(story) == ["root"]
    assert await driver.calls("conversations.history") == 2


async def test_somebody_elses_thread_is_not_ours(driver: Driver) -> None:
    """Two demands in one thread, one key: the stream tells them apart."""
    place = await driver.mentioned()
    first, second = (Story(place=place, stream=f"collab-{name}").demand() for name in ("first", "second"))
    await driver.show(first)
    await driver.workspace.admin.fault("chat.postMessage", "drop_before")
    await driver.show(second)
    await driver.wait()
    assert await driver.keys(first) == ["root"]
    assert await driver.keys(second) == ["root"]


async def test_where_slack_does_not_let_us_look_it_is_posted_again(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "drop_before")
    await driver.workspace.admin.fault("conversations.replies", "error", error="missing_scope")
    await driver.show(story)
    await driver.wait()
    assert await driver.keys(story) == ["root"]


async def test_a_look_that_fails_is_tried_again(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "drop_after")
    await driver.workspace.admin.fault("conversations.replies", "status", times=2)
    await driver.show(story)
    for _ in range(3):
        await driver.wait()
    assert await driver.calls("chat.postMessage") == 1
    assert await driver.keys(story) == ["root"]
