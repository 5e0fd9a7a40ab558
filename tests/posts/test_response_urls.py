"""What somebody clicked is changed through their click, as long as that goes; else like anything else, at once."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.local_slack import Message
from bot.posts import Rate, ResponseUrls
from bot.posts.rate_limits import UPDATE
from bot.posts.response_urls import LIFETIME, MOST, USES
from bot.views.negotiation.button_values import ACCEPT
from engine.kernel import Tenant
from engine.runtime.clock import JumpingClock
from tests.local_slack.raw_connections import RawConnection, raw_connection
from tests.negotiation.scenario import NOON
from tests.posts.driver import AYA, BO, LINKED, TENANT, Driver
from tests.views.stories import Story, voting


@pytest.fixture
async def tap(driver: Driver) -> AsyncIterator[RawConnection]:
    async with raw_connection(driver.workspace) as tap:
        yield tap


@pytest.fixture
async def story(driver: Driver) -> Story:
    """Aya's and bo's twins are at odds; aya has her part."""
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned()).twin("aya", "accept")
    await driver.show(story)
    return story


async def clicked(driver: Driver, tap: RawConnection, user: str, card: Message) -> None:
    """As the app hears of it."""
    clicking = asyncio.create_task(driver.workspace.person(user).click(card.channel, card.ts, ACCEPT))
    while (envelope := await tap.next())["type"] != "interactive":
        pass
    await clicking
    driver.urls.keep(TENANT, card.channel, card.ts, envelope["payload"]["response_url"])


async def part(driver: Driver, story: Story) -> Message:
    return (await driver.direct(story, AYA))[0]


async def forbid_edits(driver: Driver) -> None:
    await driver.workspace.admin.fault("chat.update", "status", times=None)


# ── through the click ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_card_is_changed_through_the_click_in_it(driver: Driver, story: Story, tap: RawConnection) -> None:
    await forbid_edits(driver)
    await clicked(driver, tap, AYA, await part(driver, story))
    await clicked(driver, tap, AYA, await driver.message(story, "round-1"))
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    for card in (await part(driver, story), await driver.message(story, "round-1")):
        assert "Only until ten" in str(card.blocks)
        assert card.metadata is not None
    assert await driver.calls("response_url") == 2


async def test_five_times_and_then_like_anything_else(driver: Driver, story: Story, tap: RawConnection) -> None:
    await clicked(driver, tap, AYA, await part(driver, story))
    edits = await driver.calls("chat.update")
    for number in range(USES + 2):
        await driver.show(story.clicks(AYA, "aya", "negotiate", f"Only until {number}"))
    assert "Only until 6" in str((await part(driver, story)).blocks)
    assert await driver.calls("response_url") == USES
    assert await driver.calls("chat.update") == edits + 2 + USES + 2 + 1  # the round, each time, and the root once


async def test_a_new_click_is_good_for_five_more(driver: Driver, story: Story, tap: RawConnection) -> None:
    for number in range(8):
        if number in (0, 4):
            await clicked(driver, tap, AYA, await part(driver, story))
        await driver.show(story.clicks(AYA, "aya", "negotiate", f"Only until {number}"))
    assert await driver.calls("response_url") == 8


@pytest.mark.parametrize(("after", "uses"), [(LIFETIME - 1, 1), (LIFETIME, 0)], ids=["in time", "too late"])
async def test_a_click_is_used_for_half_an_hour_at_most(
    driver: Driver, story: Story, tap: RawConnection, after: int, uses: int
) -> None:
    await clicked(driver, tap, AYA, await part(driver, story))
    driver.clock.jump(NOON + after)
    await driver.show(story.clicks(AYA, "aya", "accept"))
    assert await driver.calls("response_url") == uses
    assert "✅ You accept" in str((await part(driver, story)).blocks)


# ── where that fails ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"do": "error", "error": "used_url"}, id="used up"),
        pytest.param({"do": "error", "error": "expired_url"}, id="expired"),
        pytest.param({"do": "status", "status": 429, "retry_after": 60}, id="too many"),
        pytest.param({"do": "status", "status": 500}, id="an error of Slack's"),
        pytest.param({"do": "status", "status": 200}, id="a no with the status of a yes"),
        pytest.param({"do": "drop_before"}, id="cut off, nothing done"),
        pytest.param({"do": "drop_after"}, id="cut off when it was done"),
    ],
)
async def test_it_is_changed_like_anything_else_at_once(
    driver: Driver, story: Story, tap: RawConnection, fault: dict[str, Any]
) -> None:
    await clicked(driver, tap, AYA, await part(driver, story))
    await driver.workspace.admin.fault("response_url", **fault)
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    assert "Only until ten" in str((await part(driver, story)).blocks)
    assert driver.posts.next_due is None
    await driver.show(story.clicks(AYA, "aya", "accept"))
    assert "✅ You accept" in str((await part(driver, story)).blocks)
    assert await driver.calls("response_url") == 1


async def test_a_click_that_hangs_is_given_up(driver: Driver, story: Story, tap: RawConnection) -> None:
    driver.seconds = 1
    driver.posts = driver.another()
    await clicked(driver, tap, AYA, await part(driver, story))
    held = await driver.workspace.admin.fault("response_url", "hold")
    await driver.show(story.clicks(AYA, "aya", "accept"))
    await held.release()
    assert "✅ You accept" in str((await part(driver, story)).blocks)
    assert driver.posts.next_due is None


# ── a click does not wait ─────────────────────────────────────────────────────────────────────────────────────────


async def test_a_click_takes_a_change_out_of_the_line(driver: Driver, story: Story, tap: RawConnection) -> None:
    driver.rates = {UPDATE: Rate(1, 1)}
    driver.posts = driver.another()
    await driver.show(story.clicks(AYA, "aya", "accept"))  # which takes the only turn there is
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    assert "Only until ten" not in str((await part(driver, story)).blocks)
    await clicked(driver, tap, AYA, await part(driver, story))
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until nine"))
    assert "Only until nine" in str((await part(driver, story)).blocks)
    while await driver.is_behind():
        assert await driver.wait() == 60_000
    assert driver.posts.next_due is None


async def test_a_click_does_not_wait_for_a_change_that_failed(driver: Driver, story: Story, tap: RawConnection) -> None:
    await forbid_edits(driver)
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until ten"))
    await clicked(driver, tap, AYA, await part(driver, story))
    await driver.show(story.clicks(AYA, "aya", "negotiate", "Only until nine"))
    assert "Only until nine" in str((await part(driver, story)).blocks)


async def test_a_click_does_not_wait_for_what_cannot_be_posted_yet(
    driver: Driver, story: Story, tap: RawConnection
) -> None:
    await driver.workspace.admin.fault("chat.postMessage", "status", status=429, retry_after=60)
    story.now = story.state.rounds[-1].window.people_until - 1_800_000
    await driver.show(story.rings("remind/1"))
    await clicked(driver, tap, AYA, await part(driver, story))
    await forbid_edits(driver)
    await driver.show(story.clicks(AYA, "aya", "accept"))
    assert "✅ You accept" in str((await part(driver, story)).blocks)


# ── whose it is ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_it_changes_no_other_message(driver: Driver, story: Story, tap: RawConnection) -> None:
    await driver.show(story.twin("bo", "negotiate"))
    [of_bo] = await driver.direct(story, BO)
    await clicked(driver, tap, AYA, await part(driver, story))
    await forbid_edits(driver)
    await driver.show(story.stopped())
    assert "Stopped before" in str((await part(driver, story)).blocks)
    assert (await driver.direct(story, BO))[0] == of_bo
    assert await driver.calls("response_url") == 1


def test_it_belongs_to_one_message_in_one_workspace() -> None:
    urls = ResponseUrls(JumpingClock(NOON))
    urls.keep(TENANT, "C_1", "1.1", "https://hooks.slack.com/one")
    for other in ((Tenant("T_OTHER"), "C_1", "1.1"), (TENANT, "C_2", "1.1"), (TENANT, "C_1", "1.2")):
        assert not urls.has(*other)
        assert urls.take(*other) is None
    assert urls.take(TENANT, "C_1", "1.1") == "https://hooks.slack.com/one"
    urls.drop(TENANT, "C_1", "1.1")
    assert not urls.has(TENANT, "C_1", "1.1")


def test_the_newest_click_counts() -> None:
    urls = ResponseUrls(JumpingClock(NOON))
    for number in range(1_000):
        urls.keep(TENANT, "C_1", "1.1", f"https://hooks.slack.com/{number}")
    taken = [urls.take(TENANT, "C_1", "1.1") for _ in range(USES + 1)]
    assert taken == ["https://hooks.slack.com/999"] * USES + [None]


def test_whatever_was_clicked_longest_ago_is_forgotten() -> None:
    urls = ResponseUrls(JumpingClock(NOON))
    for number in range(MOST):
        urls.keep(TENANT, "C_1", str(number), "https://hooks.slack.com/one")
    urls.keep(TENANT, "C_1", "0", "https://hooks.slack.com/again")
    urls.keep(TENANT, "C_1", str(MOST), "https://hooks.slack.com/more")
    assert [urls.has(TENANT, "C_1", str(each)) for each in (0, 1, 2, MOST)] == [True, False, True, True]


LOCAL = "http://127.0.0.1:3900/api/"


@pytest.mark.parametrize(
    ("url", "api_url", "is_kept"),
    [
        pytest.param("https://hooks.slack.com/actions/T1/2/x", "", True, id="Slack's"),
        pytest.param("https://hooks.slack.com:443/actions/T1/2/x", "", True, id="Slack's with its port"),
        pytest.param("https://hooks.slack-gov.com/actions/T1/2/x", "", True, id="Slack's for governments"),
        pytest.param("https://hooks.slack.com/x", "https://proxy.example/api/", True, id="Slack's beside a proxy"),
        pytest.param("https://proxy.example/x", "https://proxy.example/api/", True, id="the proxy's"),
        pytest.param("http://127.0.0.1:3900/response/1", LOCAL, True, id="the local workspace's"),
        pytest.param("http://127.0.0.1:3900/response/1", "", False, id="a local one without a local workspace"),
        pytest.param("http://127.0.0.1:3901/response/1", LOCAL, False, id="another port"),
        pytest.param("https://127.0.0.1:3900/response/1", LOCAL, False, id="another scheme"),
        pytest.param("http://hooks.slack.com/x", "", False, id="not encrypted"),
        pytest.param("https://hooks.slack.com:8443/x", "", False, id="another port of Slack's"),
        pytest.param("https://hooks.slack.com.evil.example/x", "", False, id="a name that begins so"),
        pytest.param("https://evilslack.com/x", "", False, id="a name that ends so"),
        pytest.param("https://hooks.slack.com@evil.example/x", "", False, id="a user of that name"),
        pytest.param("https://me:pass@hooks.slack.com/x", "", False, id="with a password"),
        pytest.param("https://evil.example\\@hooks.slack.com/x", "", False, id="a backslash"),
        pytest.param("https://hooks.slack.com\r\nHost: evil/x", "", False, id="a header"),
        pytest.param("https://hooks.slack.com\u3002evil.example/x", "", False, id="a dot that is none"),
        pytest.param("https://169.254.169.254/latest/meta-data", "", False, id="the machine's own data"),
        pytest.param("file:///etc/passwd", "", False, id="a file"),
        pytest.param("https://hooks.slack.com:x/", "", False, id="a port that is none"),
        pytest.param("https://[::1/", "", False, id="an address that is none"),
        pytest.param("", "", False, id="nothing"),
    ],
)
def test_only_urls_of_slack_are_called(url: str, api_url: str, is_kept: bool) -> None:
    urls = ResponseUrls(JumpingClock(NOON), api_url)

    urls.keep(TENANT, "C_1", "1.1", url)

    assert urls.take(TENANT, "C_1", "1.1") == (url if is_kept else None)
