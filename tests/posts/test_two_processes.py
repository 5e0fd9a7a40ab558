"""Two processes on one store keep each thread together: nothing is posted twice, and nothing is missing, whichever of
them is stopped, cut off from the store or ended, wherever that happens."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest

from bot.local_slack import LocalWorkspace
from bot.posts.pauses import LATE
from bot.posts.slack_calls import EVENT_TYPE
from bot.views.negotiation.presenter import posts
from engine.kernel import StreamKey
from engine.llm.port import Pause, PauseCause
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from engine.store.memory_sharing import MemorySharing
from tests.bot.driver import text_of
from tests.examples import some_in_every_run
from tests.negotiation.scenario import NOON
from tests.posts.driver import AYA, BO, CHANNELS, LINKED, PEOPLE, TENANT, Driver
from tests.posts.processes import WHILE, Process, Town
from tests.views.stories import Story, voting


@pytest.fixture
async def town() -> AsyncIterator[Town]:
    clock = JumpingClock(NOON)
    store = MemoryStore(MemorySharing(clock.monotonic))
    await store.open()
    async with (
        LocalWorkspace(users=PEOPLE, channels=CHANNELS) as workspace,
        Town(Driver(workspace, store, clock)) as it,
    ):
        yield it


async def story_of(town: Town) -> Story:
    return voting("aya", "bo", linked=LINKED, place=await town.driver.mentioned())


async def commits(town: Town, at: Process, story: Story) -> StreamKey:
    key = await town.driver.commit(story)
    at.posts.notice(key)
    return key


async def check(town: Town, story: Story) -> None:
    """Everything that is wanted stands there once, as it should be."""
    driver = town.driver
    for user in ("", AYA, BO):
        messages = await (driver.direct(story, user) if user else driver.messages(story))
        there = [(message.metadata, message.text) for message in messages]
        wanted = [
            (metadata, post.text)
            for post in posts(story.state)
            if post.to == user
            for metadata in [{"event_type": EVENT_TYPE, "event_payload": {"stream": story.stream, "key": post.key}}]
            if not post.is_late or metadata in [each for each, _ in there]
        ]
        assert there == wanted
    assert not await driver.is_behind()


async def check_posted_once(town: Town, story: Story) -> None:
    """What stands there once was not posted twice and taken down."""
    there = [await town.driver.messages(story), *[await town.driver.direct(story, each) for each in (AYA, BO)]]
    assert await town.driver.calls("chat.postMessage") == sum(map(len, there))


async def test_whoever_was_asked_shows_it(town: Town) -> None:
    first, second = town.processes
    story = await story_of(town)
    await commits(town, first, story)
    await town.rest()
    await check(town, story)

    await commits(town, second, story.twin("aya", "accept").twin("bo", "accept"))
    await town.rest()
    await check(town, story)
    assert await town.driver.calls("chat.postMessage") == 3 + 2


async def test_a_commit_elsewhere_is_shown_soon_by_whoever_keeps_the_posts(town: Town) -> None:
    first, second = town.processes
    story = await story_of(town)
    held = await town.driver.workspace.admin.fault("chat.postMessage", "hold")
    key = await commits(town, first, story)
    await held.reached()

    await town.driver.commit(story.twin("aya", "accept"))
    second.posts.notice(key)  # and nobody tells the first
    await second.rests()
    await held.release()
    await first.rests()
    await town.passes(3)

    await check(town, story)


@pytest.mark.parametrize("point", some_in_every_run(54, every=9))
async def test_a_process_that_is_stopped_for_a_minute_does_no_harm(town: Town, point: int) -> None:
    first, second = town.processes
    story = await story_of(town)
    first.gate.stop_at = first.gate.passed + 1 + point
    await commits(town, first, story)
    await first.rests()
    await town.passes(WHILE)
    await check(town, story)
    again = story.twin("aya", "accept")
    await commits(town, second, again)
    await town.rest()

    first.gate.go_on()
    await town.passes(60)
    await check(town, again)
    last = again.twin("bo", "accept").clicks(AYA, "aya", "accept")
    await commits(town, first, last)
    await town.passes(5)
    await check(town, last)
    await check_posted_once(town, last)


@pytest.mark.parametrize("point", some_in_every_run(54, every=11))
async def test_what_a_process_was_at_when_it_was_killed_is_ended_by_the_other(town: Town, point: int) -> None:
    first, _ = town.processes
    story = await story_of(town)
    first.gate.stop_at = first.gate.passed + 1 + point
    await commits(town, first, story)
    await first.rests()
    await first.kill()

    await town.passes(WHILE)
    await check(town, story)
    await check_posted_once(town, story)


async def test_a_process_that_cannot_reach_the_store_calls_nobody(town: Town) -> None:
    first, _ = town.processes
    story = await story_of(town)
    await commits(town, first, story)
    await town.rest()
    first.gate.is_cut_off = True
    later = story.twin("aya", "accept")
    await commits(town, first, later)
    await town.passes(10)
    calls = await town.driver.workspace.admin.calls()

    await town.passes(WHILE)
    await check(town, later)
    first.gate.is_cut_off = False
    await town.passes(40)
    await check(town, later)
    assert calls["chat.postMessage"] == 3
    assert await town.driver.calls("chat.postMessage") == 4


async def test_a_post_that_arrives_after_another_process_has_posted_it_is_taken_down(town: Town) -> None:
    first, _ = town.processes
    story = await story_of(town)
    late = await town.driver.workspace.admin.fault("chat.postMessage", "late", seconds=3_600)
    await commits(town, first, story)
    await late.reached()
    first.gate.stop()
    await town.passes(WHILE)
    await check(town, story)

    before = len(await town.driver.messages(story))
    await late.release()
    person = town.driver.workspace.person(AYA)
    while len(await town.driver.messages(story)) == before:
        await person.messages(story.place.channel)
    first.gate.go_on()
    await town.passes(200)
    await check(town, story)


async def test_an_edit_that_arrives_after_a_newer_one_is_made_good(town: Town) -> None:
    first, second = town.processes
    story = await story_of(town)
    await commits(town, first, story)
    await town.rest()
    late = await town.driver.workspace.admin.fault("chat.update", "late", seconds=3_600)
    accepted = story.twin("aya", "accept")
    await commits(town, first, accepted)
    await late.reached()
    first.gate.stop()
    await town.passes(WHILE)
    newer = accepted.twin("bo", "accept")
    await commits(town, second, newer)
    await town.rest()
    await check(town, newer)

    shown = await contents(town, newer)
    await late.release()
    async with asyncio.timeout(30):
        while await contents(town, newer) == shown:
            pass
    first.gate.go_on()
    await town.passes(60)
    assert await contents(town, newer) == shown


async def contents(town: Town, story: Story) -> list[str]:
    """What is said, without the ids that the workspace gives to blocks."""
    said = [f"{each.text} {each.blocks}" for each in await town.driver.messages(story)]
    return [re.sub("'block_id': '[^']*'", "", each) for each in said]


async def test_a_process_that_ends_hands_over_at_once(town: Town) -> None:
    first, _ = town.processes
    story = await story_of(town)
    await town.driver.workspace.admin.fault("chat.postMessage", "status", nth=2, status=503, times=1)
    await commits(town, first, story)
    await first.rests()
    await first.posts.close()
    await first.membership.close()

    await town.passes(12)
    await check(town, story)


async def test_the_process_at_which_a_home_was_opened_last_keeps_it(town: Town) -> None:
    first, second = town.processes
    client = town.driver.client()
    for each in (first, second):
        each.posts.homes.opened(TENANT, AYA, client)
        await town.rest()
    town.driver.home = "changed"
    key = await commits(town, first, await story_of(town))
    await town.passes(3)
    assert await town.driver.calls("views.publish") == 3

    town.driver.home = "changed again"
    for each in (first, second):
        each.posts.homes.notice(key)
    await town.rest()
    assert await town.driver.calls("views.publish") == 4


async def test_whichever_process_shows_a_card_it_says_that_the_model_of_another_one_is_busy(town: Town) -> None:
    first, second = town.processes
    story = Story(place=await town.driver.mentioned()).demand()
    key = await commits(town, first, story)
    await town.rest()
    second.paused[key] = Pause(PauseCause.BUSY, NOON + 300_000)
    second.posts.look_again(key)
    await town.rest()
    assert "The model is busy" in text_of(await town.driver.message(story, "root"))

    later = story.understood()
    await commits(town, first, later)
    await town.rest()
    assert "The model is busy" in text_of(await town.driver.message(later, "root"))

    del second.paused[key]
    second.posts.look_again(key)
    await town.rest()
    assert "The model is busy" not in text_of(await town.driver.message(later, "root"))


async def test_what_a_process_has_said_of_its_model_ends_with_it(town: Town) -> None:
    first, second = town.processes
    story = Story(place=await town.driver.mentioned()).demand()
    key = await commits(town, first, story)
    second.paused[key] = Pause(PauseCause.BUSY, NOON + 60_000)
    second.posts.look_again(key)
    await town.rest()
    await second.kill()
    await town.passes(60 + LATE // 1_000 + 1)

    await commits(town, first, story.understood())
    await town.rest()
    assert "The model is busy" not in text_of(await town.driver.message(story, "root"))


@pytest.mark.parametrize("name", ["collab-forgotten", "beside:export/V1", "digest:"])
async def test_what_is_left_of_nothing_is_let_go(town: Town, name: str) -> None:
    sharing = town.driver.store.sharing
    assert sharing is not None
    ended = await sharing.join(1_000)
    await sharing.hold(StreamKey(TENANT, name), ended)
    await sharing.heartbeat(ended, 0)

    await town.passes(10)
    assert await sharing.orphans(10) == []
    last = await sharing.join(1_000)
    assert await sharing.hold(StreamKey(TENANT, name), last)
