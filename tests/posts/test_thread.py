"""When all goes well: one message for each post, in order, edited in place, and no call too many."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.posts import Posts
from engine.negotiation.terms import Place
from tests.posts.driver import HALL, LOBBY, Scene
from tests.views.stories import Story, voting

COMMAND = Place(channel=LOBBY)


async def test_a_mention_is_answered_in_its_thread(scene: Scene, story: Story) -> None:
    await scene.show(story)
    [root] = await scene.messages(story)
    assert root.thread_ts == story.place.thread


async def test_a_command_gets_a_message_of_its_own_and_a_thread_on_it(scene: Scene) -> None:
    story = voting("aya", "bo", place=COMMAND)
    await scene.show(story)
    root, *others = await scene.messages(story)
    assert root.thread_ts in (None, root.ts)
    assert [each.thread_ts for each in others] == [root.ts, root.ts]


async def test_the_thread_has_its_posts_in_order(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    assert await scene.keys(story) == ["root", "offers", "round-1"]


async def test_a_change_edits_what_is_there(scene: Scene, story: Story) -> None:
    await scene.show(story)
    await scene.show(story.understood())
    assert await scene.calls("chat.postMessage") == 1
    assert await scene.calls("chat.update") == 1
    root = await scene.message(story, "root")
    assert "Looking for the right people…" in root.text


async def test_what_looks_the_same_is_not_sent_again(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await scene.show(story)
    assert await scene.calls("chat.update") == 0


async def test_nothing_is_owed_once_it_is_shown(scene: Scene, story: Story) -> None:
    await scene.tell(story)
    assert await scene.is_behind()
    await scene.posts.idle()
    assert not await scene.is_behind()


async def test_what_is_superseded_is_never_sent(scene: Scene) -> None:
    story = voting("aya", "bo", "chen", place=await scene.mentioned())
    await scene.show(story)
    held = await scene.workspace.admin.fault("chat.update", "hold")
    await scene.tell(story.twin("aya", "accept"))
    await held.reached()
    await scene.tell(story.twin("bo", "accept"))
    await scene.tell(story.twin("chen", "accept"))
    await held.release()
    await scene.posts.idle()
    # The round with one vote was under way; after it: the round once more, with all three.
    assert await scene.calls("chat.update") == 2
    assert "3 of 3 in favour" in str((await scene.message(story, "round-1")).blocks)


async def test_a_thread_has_one_call_in_flight(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.tell(story)
    await held.reached()
    await scene.tell(story.twin("aya", "accept"))
    assert await scene.calls("chat.postMessage") == 1
    assert await scene.calls("chat.update") == 0
    await held.release()
    await scene.posts.idle()
    assert await scene.keys(story) == ["root", "offers", "round-1"]


async def test_threads_do_not_wait_for_each_other(scene: Scene) -> None:
    slow = voting("aya", "bo", place=await scene.mentioned(), stream="collab-slow")
    quick = voting("aya", "bo", place=await scene.mentioned(HALL), stream="collab-quick")
    held = await scene.workspace.admin.fault("chat.postMessage", "hold")
    await scene.tell(slow)
    await held.reached()
    await scene.tell(quick)
    await scene.workspace.person("U_ASKS").until_message(
        HALL, lambda message: message.text.startswith("Proposal 1"), thread_ts=quick.place.thread
    )
    assert await scene.keys(quick) == ["root", "offers", "round-1"]
    await held.release()
    await scene.posts.idle()
    assert await scene.keys(slow) == ["root", "offers", "round-1"]


async def test_a_start_catches_up_with_whatever_is_behind(scene: Scene) -> None:
    stories = [voting("aya", place=await scene.mentioned(), stream=f"collab-{number}") for number in range(3)]
    for story in stories:
        await scene.commit(story)
    await scene.posts.start()
    await scene.posts.idle()
    for story in stories:
        assert await scene.keys(story) == ["root", "offers", "round-1"]
    assert not await scene.is_behind()


async def test_a_restart_knows_what_was_posted(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    await scene.posts.close()
    scene.posts = scene.another()
    await scene.show(story.twin("aya", "accept"))
    assert await scene.calls("chat.postMessage") == 3
    assert await scene.calls("conversations.replies") == 0
    assert await scene.keys(story) == ["root", "offers", "round-1"]


async def test_a_whole_negotiation_is_readable_in_the_end(scene: Scene) -> None:
    story = voting("aya", "bo", place=await scene.mentioned())
    await scene.show(story)
    for agent in ("aya", "bo"):
        await scene.show(story.twin(agent, "accept"))
    await scene.show(story.time_is_up())
    assert await scene.keys(story) == ["root", "offers", "round-1", "outcome"]
    outcome = await scene.message(story, "outcome")
    assert "We have a plan" in outcome.text
    assert not any(block["type"] == "actions" for block in (await scene.message(story, "round-1")).blocks)


async def test_a_client_that_retries_by_itself_is_refused(scene: Scene, story: Story) -> None:
    """One call of such a client whose reply is lost posts twice."""
    client = AsyncWebClient(scene.workspace.bot_token, scene.workspace.api_url)
    with pytest.raises(ValueError, match="retry_handlers"):
        Posts(scene.store, scene.read, scene.report, client, scene.clock)
