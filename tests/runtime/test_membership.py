"""A process says again and again that it is there, and is told what others want of it."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from engine.errors import LeaseLost
from engine.kernel import StreamKey, Tenant
from engine.runtime.activity import Activity
from engine.runtime.clock import JumpingClock
from engine.runtime.membership import LASTS, LOOK_EVERY, Membership
from engine.store.memory_sharing import MemorySharing

KEY = StreamKey(Tenant("T"), "collab-1")


class Heard:
    """One process, and what it was told."""

    def __init__(self, sharing: MemorySharing, clock: JumpingClock) -> None:
        self.membership = Membership(sharing, clock, Activity())
        self.asked: list[StreamKey] = []
        self.left: list[StreamKey] = []
        self.losses = 0
        self.is_broken = False
        self.membership.listen(asked=self._asked, left=self.left.append, lost=self._lost)

    def _asked(self, key: StreamKey) -> None:
        if self.is_broken:
            raise KeyError(key)
        self.asked.append(key)

    def _lost(self) -> None:
        self.losses += 1


class Both:
    def __init__(self) -> None:
        self.clock = JumpingClock(0)
        self.sharing = MemorySharing(self.clock.monotonic)
        self.first, self.second = (Heard(self.sharing, self.clock) for _ in range(2))

    async def passes(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.jump(self.clock.now() + 1_000)
            for _ in range(30):
                await asyncio.sleep(0)


@pytest.fixture
async def both() -> AsyncIterator[Both]:
    both = Both()
    for each in (both.first, both.second):
        await each.membership.start()
    yield both
    for each in (both.first, both.second):
        await each.membership.close()


async def test_it_stays_a_member_while_it_lives(both: Both) -> None:
    name = both.first.membership.name
    await both.passes(3 * LASTS // 1_000)

    assert both.first.membership.name == name
    assert both.first.membership.lasts(LASTS - 2_000)
    assert both.first.losses == 0


async def test_it_is_told_once_of_what_another_one_wants(both: Both) -> None:
    await both.sharing.hold(KEY, both.first.membership.name)
    await both.sharing.hold(KEY, both.second.membership.name)
    await both.passes(3)

    assert both.first.asked == [KEY]
    assert both.second.asked == []


async def test_it_goes_on_whatever_those_do_who_are_told(both: Both) -> None:
    both.first.is_broken = True
    await both.sharing.hold(KEY, both.first.membership.name)
    await both.sharing.hold(KEY, both.second.membership.name)
    await both.passes(2 * LASTS // 1_000)

    assert both.first.losses == 0
    assert not await both.sharing.hold(KEY, both.second.membership.name)


async def test_after_a_long_stop_it_is_another_member_and_says_so(both: Both) -> None:
    before = both.first.membership.name
    await both.sharing.hold(KEY, before)
    both.clock.jump(both.clock.now() + LASTS + 1)
    assert not both.first.membership.lasts(0)
    await both.passes(1)

    assert both.first.losses == 1
    assert both.first.membership.name != before
    with pytest.raises(LeaseLost):
        both.first.membership.check(before)


async def test_what_it_has_not_let_go_is_found_at_once_when_it_ends(both: Both) -> None:
    await both.sharing.hold(KEY, both.first.membership.name)
    await both.first.membership.close()
    await both.passes(LOOK_EVERY)

    assert KEY in both.second.left
