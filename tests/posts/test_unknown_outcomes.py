"""A call whose outcome nobody knows: looked up before it is repeated, and never done twice."""

import pytest

from bot.local_slack.faults import What
from engine.negotiation.terms import Place
from tests.posts.driver import LOBBY, Scene
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)


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
