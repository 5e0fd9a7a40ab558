"""We keep Slack's pace, so that Slack seldom has to tell us."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.posts import SLACK_RATES, UNLIMITED, Rate
from bot.posts.rate_limits import AT_ONCE, POST, RESPOND, UPDATE, Lane, RateLimits, Ticket
from bot.posts.waiting import Waiting
from engine.kernel import Millis, Tenant
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock, Monotonic
from tests.examples import examples
from tests.negotiation.scenario import NOON
from tests.posts.driver import AYA, LINKED, Driver
from tests.views.stories import Story, voting

ONE_A_SECOND = {POST: Rate(600, 100, per_channel=Rate(60, 2)), UPDATE: Rate(60, 1)}
OURS, THEIRS = Tenant("T_OURS"), Tenant("T_THEIRS")
POSTING = Lane(OURS, POST, "C_1")


class CountingClock(JumpingClock):
    waits = 0

    async def until(self, due: Monotonic) -> None:
        self.waits += 1
        await super().until(due)


class Calls:
    """Who was let through, and when."""

    def __init__(self, rates: dict[str, Rate]) -> None:
        self.clock = CountingClock(NOON)
        self.waiting = Waiting(self.clock, Activity())
        self.limits = RateLimits(rates, self.waiting)
        self.times: list[Millis] = []

    async def jump(self, to: Millis) -> None:
        """To so many milliseconds after the beginning."""
        self.clock.jump(NOON + to)
        await self.waiting.idle()

    async def call(self, lane: Lane, rank: int = 0) -> None:
        with self.waiting.activity.busy():
            turn = asyncio.Event()
            if not self.limits.join(lane, rank, turn).granted:
                await self.waiting.for_event(turn)
        self.times.append(self.clock.now() - NOON)

    async def all(self, *lanes: Lane) -> list[Millis]:
        """Everybody at once, the clock jumping whenever all of them wait."""
        calls = [asyncio.create_task(self.call(each)) for each in lanes]
        await asyncio.sleep(0)
        while not all(each.done() for each in calls):
            await self.waiting.idle()
            if self.waiting.next_due is not None:
                self.clock.jump(self.waiting.next_due)
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
    calls.limits.hold(POSTING, calls.clock.after(10_000))
    assert await calls.all(*[POSTING] * 3) == [10_000, 11_000, 12_000]


async def test_nor_where_there_was_something_to_do_before() -> None:
    calls = Calls({UPDATE: Rate(60, 3)})
    lane = Lane(OURS, UPDATE)
    await calls.all(lane)
    calls.limits.hold(lane, calls.clock.after(10_000))
    assert (await calls.all(lane, lane))[1:] == [10_000, 11_000]


async def test_who_waits_already_waits_on_when_slack_says_so() -> None:
    calls = Calls(ONE_A_SECOND)
    waiting = [asyncio.create_task(calls.call(POSTING)) for _ in range(3)]
    await asyncio.sleep(0)
    calls.limits.hold(POSTING, calls.clock.after(10_000))
    calls.clock.jump(NOON + 1_000)
    await calls.waiting.idle()
    assert calls.times == [0, 0]
    calls.clock.jump(NOON + 12_000)
    await asyncio.gather(*waiting)
    assert calls.times == [0, 0, 12_000]


async def test_without_rates_only_slacks_own_word_counts() -> None:
    calls = Calls({})
    assert await calls.all(*[POSTING] * 50) == [0] * 50
    calls.limits.hold(POSTING, calls.clock.after(5_000))
    calls.limits.hold(POSTING, calls.clock.after(1_000))
    assert (await calls.all(POSTING))[-1] == 5_000


async def test_the_thread_goes_before_direct_messages() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    told, thread = asyncio.Event(), asyncio.Event()
    later, sooner = calls.limits.join(POSTING, 1, told), calls.limits.join(POSTING, 0, thread)
    await calls.jump(1_000)
    assert (later.granted, sooner.granted) == (told.is_set(), thread.is_set()) == (False, True)


async def test_nobody_overtakes_whoever_is_about_to_be_called() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    first = calls.limits.join(POSTING, 0, asyncio.Event())
    calls.clock.jump(NOON + 1_000)
    second = calls.limits.join(POSTING, 0, asyncio.Event())
    await calls.waiting.idle()
    assert (first.granted, second.granted) == (True, False)


async def test_direct_messages_do_not_wait_for_a_thread_whose_channel_is_busy() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    assert not calls.limits.join(POSTING, 0, asyncio.Event()).granted
    assert calls.limits.join(Lane(OURS, POST, "D_1"), 1, asyncio.Event()).granted


async def test_both_paces_are_kept_at_once() -> None:
    """Each channel its own, and all of them together the workspace's."""
    calls = Calls({POST: Rate(120, 3, per_channel=Rate(60, 1))})
    lanes = [Lane(OURS, POST, each) for each in ("C_1", "C_1", "C_1", "C_2", "C_2", "C_3")]
    assert await calls.all(*lanes) == [0, 0, 0, 1_000, 1_000, 2_000]


async def test_who_leaves_the_line_holds_up_nobody() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    gone, stays = (calls.limits.join(POSTING, 0, asyncio.Event()) for _ in range(2))
    gone.leave()
    await calls.jump(1_000)
    assert (gone.granted, stays.granted) == (False, True)
    assert calls.waiting.next_due is None


async def test_a_turn_that_is_not_taken_is_lost() -> None:
    """Taken later, or by somebody else, it would be one call too many in its minute."""
    calls = Calls({UPDATE: Rate(60, 1)})
    lane = Lane(OURS, UPDATE)
    calls.limits.join(lane, 0, asyncio.Event()).leave()
    await calls.jump(10_000)
    assert await calls.all(lane, lane) == [10_000, 11_000]


async def test_one_method_on_hold_does_not_stop_another_or_another_workspace() -> None:
    calls = Calls(ONE_A_SECOND)
    calls.limits.hold(POSTING, calls.clock.after(10_000))
    assert await calls.all(Lane(OURS, UPDATE), Lane(THEIRS, POST, "C_1")) == [0, 0]
    assert not calls.limits.join(Lane(OURS, POST, "D_1"), 0, asyncio.Event()).granted


async def test_who_waits_sleeps() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    tickets = [calls.limits.join(POSTING, 0, asyncio.Event()) for _ in range(10)]
    for _ in range(100):
        await asyncio.sleep(0)
    assert calls.clock.waits < 10
    while not all(each.granted for each in tickets):
        assert calls.waiting.next_due is not None
        await calls.jump(calls.waiting.next_due - NOON)
    assert calls.clock.waits < 30


async def test_after_closing_nobody_s_turn_comes() -> None:
    calls = Calls(ONE_A_SECOND)
    await calls.all(*[POSTING] * 2)
    ticket = calls.limits.join(POSTING, 0, asyncio.Event())
    calls.limits.close()
    await calls.jump(10_000)
    assert not ticket.granted
    assert calls.waiting.next_due is None


CHANNELS = ("C_1", "C_2")
joins = st.tuples(st.just("joins"), st.sampled_from(CHANNELS), st.integers(0, 2))
happenings = st.one_of(
    joins,
    joins,
    st.tuples(st.just("leaves"), st.integers(0, 50), st.none()),
    st.tuples(st.just("is held"), st.integers(0, 5_000), st.none()),
    st.tuples(st.just("passes"), st.integers(0, 5_000), st.none()),
    st.tuples(st.just("passes"), st.integers(0, 5_000), st.none()),
)
rates = st.builds(Rate, st.sampled_from((7, 50, 240)), st.integers(1, 5))


@dataclass
class Place:
    """Somebody's, in the line."""

    ticket: Ticket
    wake: asyncio.Event
    waited: bool
    left: bool = False
    at: Millis = 0
    """When it was granted."""


@settings(max_examples=examples(75), deadline=None)
@given(whole=rates, channel=st.none() | rates, days=st.lists(happenings, max_size=60))
async def test_whatever_happens_the_pace_is_kept_and_everybody_s_turn_comes(
    whole: Rate, channel: Rate | None, days: list[tuple[str, Any, Any]]
) -> None:
    calls = Calls({POST: replace(whole, per_channel=channel)})
    places: list[Place] = []
    holds: list[tuple[Millis, Millis]] = []

    async def look(before: list[Place]) -> None:
        """Who was let through since, and whether anybody of less importance was, who wanted the same."""
        fresh = [each for each in before if each.ticket.granted]
        for each in fresh:
            each.at = calls.clock.now()
        for passed in fresh:
            for still in before:
                waits = not still.ticket.granted and not still.left and still.ticket.lane == passed.ticket.lane
                assert not waits or rank_of(passed) < rank_of(still)

    def rank_of(place: Place) -> tuple[int, int]:
        return place.ticket.rank, places.index(place)

    async def passes(until: Millis) -> None:
        while (due := calls.waiting.next_due) is not None and due <= until:
            await step(due)
        await step(until)

    async def step(to: Millis) -> None:
        waiting = [each for each in places if not each.ticket.granted and not each.left]
        await calls.jump(to - NOON)
        await look(waiting)

    for what, which, rank in days:
        now = calls.clock.now()
        match what:
            case "joins":
                waiting = [each for each in places if not each.ticket.granted and not each.left]
                wake = asyncio.Event()
                ticket = calls.limits.join(Lane(OURS, POST, which), rank, wake)
                places.append(Place(ticket, wake, waited=not ticket.granted, at=now))
                await look([*waiting, places[-1]])
            case "leaves" if places:
                place = places[which % len(places)]
                if not place.ticket.granted and not place.left:
                    place.left = True
                    place.ticket.leave()
            case "is held":
                calls.limits.hold(POSTING, now + which)
                holds.append((now, now + which))
            case "passes":
                await passes(now + which)
        await calls.waiting.idle()
    for _ in range(len(places) + 1):
        if calls.waiting.next_due is not None:
            await step(calls.waiting.next_due)

    assert calls.waiting.next_due is None
    assert all(each.ticket.granted or each.left for each in places)
    assert all(each.wake.is_set() == (each.waited and each.ticket.granted) for each in places)
    for name in (*CHANNELS, ""):
        kept = whole if not name else channel
        times = sorted(each.at for each in places if each.ticket.granted and name in ("", each.ticket.lane.channel))
        for start, first in enumerate(times):
            for count, last in enumerate(times[start:], 1):
                assert kept is None or count <= kept.burst + (last - first) * kept.per_minute / 60_000 + 1e-6
    for since, until in holds:
        assert not [each for each in places if each.ticket.granted and each.waited and since < each.at < until]


async def test_a_busy_channel_is_posted_to_at_slacks_pace(driver: Driver) -> None:
    """With the limits of the local workspace switched on, it never has to say "too many"."""
    await driver.workspace.admin.rate_limits(True)
    driver.rates = SLACK_RATES
    driver.posts = driver.another()
    place = await driver.mentioned()
    stories = [Story(place=place, stream=f"collab-{number}").demand() for number in range(7)]
    await driver.show(*stories)
    pace = SLACK_RATES[POST].per_channel
    assert pace is not None
    assert await driver.calls("chat.postMessage") == pace.burst
    waits = [await driver.wait() for _ in range(3)]
    assert waits == [1_000, 1_000, 1_000]
    assert await driver.calls("chat.postMessage") == 7


async def test_a_vote_goes_before_cards_that_wait_as_well(driver: Driver) -> None:
    driver.rates = {POST: Rate(240, 40, per_channel=Rate(60, 1))}
    driver.posts = driver.another()
    told, waits = [voting("aya", place=await driver.mentioned(), stream=f"collab-{each}") for each in range(2)]

    await driver.show(told, waits)
    for _ in range(2):
        await driver.wait()

    assert await driver.keys(told) == ["root", "round-1"]
    assert await driver.keys(waits) == ["round-1"]
    while await driver.is_behind():
        await driver.wait()
    assert await driver.keys(waits) == ["round-1", "root", "offers"]


async def test_a_vote_that_slack_does_not_take_just_now_lets_others_go_first(driver: Driver) -> None:
    driver.rates = {POST: Rate(240, 1)}
    driver.posts = driver.another()
    story = Story(place=await driver.mentioned()).demand()
    await driver.show(story)
    await driver.workspace.admin.fault("chat.postMessage", "error", error="request_timeout")

    await driver.show(story.understood().shortlisted("aya").offers("aya").drafted("aya"))
    while await driver.is_behind():
        await driver.wait()

    assert await driver.keys(story) == ["root", "offers", "round-1"]


async def test_direct_messages_wait_until_the_thread_is_told(driver: Driver) -> None:
    driver.rates = {POST: Rate(60, 1)}
    driver.posts = driver.another()
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned())
    await driver.show(story.twin("aya", "accept").twin("bo", "accept"))
    seen = []
    while await driver.is_behind():
        seen.append((len(await driver.keys(story)), len(await driver.direct_keys(story, AYA))))
        await driver.wait()
    assert seen == [(1, 0), (2, 0), (3, 0), (3, 1)]


async def test_an_edit_goes_while_a_post_waits(driver: Driver, story: Story) -> None:
    driver.rates = {POST: Rate(1, 1), UPDATE: Rate(60, 60)}
    driver.posts = driver.another()
    await driver.show(story)
    await driver.show(story.understood().shortlisted("aya"))
    assert await driver.keys(story) == ["root"]
    assert "0 of 1" in (await driver.message(story, "root")).text


async def test_who_waits_in_a_line_does_nothing_else(driver: Driver) -> None:
    driver.rates = {POST: Rate(1, 1)}
    driver.posts = driver.another()
    story = voting("aya", "bo", linked=LINKED, place=await driver.mentioned()).twin("aya", "accept")
    await driver.show(story)
    looks = driver.looks
    for _ in range(200):
        await asyncio.sleep(0)
    assert driver.looks == looks
    await driver.posts.close()
    assert await driver.calls("chat.postMessage") == 1
    assert await driver.is_behind()


async def test_meanwhile_the_newest_state_is_what_will_be_sent(driver: Driver) -> None:
    driver.rates = {POST: Rate(60, 1)}
    driver.posts = driver.another()
    place = await driver.mentioned()
    first = Story(place=place, stream="collab-first").demand()
    second = Story(place=place, stream="collab-second").demand()
    await driver.show(first)
    await driver.show(second)
    await driver.show(second.understood())
    await driver.wait()
    assert "Looking for" in (await driver.message(second, "root")).text
    assert await driver.calls("chat.update") == 0


async def test_only_so_many_calls_of_a_workspace_are_under_way() -> None:
    limits, under_way, may_end = Calls({}).limits, [], asyncio.Event()

    async def call(lane: Lane) -> None:
        async with limits.place(lane):
            under_way.append(lane)
            await may_end.wait()

    theirs, clicked = Lane(THEIRS, POST), Lane(OURS, RESPOND)
    many = [*[POSTING] * (AT_ONCE + 3), *[theirs] * 2, *[clicked] * 2]
    calls = [asyncio.create_task(call(each)) for each in many]
    await asyncio.sleep(0)
    assert under_way == [*[POSTING] * AT_ONCE, *[theirs] * 2, *[clicked] * 2]
    may_end.set()
    await asyncio.gather(*calls)
    assert len(under_way) == len(many)


async def test_who_waits_while_others_call_sends_the_newest_state(driver: Driver) -> None:
    place, admin = await driver.mentioned(), driver.workspace.admin
    others = [Story(place=place, stream=f"collab-{number}").demand() for number in range(AT_ONCE)]
    last = Story(place=place, stream="collab-last").demand()
    held = await admin.fault(POST, "hold", times=AT_ONCE)
    all_called = await admin.fault(POST, "delay", nth=AT_ONCE)
    await driver.tell(*others)
    await all_called.reached()
    for each in (last, last.understood()):
        await driver.tell(each)
        for _ in range(200):
            await asyncio.sleep(0)
    assert await driver.calls(POST) == AT_ONCE
    await held.release()
    await driver.posts.idle()
    assert "Looking for" in (await driver.message(last, "root")).text
    assert await driver.calls(UPDATE) == 0


def test_the_local_workspace_needs_no_pace() -> None:
    assert UNLIMITED == {}
