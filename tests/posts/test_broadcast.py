"""A message of the thread that is shown in the channel as well: once, whatever becomes of the call."""

import pytest

from bot.local_slack import Message
from bot.local_slack.faults import What
from engine.negotiation.terms import Place
from tests.posts.driver import LOBBY, Scene
from tests.views.stories import REQUESTER, Story, voting


def announced(place: Place) -> Story:
    return voting("aya", "bo", place=place).twin("aya", "accept").twin("bo", "accept").time_is_up().goes_ahead(
        announce=True
    )  # fmt: skip


async def in_channel(scene: Scene) -> list[Message]:
    """What the channel shows of ours, besides what begins a thread."""
    return [each for each in await scene.workspace.person(REQUESTER).messages(LOBBY) if each.is_reply]


@pytest.mark.parametrize("where", ["in the demand's thread", "in a thread of its own"])
async def test_it_stands_in_the_thread_and_in_the_channel(scene: Scene, where: str) -> None:
    story = announced(await scene.mentioned() if where == "in the demand's thread" else Place(channel=LOBBY))

    await scene.show(story)

    assert (await scene.keys(story))[-1] == "announcement"
    [shown] = await in_channel(scene)
    assert shown.broadcast
    assert shown.thread_ts == (await scene.message(story, "outcome")).thread_ts


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_a_lost_reply_is_looked_up_and_it_is_said_once(scene: Scene, fault: What) -> None:
    story = announced(await scene.mentioned())
    before = len(await scene.keys(story))
    await scene.workspace.admin.fault("chat.postMessage", fault, nth=5)

    await scene.show(story)
    assert (await scene.table(story))["announcement"].state == "posting"
    await scene.wait()

    assert before == 0
    assert await scene.keys(story) == ["root", "offers", "round-1", "outcome", "announcement"]
    assert len(await in_channel(scene)) == 1


async def test_where_the_thread_is_gone_it_stands_in_the_channel_anyway(scene: Scene) -> None:
    story = announced(Place(channel=LOBBY, thread="1700000000.000100"))

    await scene.show(story)

    assert (await scene.keys(story))[-1] == "announcement"
