"""Everybody at once, at Slack's own rates. Time is that of the clock which bot and workspace share."""

import pytest

from benchmarks.burst import Burst, measure
from bot.posts import SLACK_RATES
from bot.posts.rate_limits import UPDATE


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
