"""Slack is told how each thread stands where it shows that of agents; where it does not, nothing is missing."""

import logging

import pytest

from bot.posts.rate_limits import SESSION, Rate
from bot.posts.stored_posts import Restored
from bot.posts.thread_statuses import SESSION_RECORD as KIND
from bot.registry import NEGOTIATION
from bot.views.kit.presenter import SessionStatus, joint_status
from bot.views.negotiation.presenter import NegotiationPresenter
from engine.kernel import Place
from engine.negotiation.state import Negotiation
from engine.store.port import UNKNOWN_POSTS
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import LINKED, LOBBY, TENANT, Driver
from tests.views.stories import Story, voting

WORKS, WAITS, ENDED = SessionStatus.PROCESSING, SessionStatus.SUSPENDED, SessionStatus.CLOSED


async def stands(driver: Driver) -> list[str]:
    """How the threads stand in Slack."""
    return [each.status for each in await driver.workspace.person(REQUESTER).sessions()]


async def said(driver: Driver) -> int:
    """How often Slack was told."""
    return await driver.calls(SESSION)


async def test_a_thread_stands_as_its_stream_does(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    await driver.show(story)
    [session] = await driver.workspace.person(REQUESTER).sessions()
    assert (session.channel, session.thread_ts, session.status) == (LOBBY, story.place.thread, "processing")
    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))
    assert await stands(driver) == ["suspended"]
    await driver.show(story.stopped())
    assert await stands(driver) == ["closed"]
    assert await said(driver) == 3


async def test_what_stands_as_before_is_not_said_again(driver: Driver) -> None:
    story = voting("aya", "bo", "chen", place=await driver.mentioned())
    await driver.show(story)
    await driver.show(story.twin("aya", "accept"))
    await driver.show(story.twin("bo", "accept"))
    assert await said(driver) == 1


async def test_nothing_is_said_again_after_a_restart(driver: Driver) -> None:
    story = voting("aya", "bo", "chen", place=await driver.mentioned())
    await driver.show(story)
    driver.posts = driver.another()
    await driver.show(story.twin("aya", "accept"))
    assert await said(driver) == 1


async def test_a_thread_of_its_own_is_told_by_its_first_post(driver: Driver) -> None:
    story = voting("aya", "bo", place=Place(channel=LOBBY))
    await driver.show(story)
    [session] = await driver.workspace.person(REQUESTER).sessions()
    assert session.thread_ts == (await driver.message(story, "root")).ts


async def test_posts_come_first(driver: Driver) -> None:
    held = await driver.workspace.admin.fault("chat.postMessage", "hold")
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.tell(story)
    await held.reached()
    assert await said(driver) == 0
    await held.release()
    await driver.posts.idle()
    assert await said(driver) == 1


async def test_what_is_superseded_is_never_said(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    held = await driver.workspace.admin.fault(SESSION, "hold")
    await driver.tell(story)
    await held.reached()
    await driver.tell(story.twin("aya", "accept").twin("bo", "accept"))
    await driver.tell(story.stopped())
    await held.release()
    await driver.posts.idle()
    assert await stands(driver) == ["closed"]
    assert await said(driver) == 2


async def test_while_any_stream_of_a_thread_works_the_thread_does(driver: Driver) -> None:
    place = await driver.mentioned()
    first = voting("aya", "bo", place=place)
    other = Story(place=place, stream="n-other").demand()
    await driver.show(first, other)
    await driver.show(first.stopped())
    assert await stands(driver) == ["processing"]
    await driver.show(other.stopped())
    assert await stands(driver) == ["closed"]


@pytest.mark.parametrize("why", ["unknown_method", "not_authorized", "missing_scope", "feature_disabled"])
async def test_a_workspace_without_sessions_is_asked_once_a_start(
    driver: Driver, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    await driver.workspace.admin.fault(SESSION, "error", error=why, times=None)
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    await driver.show(story)
    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))
    await driver.show(voting("aya", place=await driver.mentioned(), stream="n-second"))
    assert await driver.keys(story) == ["root", "offers", "round-1"]
    assert not await driver.is_behind()
    assert await said(driver) == 1
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]

    await driver.workspace.admin.clear_faults()
    driver.posts = driver.another()
    await driver.show(story.stopped())
    assert "closed" in await stands(driver)


async def test_a_thread_that_cannot_have_one_is_left_alone_and_others_are_not(driver: Driver) -> None:
    await driver.workspace.admin.fault(SESSION, "error", error="thread_not_found")
    first = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    await driver.show(first)
    assert await stands(driver) == []
    assert not await driver.is_behind()
    await driver.show(voting("aya", place=await driver.mentioned(), stream="n-second"))
    assert await stands(driver) == ["processing"]
    assert await said(driver) == 2


async def test_what_fails_for_now_is_said_later(driver: Driver) -> None:
    await driver.workspace.admin.fault(SESSION, "error", error="internal_error")
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    assert await stands(driver) == []
    assert await driver.is_behind()
    await driver.wait()
    assert await stands(driver) == ["processing"]
    assert not await driver.is_behind()


async def test_slack_says_too_many_and_is_obeyed(driver: Driver) -> None:
    await driver.workspace.admin.fault(SESSION, "status", status=429, retry_after=7)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    assert await driver.wait() == 7_000
    assert await stands(driver) == ["processing"]


async def test_it_keeps_to_its_own_rate(driver: Driver) -> None:
    driver.rates = {SESSION: Rate(60, 1)}
    driver.posts = driver.another()
    stories = [voting("aya", place=await driver.mentioned(), stream=f"n-{each}") for each in range(3)]
    await driver.show(*stories)
    assert await said(driver) == 1
    await driver.wait()
    await driver.wait()
    assert await stands(driver) == ["processing"] * 3
    assert await said(driver) == 3


async def test_a_kill_before_it_was_told_costs_nothing_but_time(driver: Driver) -> None:
    held = await driver.workspace.admin.fault(SESSION, "error", error="internal_error", times=None)
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    await driver.posts.close()
    assert await driver.store.records(TENANT, KIND) == {
        f"{LOBBY}/{story.place.thread}/{story.stream}": '{"status":"processing"}'
    }
    await driver.workspace.admin.clear_faults()
    assert held.id
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    assert await stands(driver) == ["processing"]


async def test_a_stream_that_says_nothing_of_itself_has_no_session(driver: Driver) -> None:
    class Silent(NegotiationPresenter):
        def session(self, state: Negotiation) -> None:
            return None

    driver.posts = driver.another({NEGOTIATION.name: Silent()})
    await driver.show(voting("aya", "bo", place=await driver.mentioned()))
    assert await said(driver) == 0
    assert not await driver.is_behind()


@pytest.mark.parametrize(
    ("several", "stand"),
    [
        pytest.param([ENDED, WORKS, WAITS], WORKS, id="machines work"),
        pytest.param([ENDED, WAITS], WAITS, id="people are waited for"),
        pytest.param([ENDED, ENDED], ENDED, id="all have ended"),
    ],
)
def test_a_thread_stands_as_the_busiest_of_its_streams(several: list[SessionStatus], stand: SessionStatus) -> None:
    assert joint_status(several) is stand


async def test_what_a_restored_store_says_of_before_is_said_once_more_and_not_a_third_time(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    backup = dict(await driver.store.records(TENANT, KIND))
    client = driver.client()
    await client.agents_sessions_setStatus(channel_id=LOBBY, thread_ts=story.place.thread, status="closed")
    await driver.store.put_records(TENANT, KIND, backup)
    row = Restored(since=0, until=1).model_dump_json()
    await driver.store.put_records(TENANT, UNKNOWN_POSTS, {"": row})

    driver.posts = driver.another()
    before = await said(driver)
    await driver.show(story.twin("aya", "accept"))
    assert await stands(driver) == ["processing"]
    await driver.show(story.twin("bo", "reject"))
    assert await said(driver) - before <= 2
    after = await said(driver)
    await driver.show(story)
    assert await said(driver) == after
