"""Which language a direct message is in: Slack is asked once, nothing waits for its answer, and what was begun in one
language stays in it."""

import json
import re
from collections.abc import AsyncIterator

import pytest
from pytest import LogCaptureFixture  # noqa: PT013 - a type, not a mark

from bot.local_slack import LocalWorkspace
from bot.local_slack.faults import FaultKind
from bot.posts.languages import KIND, MOST_PEOPLE, PAUSE, TRUSTED, Languages, SharedChannels, UserSettings
from bot.posts.post_records import KIND as POSTS
from engine.runtime.clock import JumpingClock
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import NOON
from tests.posts.direct_stories import begun, half_time
from tests.posts.driver import AYA, BO, CHANNELS, CHEN, PEOPLE, TENANT, Driver
from tests.views.stories import Story

LOCALES = {AYA: "zh-CN", BO: "de-DE", CHEN: ""}
CHINESE = re.compile("[一-鿿]")


@pytest.fixture
async def driver() -> AsyncIterator[Driver]:
    store = MemoryStore()
    await store.open()
    people = [each.model_copy(update={"locale": LOCALES.get(each.id, "en-US")}) for each in PEOPLE]
    async with LocalWorkspace(users=people, channels=CHANNELS) as workspace:
        driver = Driver(workspace, store)
        yield driver
        await driver.posts.close()


@pytest.fixture
async def story(driver: Driver) -> Story:
    return await begun(driver)


async def languages(driver: Driver, story: Story, user: str = AYA) -> list[str]:
    """Of what somebody finds in their direct messages."""
    return ["zh" if CHINESE.search(each.text) else "en" for each in await driver.direct(story, user)]


def all_vote(story: Story) -> Story:
    return story.twin("aya", "accept").twin("bo", "accept").twin("chen", "accept")


async def says(driver: Driver, locale: str) -> None:
    """What Slack has said of aya just now."""
    said = json.dumps({"locale": locale, "at": driver.clock.now()})
    await driver.store.put_records(TENANT, KIND, {AYA: said})


async def restart(driver: Driver) -> None:
    await driver.posts.close()
    driver.posts = driver.another()
    await driver.posts.start()
    await driver.posts.idle()


# ── what is known ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_everybody_is_written_to_in_their_language_and_the_thread_keeps_the_demand_s(
    driver: Driver, story: Story
) -> None:
    await driver.show(all_vote(story))
    assert [await languages(driver, story, each) for each in (AYA, BO, CHEN)] == [["zh"], ["en"], ["en"]]
    assert not any(CHINESE.search(str(each.blocks)) for each in await driver.messages(story))
    table = await driver.table(story)
    assert {key: each.language for key, each in table.items() if "/" in key or key == "root"} == {
        "root": None, "part-1/aya": "zh_Hans_CN", "part-1/bo": "de_DE", "part-1/chen": "en"
    }  # fmt: skip


async def test_slack_is_asked_once_for_all_negotiations_and_not_again_after_a_restart(
    driver: Driver, story: Story
) -> None:
    other = await begun(driver, stream="collab-other")
    await driver.tell(story.twin("aya", "accept"), other.twin("aya", "accept"))
    await driver.posts.idle()
    assert await driver.calls("users.info") == 1
    assert await languages(driver, story) == await languages(driver, other) == ["zh"]
    await restart(driver)
    await driver.show(half_time(story))
    assert await languages(driver, story) == ["zh", "zh"]
    assert await driver.calls("users.info") == 1
    assert not await driver.is_behind()


async def test_nobody_is_asked_after_who_gets_nothing(driver: Driver, story: Story) -> None:
    assert await driver.calls("users.info") == 0
    await driver.show(story.twin("bo", "accept"))
    assert await driver.calls("users.info") == 1


async def test_after_a_day_slack_is_asked_again_and_what_stands_is_left_as_it_is(driver: Driver) -> None:
    await says(driver, "en-GB")
    story = await begun(driver)
    await driver.show(story.twin("aya", "accept"))
    assert await languages(driver, story) == ["en"]
    assert await driver.calls("users.info") == 0
    driver.clock.jump(driver.clock.now() + TRUSTED)
    other = await begun(driver, stream="collab-other")
    await driver.show(other.twin("aya", "accept"))
    assert await languages(driver, other) == ["zh"]
    assert await languages(driver, story) == ["en"]
    await driver.show(half_time(story))
    assert await languages(driver, story) == ["en", "zh"]
    [first, _] = await driver.direct(story, AYA)
    assert not CHINESE.search(str(first.blocks))


async def test_posts_of_an_older_version_stay_in_the_language_of_their_demand(driver: Driver) -> None:
    await says(driver, "en-US")
    story = await begun(driver)
    await driver.show(story.twin("aya", "accept"))
    rows = await driver.store.records(TENANT, POSTS, story.stream)
    await driver.posts.close()
    old = {key: json.dumps({**json.loads(row), "language": None}) for key, row in rows.items()}
    await driver.store.put_records(TENANT, POSTS, old)
    await says(driver, "zh-CN")
    driver.posts = driver.another()
    before = await driver.direct(story, AYA)
    await driver.show(story.twin("bo", "accept"))
    assert await driver.direct(story, AYA) == before
    await driver.show(half_time(story))
    assert await languages(driver, story) == ["en", "zh"]


# ── what is not ───────────────────────────────────────────────────────────────────────────────────────────────────

PASSING = ["ratelimited", "internal_error"]
FINAL = ["missing_scope", "user_not_found", "method_not_supported_for_channel_type"]


@pytest.mark.parametrize("error", [*PASSING, *FINAL])
async def test_nothing_is_held_up_where_slack_does_not_tell(
    driver: Driver, story: Story, error: str, caplog: LogCaptureFixture
) -> None:
    await driver.workspace.admin.fault("users.info", "error", error=error, times=None)
    await driver.show(all_vote(story))
    assert driver.posts.next_due is None
    assert [await languages(driver, story, each) for each in (AYA, BO, CHEN)] == [["en"]] * 3
    assert caplog.text.count("the locale of U_AYA is not known") <= 1
    assert await driver.store.records(TENANT, KIND) == {}
    assert not await driver.is_behind()


@pytest.mark.parametrize("do", ["status", "drop_before", "drop_after"])
async def test_nothing_is_held_up_where_the_answer_is_lost(driver: Driver, story: Story, do: FaultKind) -> None:
    await driver.workspace.admin.fault("users.info", do, times=None)
    await driver.show(story.twin("aya", "accept"))
    assert await languages(driver, story) == ["en"]
    assert driver.posts.next_due is None


async def test_a_call_that_hangs_is_not_waited_for_long(driver: Driver, story: Story) -> None:
    held = await driver.workspace.admin.fault("users.info", "hold")
    await driver.show(story.twin("aya", "accept"))
    assert await languages(driver, story) == ["en"]
    await held.release()


async def test_where_slack_is_out_of_order_it_is_asked_again_at_once(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("users.info", "status")
    await driver.show(story.twin("aya", "accept"))
    assert await languages(driver, story) == ["zh"]
    assert await driver.calls("users.info") == 2


@pytest.mark.parametrize(("error", "fails", "pause"), [("internal_error", 2, PAUSE), ("missing_scope", 1, TRUSTED)])
async def test_it_is_asked_again_later_and_the_first_message_stays_as_it_was(
    driver: Driver, story: Story, error: str, fails: int, pause: int
) -> None:
    await driver.workspace.admin.fault("users.info", "error", error=error, times=fails)
    await driver.show(story.twin("aya", "accept"))
    driver.clock.jump(driver.clock.now() + pause - 1)
    other = await begun(driver, stream="collab-other")
    await driver.show(other.twin("aya", "accept"))
    assert await languages(driver, other) == ["en"]
    driver.clock.jump(driver.clock.now() + 1)
    third = await begun(driver, stream="collab-third")
    await driver.show(third.twin("aya", "accept"))
    assert await languages(driver, third) == ["zh"]
    assert await languages(driver, story) == await languages(driver, other) == ["en"]
    assert await driver.calls("users.info") == fails + 1


async def test_where_slack_says_too_many_nobody_is_asked_after_until_it_says(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("users.info", "status", status=429, retry_after=30)
    await driver.show(story.twin("aya", "accept"))
    await driver.show(story.twin("bo", "accept"))
    assert await driver.calls("users.info") == 1
    driver.clock.jump(driver.clock.now() + 30_000)
    other = await begun(driver, stream="collab-other")
    await driver.show(other.twin("aya", "accept"))
    assert await languages(driver, other) == ["zh"]


async def test_after_a_refusal_a_restart_asks_again(driver: Driver, story: Story) -> None:
    await driver.workspace.admin.fault("users.info", "error", error="missing_scope")
    await driver.show(story.twin("aya", "accept"))
    await restart(driver)
    other = await begun(driver, stream="collab-other")
    await driver.show(other.twin("aya", "accept"))
    assert (await languages(driver, story), await languages(driver, other)) == (["en"], ["zh"])


# ── whatever happens in between ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("do", ["drop_after", "drop_before"])
async def test_a_message_of_unknown_outcome_is_looked_for_in_its_own_language(
    driver: Driver, story: Story, do: FaultKind
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", do)
    await driver.show(story.twin("aya", "accept"))
    await restart(driver)
    assert await languages(driver, story) == ["zh"]
    assert await driver.direct_keys(story, AYA) == ["part-1/aya"]
    assert await driver.calls("chat.update") == 2  # of the thread: its root, and the round
    assert not await driver.is_behind()


async def test_whoever_waits_for_the_direct_messages_of_somebody_learns_their_language_first(
    driver: Driver, story: Story
) -> None:
    await driver.workspace.admin.fault("conversations.open", "status")
    await driver.show(story.twin("aya", "accept"))
    assert await driver.direct_keys(story, AYA) == []
    await driver.wait()
    assert await languages(driver, story) == ["zh"]
    assert await driver.calls("users.info") == 1


async def test_only_so_many_people_are_remembered() -> None:
    store = MemoryStore()
    await store.open()
    known = Languages(store, JumpingClock(NOON))

    async def chinese() -> UserSettings:
        return UserSettings("zh-TW", "Asia/Taipei")

    for number in range(MOST_PEOPLE + 1):
        await known.learn(TENANT, f"U{number}", chinese)
    assert known.known(TENANT, "U0") is None
    await known.recall(TENANT, "U0")
    assert known.known(TENANT, "U0") == known.known(TENANT, f"U{MOST_PEOPLE}") == "zh-TW"
    assert not known.is_to_ask(TENANT, "U0")
    assert known.time_zone(TENANT, "U0") == "Asia/Taipei"
    assert known.time_zone(TENANT, "U_NOBODY") == ""


async def test_what_slack_is_about_to_say_of_a_channel_is_not_believed_once_it_is_shared() -> None:
    channels, answers = SharedChannels(JumpingClock(NOON)), [False, True]

    async def asked() -> bool:
        if len(answers) == 2:  # the event overtakes the answer
            channels.forget(TENANT, "C_PRIVATE")
        return answers.pop(0)

    await channels.ask(TENANT, "C_PRIVATE", asked)

    assert channels.is_shared(TENANT, "C_PRIVATE")
