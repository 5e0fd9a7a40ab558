"""Several processes keep Slack's pace together, though most calls ask nobody."""

import asyncio
from dataclasses import dataclass, field, replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.posts import SLACK_RATES, Rate
from bot.posts.rate_limits import BLOCK, POST, UPDATE, Lane, RateLimits, Ticket
from bot.posts.waiting import Waiting
from engine.errors import StoreUnavailable
from engine.kernel import Millis, Tenant
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.store.memory_sharing import MemorySharing
from tests.examples import examples
from tests.negotiation.scenario import NOON

OURS, THEIRS = Tenant("T_OURS"), Tenant("T_THEIRS")
EDIT = Lane(OURS, UPDATE)


class Booking(MemorySharing):
    """Counts how often it is asked, and may be out of reach."""

    bookings = 0
    is_away = False

    def __init__(self, clock: JumpingClock) -> None:
        super().__init__(clock.monotonic)
        self.asked = asyncio.Event()

    async def book(self, tenant: Tenant, line: str, *, each: float, count: int, after: float = 0.0) -> float:
        if self.is_away:
            raise StoreUnavailable("The store cannot be reached.")
        self.bookings += 1
        self.asked.set()
        return await MemorySharing.book(self, tenant, line, each=each, count=count, after=after)


@dataclass
class Processes:
    """Some that call one Slack; the clock jumps."""

    rates: dict[str, Rate]
    count: int = 2
    clock: JumpingClock = field(default_factory=lambda: JumpingClock(NOON))
    times: list[tuple[Millis, str]] = field(default_factory=list)
    """When calls were let through, and to which channel."""
    tickets: list[Ticket] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sharing = Booking(self.clock)
        self.waitings = [Waiting(self.clock, Activity()) for _ in range(self.count)]
        self.limits = [RateLimits(self.rates, each, self.sharing) for each in self.waitings]

    def join(self, who: int, lane: Lane = EDIT, rank: int = 0) -> None:
        self.waitings[who].activity.spawn(self._call(who, lane, rank))

    async def _call(self, who: int, lane: Lane, rank: int) -> None:
        wake = asyncio.Event()
        ticket = self.limits[who].join(lane, rank, wake)
        self.tickets.append(ticket)
        if not ticket.granted:
            await self.waitings[who].for_event(wake)
        self.times.append((self.clock.now() - NOON, lane.channel))

    async def rest(self) -> None:
        for each in self.waitings:
            await each.idle()

    async def passes(self, millis: Millis) -> None:
        """Let so much time pass, from one moment at which somebody wakes to the next."""
        end = self.clock.now() + millis
        while True:
            await self.rest()
            dues = [each.next_due for each in self.waitings if each.next_due is not None]
            if not dues or min(dues) > end:
                break
            self.clock.jump(min(dues))
        self.clock.jump(end)
        await self.rest()

    def keeps(self, rate: Rate | None, channel: str = "") -> bool:
        """Whether no stretch of time has more calls than are allowed."""
        times = sorted(at for at, where in self.times if channel in ("", where))
        return rate is None or all(
            count <= rate.burst + (last - first) * rate.per_minute / 60_000 + 1e-6
            for start, first in enumerate(times)
            for count, last in enumerate(times[start:], 1)
        )


async def test_two_processes_share_one_rate() -> None:
    both = Processes({UPDATE: Rate(60, 10)})
    for who in (0, 1):
        for _ in range(20):
            both.join(who)
    await both.passes(60_000)

    assert len(both.times) == 40
    assert both.keeps(Rate(60, 10))
    assert max(both.times)[0] <= 45_000


async def test_most_calls_ask_nobody() -> None:
    both = Processes(dict(SLACK_RATES))
    for _ in range(30):
        for who in (0, 1):
            both.join(who)
        await both.passes(2_400)

    assert len(both.times) >= 55
    assert both.keeps(SLACK_RATES[UPDATE])
    assert both.sharing.bookings <= len(both.times) * 0.75


async def test_workspaces_and_methods_book_apart() -> None:
    both = Processes({UPDATE: Rate(1, 2), POST: Rate(1, 2)})
    for lane in (EDIT, Lane(THEIRS, UPDATE), Lane(OURS, POST)):
        both.join(0, lane)
        both.join(1, lane)
    await both.rest()

    assert [ticket.granted for ticket in both.tickets].count(True) >= 3


async def test_when_slack_has_had_enough_the_others_stop_as_well() -> None:
    rate = Rate(60, 20)
    both = Processes({UPDATE: rate})
    both.join(1)
    await both.rest()
    both.limits[0].hold(EDIT, both.clock.after(30_000))
    await both.rest()
    for _ in range(40):
        both.join(1)
    await both.passes(29_000)

    assert len(both.times) <= rate.burst // BLOCK
    await both.passes(120_000)
    assert len(both.times) == 41


async def test_a_process_that_ends_takes_with_it_what_it_has_booked_and_no_more() -> None:
    rate = Rate(60, 20)
    both = Processes({UPDATE: rate})
    both.join(0)
    await both.rest()
    both.limits[0].close()
    for _ in range(40):
        both.join(1)
    await both.passes(60_000)

    assert len(both.times) == 41
    assert both.times[-1][0] <= (40 - rate.burst + 2 * rate.burst // BLOCK) * 1_000 + 20_000


async def test_turns_that_were_not_used_in_time_are_lost() -> None:
    rate = Rate(240, 25)
    five = Processes({UPDATE: rate}, count=5)
    for who in range(5):
        five.join(who)
    await five.passes(20_000)
    for who in range(5):
        for _ in range(20):
            five.join(who)
    await five.passes(60_000)

    assert len(five.times) == 105
    assert five.keeps(rate)


async def test_where_only_one_may_call_at_once_a_turn_that_is_used_late_is_no_second_one() -> None:
    both = Processes({UPDATE: Rate(60, 1)})
    left = both.limits[0].join(EDIT, 0, asyncio.Event())
    await both.sharing.asked.wait()
    left.leave()
    await both.passes(1_000)
    for who in (0, 1):
        both.join(who)
    await both.passes(10_000)

    assert len(both.times) == 2
    assert both.keeps(Rate(60, 1))


async def test_where_the_store_is_out_of_reach_calls_wait_for_it() -> None:
    both = Processes({UPDATE: Rate(60, 10)})
    both.sharing.is_away = True
    both.join(0)
    await both.passes(5_000)
    assert not both.times

    both.sharing.is_away = False
    await both.passes(5_000)
    assert len(both.times) == 1


CHANNELS = ("C_1", "C_2")
rates = st.builds(Rate, st.sampled_from((7, 50, 240)), st.integers(1, 25))
happenings = st.one_of(
    st.tuples(st.just("calls"), st.integers(0, 2), st.sampled_from(CHANNELS), st.integers(1, 12)),
    st.tuples(st.just("calls"), st.integers(0, 2), st.sampled_from(CHANNELS), st.integers(1, 12)),
    st.tuples(st.just("held"), st.integers(0, 2), st.just(""), st.integers(0, 5_000)),
    st.tuples(st.just("passes"), st.just(0), st.just(""), st.integers(0, 20_000)),
)


@settings(max_examples=examples(60), deadline=None)
@given(whole=rates, channel=st.none() | rates, days=st.lists(happenings, max_size=25))
async def test_whatever_three_processes_do_no_rate_is_exceeded(
    whole: Rate, channel: Rate | None, days: list[tuple[str, int, str, int]]
) -> None:
    all_three = Processes({POST: replace(whole, per_channel=channel)}, count=3)
    for what, who, where, amount in days:
        match what:
            case "calls":
                for _ in range(amount):
                    all_three.join(who, Lane(OURS, POST, where))
                await all_three.rest()
            case "held":
                all_three.limits[who].hold(Lane(OURS, POST), all_three.clock.after(amount))
                await all_three.rest()
            case _:
                await all_three.passes(amount)
    for _ in range(200):
        if all(ticket.granted for ticket in all_three.tickets):
            break
        await all_three.passes(600_000)

    assert all(ticket.granted for ticket in all_three.tickets)
    assert all_three.keeps(whole)
    assert all(all_three.keeps(channel, each) for each in CHANNELS)
