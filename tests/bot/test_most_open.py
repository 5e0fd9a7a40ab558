"""Many at once: as many as may be open, and a burst of clicks."""

import pytest

from benchmarks.burst import Burst, measure
from bot.demo.demo import CHANNEL
from bot.posts import SLACK_RATES
from bot.posts.rate_limits import UPDATE
from engine.errors import TooMuchOpen

from .conftest import Given
from .driver import AYA, YOU, Driver


async def test_alone_a_vote_stands_in_the_thread_within_a_second() -> None:
    measured = await measure(Burst(negotiations=1, channels=1, people=20, seconds=10))

    assert measured.wrong == []
    assert measured.throttled == {}
    assert len(measured.shown) == 20
    assert max(measured.shown) <= 1


@pytest.mark.timeout(240)
async def test_all_at_once_every_card_ends_right_in_the_time_the_rates_need() -> None:
    burst = Burst(negotiations=9, channels=3, people=12, seconds=10)
    measured = await measure(burst)

    assert measured.wrong == []
    assert measured.throttled == {}, "a 429 of our own doing"
    assert len(measured.all_right) == burst.negotiations
    # At most the vote, where there is time to show it, and the end of the round.
    assert burst.fewest_edits <= measured.calls[UPDATE] <= 2 * burst.fewest_edits
    rate = SLACK_RATES[UPDATE]
    needed = (measured.calls[UPDATE] - rate.burst) * 60 / rate.per_minute
    assert max(measured.all_right) <= needed + burst.seconds
    assert max(measured.thread_right) <= max(measured.all_right) / 2, "threads go first"


async def ask_once_more(it: Driver, user: str = AYA) -> None:
    workspace = it.demo.workspace
    await it.demo.person(user).say(CHANNEL, f"<@{workspace.bot_user_id}> I need two speakers for an evening")
    await it.settles()


async def told(it: Driver, user: str) -> list[str]:
    return [each.text for each in await it.everything(user) if each.visible_to == user]


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en-US", "Please send it again in ten minutes"), ("zh-CN", "请十分钟后再发一次")],
    ids=["English", "Chinese"],
)
async def test_who_asks_for_more_is_told_when_to_come_back(given: Given, locale: str, words: str) -> None:
    it = await given(most_open=1, locales={AYA: locale})
    await ask_once_more(it)

    assert await it.begun() == 1
    assert [words in each for each in await told(it, AYA)] == [True]
    assert not [each for each in await told(it, YOU) if words in each]


async def test_once_something_has_ended_the_next_may_begin(given: Given) -> None:
    it = await given(most_open=1)
    await it.stops(YOU)
    await ask_once_more(it)

    assert await it.begun() == 2


async def test_what_has_begun_goes_on_whatever_is_open(given: Given) -> None:
    it = await given(most_open=1)
    before = await it.begun()
    assert it.posted is not None
    for _ in range(2):
        await it.demo.workspace.admin.announce(
            {
                "type": "app_mention", "channel": CHANNEL, "ts": it.posted.message.ts, "user": YOU,
                "text": it.posted.message.text,
            }
        )  # fmt: skip
        await it.settles()

    assert await it.begun() == before
    assert not await told(it, YOU)


def test_the_refusal_says_how_many_and_when() -> None:
    assert str(TooMuchOpen.at_most(7)).startswith("7 demands, plans and deliveries are under way")
