"""Rate limits, once they are switched on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.local_slack import Channel, LocalWorkspace
from bot.local_slack.limits import RATES, WORKSPACE_POSTS, Limits
from bot.local_slack.web_api.methods import METHODS

from .conftest import AYA, CHANNELS, GENERAL, USERS

NOON = 1_700_000_000.0  # seconds since 1970


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def workspace(clock: Clock) -> AsyncIterator[LocalWorkspace]:
    other = Channel(id="C_OTHER", name="other")
    async with LocalWorkspace(users=USERS, channels=[*CHANNELS, other], now=clock) as workspace:
        await workspace.admin.rate_limits(True)
        yield workspace


async def refused(call: Awaitable[object]) -> int:
    """Seconds after which Slack says to try again."""
    with pytest.raises(SlackApiError, match="ratelimited") as refusal:
        await call
    assert refusal.value.response.status_code == 429
    return int(refusal.value.response.headers["Retry-After"])


async def test_posting_too_fast_in_one_channel_is_refused_until_the_time_has_passed(
    client: AsyncWebClient, clock: Clock
) -> None:
    for number in range(4):
        await client.chat_postMessage(channel=GENERAL, text=str(number))
    assert await refused(client.chat_postMessage(channel=GENERAL, text="one too many")) == 1
    await client.chat_postMessage(channel="C_OTHER", text="elsewhere there is room")
    clock.time += 1
    await client.chat_postMessage(channel=GENERAL, text="now")


async def test_updates_are_limited_over_all_channels(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    ts = (await client.chat_postMessage(channel=GENERAL, text="card"))["ts"]
    for number in range(50):
        await client.chat_update(channel=GENERAL, ts=ts, text=str(number))
    assert await refused(client.chat_update(channel=GENERAL, ts=ts, text="one too many")) == 2
    await workspace.admin.rate_limits(False)
    await client.chat_update(channel=GENERAL, ts=ts, text="free")


@pytest.mark.parametrize("names", [(AYA, "D_AYA"), (GENERAL, "#general", "general")], ids=["a DM", "a channel"])
async def test_a_channel_has_one_limit_by_whatever_name_it_goes(client: AsyncWebClient, names: tuple[str, ...]) -> None:
    for number in range(4):
        await client.chat_postMessage(channel=names[number % len(names)], text=str(number))
    for name in names:
        assert await refused(client.chat_postMessage(channel=name, text="one too many")) == 1


async def test_the_429s_are_counted_those_on_order_too(workspace: LocalWorkspace, client: AsyncWebClient) -> None:
    for number in range(4):
        await client.chat_postMessage(channel=GENERAL, text=str(number))
    for _ in range(2):
        await refused(client.chat_postMessage(channel=GENERAL, text="one too many"))
    await workspace.admin.fault("users.info", "status", status=429, retry_after=7)
    assert await refused(client.users_info(user=AYA)) == 7
    await workspace.admin.fault("users.info", "status", status=503)
    with pytest.raises(SlackApiError):
        await client.users_info(user=AYA)
    assert (await workspace.admin.status()).throttled == {"chat.postMessage": 2, "users.info": 1}
    assert (await workspace.admin.calls())["chat.postMessage"] == 6


# ── The buckets by themselves ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def limits(clock: Clock) -> Limits:
    limits = Limits(clock)
    limits.switch(on=True)
    return limits


def used_up(wait: Callable[[], int | None]) -> int:
    """How many calls passed before one was refused."""
    return next(passed for passed in count() if wait() is not None)


def told(wait: Callable[[], int | None]) -> int:
    """After how many seconds to try again, once there were too many."""
    used_up(wait)
    return wait() or 0


def test_every_method_that_slack_limits_is_limited() -> None:
    assert set(METHODS) - set(RATES) == {"api.test"}
    assert set(RATES) <= set(METHODS)


@pytest.mark.parametrize(
    ("method", "burst"),
    [
        pytest.param("users.list", 20, id="tier 2"),
        pytest.param("conversations.info", 50, id="tier 3"),
        pytest.param("chat.postEphemeral", 100, id="tier 4"),
        pytest.param("auth.test", 600, id="hundreds"),
    ],
)
def test_a_tier_allows_a_minute_s_worth_at_once_and_then_one_after_the_other(
    limits: Limits, clock: Clock, method: str, burst: int
) -> None:
    assert used_up(lambda: limits.retry_after(method, None)) == burst
    clock.time += 60
    assert used_up(lambda: limits.retry_after(method, None)) == burst


@pytest.mark.parametrize("method", sorted(RATES))
def test_who_waits_as_long_as_they_were_told_is_let_through(limits: Limits, clock: Clock, method: str) -> None:
    for _ in range(50):
        clock.time += told(lambda: limits.retry_after(method, GENERAL))
        assert limits.retry_after(method, GENERAL) is None


@pytest.mark.parametrize("method", sorted(set(RATES) - {"chat.postMessage"}))
def test_who_keeps_the_pace_to_the_millisecond_is_never_refused(limits: Limits, clock: Clock, method: str) -> None:
    for start in range(20):
        clock.time = NOON + start * 1000 + start / 1000  # floats are not as fine as that
        used_up(lambda: limits.retry_after(method, None))
        for call in range(1, 20):
            clock.time = NOON + start * 1000 + round(start + call * 60_000 / RATES[method].per_minute) / 1000
            assert limits.retry_after(method, None) is None


def test_the_workspace_takes_several_hundred_posts_a_minute_in_all_its_channels(limits: Limits, clock: Clock) -> None:
    channels = count()

    def everywhere() -> int | None:
        return limits.retry_after("chat.postMessage", f"C_{next(channels)}")

    assert used_up(everywhere) == WORKSPACE_POSTS.burst == 100
    passed = 0
    for _ in range(60):
        clock.time += 1
        passed += used_up(everywhere)
    assert passed == 300


def test_a_refused_post_uses_up_neither_the_channel_s_nor_the_workspace_s_share(limits: Limits, clock: Clock) -> None:
    assert used_up(lambda: limits.retry_after("chat.postMessage", GENERAL)) == 4
    for _ in range(500):  # these would empty the workspace's bucket
        assert limits.retry_after("chat.postMessage", GENERAL) == 1
    channels = count()
    assert used_up(lambda: limits.retry_after("chat.postMessage", f"C_{next(channels)}")) == 100 - 4
    for _ in range(500):  # and these a channel's own
        assert limits.retry_after("chat.postMessage", "C_FRESH") == 1
    clock.time += 60
    assert used_up(lambda: limits.retry_after("chat.postMessage", "C_FRESH")) == 4


def test_a_clock_that_jumps_back_takes_nothing_away(limits: Limits, clock: Clock) -> None:
    assert limits.retry_after("chat.update", None) is None
    clock.time -= 3600
    assert used_up(lambda: limits.retry_after("chat.update", None)) == 49


def test_nothing_is_limited_until_it_is_switched_on(clock: Clock) -> None:
    limits = Limits(clock)
    assert [limits.retry_after("chat.postMessage", GENERAL) for _ in range(1000)] == [None] * 1000
