"""We keep Slack's pace, so that Slack seldom has to tell us."""

import asyncio

from bot.posts import SLACK_RATES, UNLIMITED, Rate
from bot.posts.budget import POST, UPDATE, Budget, Lane
from bot.posts.patience import Patience
from engine.activity import Activity
from engine.clock import JumpingClock
from engine.kernel import Millis, Tenant
from tests.posts.scene import Scene
from tests.views.stories import NOON, Story

ONE_A_SECOND = {POST: Rate(600, 100, per_channel=Rate(60, 2)), UPDATE: Rate(60, 1)}
OURS, THEIRS = Tenant("T_OURS"), Tenant("T_THEIRS")
POSTING = Lane(OURS, POST, "C_1")


class Calls:
    """Who was let through, and when."""

    def __init__(self, rates: dict[str, Rate]) -> None:
        self.clock = JumpingClock(NOON)
        self.patience = Patience(self.clock, Activity())
        self.budget = Budget(rates, self.patience)
        self.times: list[Millis] = []

    async def call(self, lane: Lane, rank: int = 0) -> None:
        with self.patience.activity.busy():
            turn = asyncio.Event()
            if not self.budget.join(lane, rank, turn).granted:
                await self.patience.rest(turn)
        self.times.append(self.clock.now() - NOON)

    async def all(self, *lanes: Lane) -> list[Millis]:
        """Everybody at once, the clock jumping whenever all of them wait."""
        calls = [asyncio.create_task(self.call(each)) for each in lanes]
        await asyncio.sleep(0)
        while not all(each.done() for each in calls):
            await self.patience.idle()
            if self.patience.next_due is not None:
                self.clock.jump(self.patience.next_due)
            await asyncio.sleep(0)
        return self.times


async def test_a_burst_goes_at_once_and_then_one_at_a_time() -> None:
    assert await Calls(ONE_A_SECOND).all(*[POSTING] * 5) == [0, 0, 1_000, 2_000, 3_000]


async def test_whoever_asked_first_goes_first() -> None:
    calls = Calls(ONE_A_SECOND)
    assert await calls.all(*[POSTING] * 3) == [0, 0, 1_000]


async def test_channels_have_their_own_pace_for_posting() -> None:
    assert await Calls(ONE_A_SECOND).all(*[POSTING] * 2, *[Lane(OURS, POST, "C_2")] * 2) == [0, 0, 0, 0]


async def test_editing_has_one_pace_for_the_workspace() -> None:
    edits = [Lane(OURS, UPDATE, channel) for channel in ("C_1", "C_2")]
    assert await Calls(ONE_A_SECOND).all(*edits) == [0, 1_000]


async def test_workspaces_do_not_slow_each_other_down() -> None:
    edits = [Lane(tenant, UPDATE, "C_1") for tenant in (OURS, THEIRS)]
    assert await Calls(ONE_A_SECOND).all(*edits) == [0, 0]


async def test_after_being_told_off_there_is_no_burst() -> None:
    calls = Calls(ONE_A_SECOND)
    calls.budget.hold(POSTING, NOON + 10_000)
    assert await calls.all(*[POSTING] * 3) == [10_000, 11_000, 12_000]


async def test_who_waits_already_waits_on_when_slack_says_so() -> None:
    calls = Calls(ONE_A_SECOND)
    waiting = [asyncio.create_task(calls.call(POSTING)) for _ in range(3)]
    await asyncio.sleep(0)
    calls.budget.hold(POSTING, NOON + 10_000)
    calls.clock.jump(NOON + 1_000)
    await calls.patience.idle()
    assert calls.times == [0, 0]
    calls.clock.jump(NOON + 12_000)
    await asyncio.gather(*waiting)
    assert calls.times == [0, 0, 12_000]


async def test_without_rates_only_slacks_own_word_counts() -> None:
    calls = Calls({})
    assert await calls.all(*[POSTING] * 50) == [0] * 50
    calls.budget.hold(POSTING, NOON + 5_000)
    assert (await calls.all(POSTING))[-1] == 5_000


async def test_a_busy_channel_is_posted_to_at_slacks_pace(scene: Scene) -> None:
    """With the limits of the local workspace switched on, it never has to say "too many"."""
    await scene.workspace.admin.rate_limits(True)
    scene.rates = SLACK_RATES
    scene.posts = scene.another()
    place = await scene.mentioned()
    stories = [Story(place=place, stream=f"collab-{number}").demand() for number in range(7)]
    await scene.show(*stories)
    pace = SLACK_RATES[POST].per_channel
    assert pace is not None
    assert await scene.calls("chat.postMessage") == pace.burst
    waits = [await scene.wait() for _ in range(3)]
    assert waits == [1_000, 1_000, 1_000]
    assert await scene.calls("chat.postMessage") == 7


async def test_meanwhile_the_newest_state_is_what_will_be_sent(scene: Scene) -> None:
    scene.rates = {POST: Rate(60, 1)}
    scene.posts = scene.another()
    place = await scene.mentioned()
    first = Story(place=place, stream="collab-first").demand()
    second = Story(place=place, stream="collab-second").demand()
    await scene.show(first)
    await scene.show(second)
    await scene.show(second.understood())
    await scene.wait()
    assert "Looking for" in (await scene.message(second, "root")).text
    assert await scene.calls("chat.update") == 0


def test_the_local_workspace_needs_no_pace() -> None:
    assert UNLIMITED == {}
