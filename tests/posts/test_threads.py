"""Which streams a thread is about is known without a search, from the moment that anything is posted in it."""

import json

import pytest

from bot.posts.post_records import KIND as POSTS
from bot.posts.post_records import THREAD_RECORD as KIND
from bot.posts.post_records import streams_in
from engine.kernel import Place, StreamKey, Tenant
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import REQUESTER
from tests.posts.driver import HALL, LINKED, LOBBY, TENANT, Driver
from tests.views.stories import Story, voting


async def found(driver: Driver, channel: str, thread: str) -> list[str]:
    return [each.stream for each in await streams_in(driver.store, TENANT, channel, thread)]


async def test_the_thread_of_a_mention_leads_to_its_stream(driver: Driver, story: Story) -> None:
    await driver.show(story)
    assert await found(driver, LOBBY, story.place.thread) == [story.stream]


async def test_it_does_so_before_anything_could_be_posted_there(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "error", error="internal_error")
    await driver.show(story)
    assert await driver.messages(story) == []
    assert await found(driver, LOBBY, story.place.thread) == [story.stream]


async def test_a_thread_that_a_post_begins_leads_to_its_stream(driver: Driver) -> None:
    story = voting("aya", "bo", place=Place(channel=LOBBY))
    await driver.show(story)
    root = await driver.message(story, "root")
    assert await found(driver, LOBBY, root.ts) == [story.stream]


async def test_no_other_thread_channel_or_workspace_leads_there(driver: Driver, story: Story) -> None:
    await driver.show(story)
    thread = story.place.thread
    assert await found(driver, LOBBY, thread[:-1]) == []
    assert await found(driver, HALL, thread) == []
    assert await found(driver, LOBBY, "") == []
    assert await streams_in(driver.store, Tenant("T_OTHER"), LOBBY, thread) == []


async def test_direct_messages_are_no_thread_of_a_stream(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned(), linked=LINKED)
    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))
    assert await driver.direct_keys(story, LINKED["aya"])
    assert [*await driver.store.records(TENANT, KIND)] == [f"{LOBBY}/{story.place.thread}/{story.stream}"]


async def test_a_thread_is_stored_once_however_much_is_posted_in_it(driver: Driver) -> None:
    story = voting("aya", "bo", place=await driver.mentioned())
    await driver.show(story)
    before = await driver.store.records(TENANT, KIND)
    driver.clock.jump(driver.clock.now() + 60_000)
    await driver.show(story.twin("aya", "accept"))
    assert await driver.store.records(TENANT, KIND) == before


async def test_whoever_began_the_thread_comes_first(driver: Driver) -> None:
    place = await driver.mentioned()
    first, second = Story(place=place, stream="n-zebra").demand(), Story(place=place, stream="n-ant").demand()
    await driver.show(first)
    await driver.show(second)  # in the same millisecond
    assert await found(driver, LOBBY, place.thread) == ["n-zebra", "n-ant"]


async def test_a_thread_that_people_deleted_is_followed_to_the_next(driver: Driver) -> None:
    place = await driver.mentioned()
    person = driver.workspace.person(REQUESTER)
    [demand] = [each for each in await person.messages(LOBBY) if each.ts == place.thread]
    await person.delete(demand)
    story = Story(place=place).demand()
    await driver.show(story)
    root = await driver.message(story, "root")
    assert root.ts != place.thread
    assert await found(driver, LOBBY, root.ts) == [story.stream]


@pytest.mark.parametrize("place", [pytest.param(Place(channel=LOBBY), id="its own"), pytest.param(None, id="ours")])
async def test_threads_of_earlier_versions_are_stored_at_the_next_start(driver: Driver, place: Place | None) -> None:
    story = voting("aya", "bo", place=place or await driver.mentioned(), linked=LINKED)
    await driver.show(story)
    known = await driver.store.records(TENANT, KIND)
    await driver.store.put_records(TENANT, KIND, dict.fromkeys(known))
    thread = (await driver.message(story, "offers")).thread_ts or ""
    assert await found(driver, LOBBY, thread) == []

    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    assert await found(driver, LOBBY, thread) == [story.stream]


async def test_posts_are_searched_for_earlier_threads_at_one_start_only(driver: Driver, story: Story) -> None:
    await driver.show(story)
    for _ in range(2):
        driver.posts = driver.another()
        await driver.posts.start()
        await driver.posts.idle()
    lost = {f"{LOBBY}/{story.place.thread}/{story.stream}": None}
    await driver.store.put_records(TENANT, KIND, lost)
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()
    assert await found(driver, LOBBY, story.place.thread) == []


async def test_a_restored_store_finds_the_thread_with_the_post_it_does_not_remember(driver: Driver) -> None:
    story = Story(place=Place(channel=LOBBY)).demand()
    await driver.show(story)
    root = await driver.message(story, "root")
    store = MemoryStore()
    await store.open()
    again = Driver(driver.workspace, store)
    posting = {"state": "posting", "channel": LOBBY, "digest": "", "since": driver.clock.now()}
    await store.put_records(TENANT, POSTS, {f"{story.stream}/root": json.dumps(posting)})
    await again.show(story)
    assert await again.calls("chat.postMessage") == 1
    assert await streams_in(store, TENANT, LOBBY, root.ts) == [StreamKey(TENANT, story.stream)]
    await again.posts.close()
