"""A store that was restored does not remember its newest posts: they are looked for before anything is posted."""

from collections.abc import Mapping

import pytest

from bot.local_slack.faults import FaultKind
from bot.posts.post_records import KIND
from bot.posts.posts import LONGEST_WITHOUT_ROOM, MOST_AT_ONCE
from bot.posts.rate_limits import POST, REPLIES, Rate
from bot.posts.stored_posts import Restored
from engine.kernel import Place
from engine.store.memory import MemoryStore
from engine.store.port import UNKNOWN_POSTS
from tests.posts.driver import AYA, BO, HALL, LINKED, LOBBY, TENANT, Driver
from tests.views.stories import Story, voting

NEVER = 10**15
SINCE_EVER = Restored(since=0, until=NEVER, is_open=True)


def begun(place: Place) -> Story:
    """What is in the backup: somebody has asked."""
    return Story(place=place, linked=LINKED).demand()


def asked(place: Place) -> Story:
    """What has happened since: everybody was asked, in the thread and in direct messages."""
    return voting("aya", "bo", place=place, linked=LINKED).twin("aya", "accept").twin("bo", "accept")


async def restored(
    driver: Driver, story: Story, records: Mapping[str, str], expected: Restored | None = SINCE_EVER
) -> Driver:
    """A bot on a store that has this story, these records of posts, and expects unknown posts."""
    store = MemoryStore()
    await store.open()
    again = Driver(driver.workspace, store, rates=driver.rates)
    await store.put_records(TENANT, KIND, dict(records))
    if expected is not None:
        row = expected.model_dump_json()
        await store.put_records(TENANT, UNKNOWN_POSTS, {"": row, story.stream: row})
    await again.commit(story)
    return again


async def lost(driver: Driver, place: Place) -> Mapping[str, str]:
    """Everybody is asked after the backup was made; the backup remembers the first post alone."""
    await driver.show(begun(place))
    records = await driver.store.records(TENANT, KIND)
    driver.stories.clear()
    store = MemoryStore()
    await store.open()
    driver.store = store
    await store.put_records(TENANT, KIND, dict(records))
    driver.posts = driver.another()
    await driver.show(asked(place))
    await driver.posts.close()
    return records


async def there(driver: Driver, story: Story) -> dict[str, str]:
    """Where each post stands; nothing stands there twice."""
    messages = await driver.messages(story)
    for user in (AYA, BO):
        messages += await driver.direct(story, user)
    keys = [(each.metadata or {})["event_payload"]["key"] for each in messages]
    assert len(keys) == len(set(keys))
    return dict(zip(keys, (each.ts for each in messages), strict=True))


@pytest.mark.parametrize("where", ["in a thread", "in the channel"])
@pytest.mark.parametrize("remembers", [True, False], ids=["remembers the first post", "remembers none"])
async def test_what_was_posted_is_taken_up_and_not_repeated(driver: Driver, where: str, remembers: bool) -> None:
    place = Place(channel=LOBBY) if where == "in the channel" else await driver.mentioned()
    records = await lost(driver, place)
    story = asked(place)
    before = await there(driver, story)
    calls = await driver.calls("chat.postMessage")
    assert len(before) == 5

    again = await restored(driver, begun(place), records if remembers else {})
    await again.show(asked(place))

    assert await there(driver, story) == before
    assert await again.calls("chat.postMessage") == calls
    assert {key: each.ts for key, each in (await again.table(story)).items()} == before
    await again.posts.close()


async def test_without_being_told_that_it_was_restored_everything_would_stand_there_twice(driver: Driver) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    calls = await driver.calls("chat.postMessage")

    again = await restored(driver, begun(place), records, expected=None)
    await again.show(asked(place))

    assert await again.calls("chat.postMessage") > calls
    await again.posts.close()


async def test_what_is_remembered_is_brought_up_to_date_though_nothing_happens(driver: Driver) -> None:
    """The first post has been edited since the backup, and nobody has any reason to edit it but the restore."""
    place = await driver.mentioned()
    records = await lost(driver, place)
    story = begun(place)
    assert "Looking for" not in (await driver.message(story, "root")).text
    again = await restored(driver, story, records)
    shown = again.stories[await again.commit(story)]
    assert shown is not None

    await again.posts.start()
    await again.posts.idle()

    root = await again.message(story, "root")
    fresh = Story(place=await driver.mentioned(), linked=LINKED, stream="collab-fresh").demand()
    await again.show(fresh)
    assert root.text == (await again.message(fresh, "root")).text
    await again.posts.close()


async def test_what_nobody_wants_any_more_says_so_until_it_is_wanted_again(driver: Driver) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    story = begun(place)
    again = await restored(driver, story, records)

    await again.posts.start()
    await again.posts.idle()

    offers = await again.message(story, "offers")
    assert "newer than the backup" in offers.text
    assert not offers.blocks or "actions" not in str(offers.blocks)
    await again.show(asked(place))
    assert "newer than the backup" not in (await again.message(story, "offers")).text
    assert all("newer than the backup" not in each.text for each in await again.direct(story, AYA))
    await again.posts.close()


async def test_each_conversation_is_searched_once(driver: Driver) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    replies, history = await driver.calls("conversations.replies"), await driver.calls("conversations.history")
    again = await restored(driver, begun(place), records)

    story = asked(place)
    await again.show(story)
    await again.posts.close()
    again.posts = again.another()
    await again.posts.start()
    await again.show(story.time_is_up())

    assert await again.calls("conversations.replies") - replies == 1
    assert await again.calls("conversations.history") - history == 3  # of aya, of bo, and of whoever asked
    await again.posts.close()


async def test_a_stream_that_began_after_the_restore_is_not_searched_for(driver: Driver) -> None:
    place = await driver.mentioned()
    until = round(float(place.thread) * 1_000) - 1
    again = await restored(driver, begun(place), {}, Restored(since=0, until=until, is_open=True))
    fresh = Story(place=await driver.mentioned(), linked=LINKED, stream="collab-fresh").demand()

    await again.show(fresh)

    assert await again.calls("conversations.replies") == 0
    await again.posts.close()


async def test_a_stream_that_is_begun_anew_by_the_same_message_is_searched_for(driver: Driver) -> None:
    """The backup does not know it at all; its thread is older than the restore."""
    place = await driver.mentioned()
    await lost(driver, place)
    before = await there(driver, asked(place))
    other = Story(place=await driver.mentioned(), linked=LINKED, stream="collab-other").demand()
    again = await restored(driver, other, {})

    await again.show(asked(place))

    assert await there(driver, asked(place)) == before
    await again.posts.close()


@pytest.mark.parametrize("fault", ["status", "drop_before", "drop_after"])
async def test_a_search_that_fails_is_made_again_before_anything_is_posted(driver: Driver, fault: FaultKind) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    before = await there(driver, asked(place))
    again = await restored(driver, begun(place), records)
    for method in ("conversations.replies", "conversations.history"):
        await driver.workspace.admin.fault(method, fault)

    await again.show(asked(place))
    while again.posts.next_due is not None:
        await again.wait()

    assert await there(driver, asked(place)) == before
    await again.posts.close()


async def test_where_slack_does_not_let_us_look_it_goes_on(driver: Driver) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    again = await restored(driver, begun(place), records)
    await driver.workspace.admin.fault("conversations.replies", "error", error="missing_scope", times=None)

    await again.show(asked(place))

    assert "offers" in await again.table(asked(place))
    await again.posts.close()


async def test_searches_keep_to_slacks_rates(driver: Driver) -> None:
    place = await driver.mentioned()
    records = await lost(driver, place)
    driver.rates = {REPLIES: Rate(60, 1), POST: Rate(60, 10)}
    again = await restored(driver, begun(place), records)
    await driver.workspace.admin.fault("conversations.replies", "status", status=429, retry_after=30)

    await again.show(asked(place))
    assert await again.wait() == 30_000

    assert "offers" in await again.table(asked(place))
    await again.posts.close()


async def test_many_streams_are_looked_at_a_few_at_a_time(driver: Driver) -> None:
    """What happens meanwhile is shown at once, and where Slack keeps all of them waiting another one has its turn."""
    place = await driver.mentioned()
    again = await restored(driver, begun(place), {}, None)
    row = SINCE_EVER.model_dump_json()
    for number in range(MOST_AT_ONCE + 20):
        story = Story(place=place, linked=LINKED, stream=f"collab-{number}").demand()
        await again.store.put_records(TENANT, UNKNOWN_POSTS, {"": row, story.stream: row})
        await shown(again, story)
    await shown(again, begun(place))
    await again.workspace.admin.fault("conversations.replies", "error", error="ratelimited", times=None)
    began = again.clock.now()

    await again.posts.start()
    await again.posts.idle()
    assert again.looks == MOST_AT_ONCE

    fresh = Story(place=Place(channel=HALL), linked=LINKED, stream="collab-fresh").demand()
    await again.show(fresh)
    assert await again.messages(fresh)
    looks = again.looks
    while again.clock.now() < began + LONGEST_WITHOUT_ROOM:
        await again.wait()
    assert again.looks == looks + 1

    await again.workspace.admin.clear_faults()
    while again.posts.next_due is not None:
        await again.wait()
    rows = await again.store.records(TENANT, UNKNOWN_POSTS)
    assert not any(Restored.model_validate_json(each).is_open for name, each in rows.items() if name)
    await again.posts.close()


async def shown(driver: Driver, story: Story) -> None:
    """It was shown before the backup was made."""
    key = await driver.commit(story)
    await driver.store.mark_shown(key, driver.stories[key][1])
