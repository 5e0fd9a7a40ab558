"""Whoever sets the machine's clock, back or forward, neither prolongs nor shortens anything that posts wait for."""

import asyncio

import pytest

from bot.posts.homes import LOOKED_AT, Homes
from bot.posts.languages import PAUSE, TRUSTED, Languages, Locale, UserSettings
from bot.posts.rate_limits import POST, UNLIMITED, Lane, Rate, RateLimits
from bot.posts.readmission import Readmission
from bot.posts.response_urls import LIFETIME, ResponseUrls
from bot.posts.slack_calls import SlackCalls
from bot.posts.waiting import Waiting
from engine.kernel import Millis, StreamKey
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock, Monotonic
from engine.store.memory import MemoryStore
from tests.negotiation.scenario import NOON
from tests.posts.driver import AYA, TENANT, Driver
from tests.views.stories import Story

HOUR: Millis = 3_600_000

either_way = pytest.mark.parametrize("step", [-HOUR, HOUR], ids=["an hour back", "an hour forward"])


def is_set(clock: JumpingClock, step: Millis) -> None:
    clock.set_wall(clock.now() + step)


def passes(clock: JumpingClock, millis: Millis) -> None:
    clock.jump(clock.now() + millis)


@either_way
async def test_a_thread_that_slack_holds_back_goes_on_when_it_said(driver: Driver, story: Story, step: Millis) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=30)
    await driver.show(story)
    is_set(driver.clock, step)
    assert await driver.wait() == 30_000
    assert await driver.keys(story) == ["root"]


@either_way
async def test_a_new_thread_after_the_clock_was_set_waits_for_no_more_than_the_others(
    driver: Driver, story: Story, step: Millis
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=30)
    await driver.show(story)
    is_set(driver.clock, step)
    other = Story(stream="collab-other", place=await driver.mentioned()).demand()
    await driver.show(other)
    assert await driver.keys(other) == []
    await driver.wait()
    assert await driver.keys(other) == ["root"]


@either_way
async def test_a_call_that_failed_is_tried_again_after_the_same_pause(
    driver: Driver, story: Story, step: Millis
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", status=503)
    await driver.show(story)
    is_set(driver.clock, step)
    assert await driver.wait() == 1_000
    assert await driver.keys(story) == ["root"]


@either_way
async def test_the_paces_of_calls_stay_what_they_are(step: Millis) -> None:
    clock = JumpingClock(NOON)
    waiting = Waiting(clock, Activity())
    limits = RateLimits({POST: Rate(60, 1)}, waiting)
    lane, woken = Lane(TENANT, POST, "C_1"), asyncio.Event()
    assert limits.join(lane, 0, woken).granted
    is_set(clock, step)
    ticket = limits.join(lane, 0, woken)
    assert not ticket.granted
    passes(clock, 999)
    await waiting.idle()
    assert not ticket.granted
    passes(clock, 1)
    await waiting.idle()
    assert ticket.granted
    limits.close()


@either_way
def test_the_url_of_a_click_lives_for_as_long_as_it_does(step: Millis) -> None:
    clock = JumpingClock(NOON)
    urls = ResponseUrls(clock)
    urls.keep(TENANT, "C_1", "1.0", "https://hooks.slack.com/x")
    is_set(clock, step)
    passes(clock, LIFETIME - 1)
    assert urls.has(TENANT, "C_1", "1.0")
    passes(clock, 1)
    assert not urls.has(TENANT, "C_1", "1.0")


@either_way
async def test_a_page_is_kept_up_to_date_for_as_long_as_it_is(driver: Driver, step: Millis) -> None:
    drawn = asyncio.Queue[str]()

    async def draw(_: object, user: str) -> dict[str, object]:
        drawn.put_nowait(user)
        return {"type": "home", "blocks": []}

    waiting = Waiting(driver.clock, Activity())
    rate_limits = RateLimits(UNLIMITED, waiting)
    calls = SlackCalls(driver.client(), ResponseUrls(driver.clock))
    homes = Homes(draw, rate_limits, waiting, Readmission(calls.check, rate_limits, waiting))
    homes.opened(TENANT, AYA, driver.client())
    is_set(driver.clock, step)
    for age, times in ((LOOKED_AT - 1, 2), (1, 2)):
        await waiting.idle()
        passes(driver.clock, age)
        homes.notice(StreamKey(TENANT, "collab"))
        await waiting.idle()
        assert drawn.qsize() == times
    await homes.close()


@either_way
async def test_a_language_is_asked_for_again_after_a_day(step: Millis) -> None:
    clock, store = JumpingClock(NOON), MemoryStore()
    known = Languages(store, clock)

    async def told() -> UserSettings:
        return UserSettings("zh-CN")

    await known.learn(TENANT, AYA, told)
    is_set(clock, step)
    passes(clock, TRUSTED - 1)
    assert not known.is_to_ask(TENANT, AYA)
    passes(clock, 1)
    assert known.is_to_ask(TENANT, AYA)


@either_way
async def test_a_language_that_slack_did_not_tell_is_asked_for_again_after_a_pause(step: Millis) -> None:
    clock = JumpingClock(NOON)
    known = Languages(MemoryStore(), clock)

    async def silent() -> UserSettings:
        raise TimeoutError

    await known.learn(TENANT, AYA, silent)
    is_set(clock, step)
    assert not known.is_to_ask(TENANT, AYA)
    passes(clock, PAUSE)
    assert known.is_to_ask(TENANT, AYA)


async def test_a_language_that_was_stored_in_what_is_now_the_future_is_asked_for_within_a_day() -> None:
    clock, store = JumpingClock(NOON), MemoryStore()
    told = Locale(locale="zh-CN", at=NOON + 400 * 24 * HOUR)
    await store.open()
    await store.put_records(TENANT, "locale", {AYA: told.model_dump_json()})
    known = Languages(store, clock)
    await known.recall(TENANT, AYA)
    passes(clock, TRUSTED)
    assert known.is_to_ask(TENANT, AYA)


class CreepingClock(JumpingClock):
    """Time passes whenever somebody looks, as it does on a busy machine."""

    def monotonic(self) -> Monotonic:
        self.jump(self.now() + 1)
        return super().monotonic()


@pytest.mark.parametrize("sooner", range(1, 13))
async def test_a_pause_that_ends_while_it_is_looked_for_what_to_do_is_no_reason_to_wait(
    driver: Driver, story: Story, sooner: Millis
) -> None:
    driver.clock = CreepingClock(NOON)
    driver.posts = driver.another()
    await driver.workspace.admin.fault("chat.postMessage", "status", status=503)
    await driver.show(story)
    due = driver.posts.next_due
    assert due is not None
    driver.clock.jump(due - sooner)
    await driver.show(story)
    while driver.posts.next_due is not None:
        await driver.wait()
    assert await driver.keys(story) == ["root"]
