"""A message of the thread that is shown in the channel as well: once, whatever becomes of the call."""

import pytest

from bot.local_slack import Message
from bot.local_slack.faults import FaultKind
from engine.kernel import Place
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import LOBBY, Driver
from tests.views.stories import Story, voting


def announced(place: Place) -> Story:
    return voting("aya", "bo", place=place).twin("aya", "accept").twin("bo", "accept").time_is_up().goes_ahead(
        announce=True
    )  # fmt: skip


async def in_channel(driver: Driver) -> list[Message]:
    """What the channel shows of ours, besides what begins a thread."""
    return [each for each in await driver.workspace.person(REQUESTER).messages(LOBBY) if each.is_reply]


@pytest.mark.parametrize("where", ["in the demand's thread", "in a thread of its own"])
async def test_it_stands_in_the_thread_and_in_the_channel(driver: Driver, where: str) -> None:
    story = announced(await driver.mentioned() if where == "in the demand's thread" else Place(channel=LOBBY))

    await driver.show(story)

    assert (await driver.keys(story))[-1] == "announcement"
    [shown] = await in_channel(driver)
    assert shown.broadcast
    assert shown.thread_ts == (await driver.message(story, "outcome")).thread_ts


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
async def test_a_lost_reply_is_looked_up_and_it_is_said_once(driver: Driver, fault: FaultKind) -> None:
    story = announced(await driver.mentioned())
    before = len(await driver.keys(story))
    await driver.workspace.admin.fault("chat.postMessage", fault, nth=5)

    await driver.show(story)
    assert (await driver.table(story))["announcement"].state == "posting"
    await driver.wait()

    assert before == 0
    assert await driver.keys(story) == ["root", "offers", "round-1", "outcome", "announcement"]
    assert len(await in_channel(driver)) == 1


async def test_where_the_thread_is_gone_it_stands_in_the_channel_anyway(driver: Driver) -> None:
    story = announced(Place(channel=LOBBY, thread="1700000000.000100"))

    await driver.show(story)

    assert (await driver.keys(story))[-1] == "announcement"
