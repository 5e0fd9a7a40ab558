"""`Sharing` without a disk, for the processes that tests put into one: the model that others are held against."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from engine.errors import LeaseLost
from engine.kernel import Millis, StreamKey, Tenant
from engine.store.sharing import FORGOTTEN_AFTER, Lacking, Purse


def _machines_time() -> Millis:
    return time.monotonic_ns() // 1_000_000


@dataclass(slots=True)
class _Held:
    member: str
    is_asked_for: bool = False


@dataclass(slots=True)
class MemorySharing:
    """
    Args:
        now: the time, in milliseconds since a moment that does not matter.
    """

    now: Callable[[], Millis] = _machines_time
    _until: dict[str, Millis] = field(default_factory=dict)
    """By member, also of those whose time is over."""
    _held: dict[StreamKey, _Held] = field(default_factory=dict)
    _booked: dict[tuple[Tenant, str], float] = field(default_factory=dict)
    """Until when the turns of a line are booked."""
    _news: list[StreamKey] = field(default_factory=list)
    _spent: dict[tuple[Tenant, str], Decimal] = field(default_factory=dict)
    _reserved: dict[tuple[Tenant, str, str], Decimal] = field(default_factory=dict)
    """By purse and member."""

    async def join(self, millis: Millis) -> str:
        await asyncio.sleep(0)
        name = secrets.token_hex(8)
        self._until[name] = self.now() + millis
        return name

    async def heartbeat(self, member: str, millis: Millis) -> Sequence[StreamKey] | None:
        await asyncio.sleep(0)
        if not self._is_there(member):
            return None
        self._until[member] = self.now() + millis
        asked = [key for key, held in self._held.items() if held.member == member and held.is_asked_for]
        for key in asked:
            self._held[key].is_asked_for = False
        return asked

    async def hold(self, key: StreamKey, member: str) -> bool:
        await asyncio.sleep(0)
        self.check(member)
        held = self._held.get(key)
        if held is not None and held.member != member and self._is_there(held.member):
            held.is_asked_for = True
            return False
        if held is None or held.member != member:
            self._held[key] = _Held(member)
        return True

    async def let_go(self, key: StreamKey, member: str) -> bool:
        await asyncio.sleep(0)
        held = self._held.get(key)
        if held is None or held.member != member:
            return True
        if held.is_asked_for and self._is_there(member):
            held.is_asked_for = False
            return False
        del self._held[key]
        return True

    async def orphans(self, limit: int) -> Sequence[StreamKey]:
        await asyncio.sleep(0)
        return [key for key, held in self._held.items() if not self._is_there(held.member)][:limit]

    async def book(self, tenant: Tenant, line: str, *, each: float, count: int, after: float = 0.0) -> float:
        await asyncio.sleep(0)
        now = self.now()
        first = max(self._booked.get((tenant, line), now), now + after)
        self._booked[tenant, line] = first + each * count
        return first - now

    async def news(self, after: int, limit: int) -> tuple[Sequence[StreamKey], int]:
        await asyncio.sleep(0)
        if after < 0:
            return [], len(self._news)
        page = self._news[after : after + limit]
        return list(dict.fromkeys(page)), after + len(page)

    async def reserve(self, purses: Sequence[Purse], amount: Decimal, member: str) -> Lacking | None:
        await asyncio.sleep(0)
        self.check(member)
        left = [each.cap - self._spent.get((each.tenant, each.name), Decimal()) for each in purses]
        for place, purse in enumerate(purses):
            if left[place] - self._reserved_in(purse) < amount:
                return Lacking(place, all(each >= amount for each in left))
        for each in purses:
            at = (each.tenant, each.name, member)
            self._reserved[at] = self._reserved.get(at, Decimal()) + amount
        return None

    async def pay(self, purses: Sequence[Purse], reserved: Decimal, cost: Decimal, member: str) -> None:
        await asyncio.sleep(0)
        for each in purses:
            at = (each.tenant, each.name, member)
            self._reserved[at] = max(Decimal(), self._reserved.get(at, Decimal()) - reserved)
            self._spent[each.tenant, each.name] = self._spent.get((each.tenant, each.name), Decimal()) + cost

    async def fill_in(self, tenant: Tenant, name: str, spent: Decimal) -> None:
        await asyncio.sleep(0)
        self._spent.setdefault((tenant, name), spent)

    async def forget_over(self, day: str) -> None:
        await asyncio.sleep(0)
        over = self.now() - FORGOTTEN_AFTER
        self._booked = {at: until for at, until in self._booked.items() if until >= over}
        self._spent = {at: spent for at, spent in self._spent.items() if not _is_over(at[1], day)}
        self._reserved = {at: amount for at, amount in self._reserved.items() if not _is_over(at[1], day)}

    def committed(self, key: StreamKey, events: int) -> None:
        """Note events that were committed."""
        self._news += [key] * events

    def purge(self, tenant: Tenant) -> None:
        """Forget whatever is a tenant's."""
        self._held = {key: held for key, held in self._held.items() if key.tenant != tenant}
        self._booked = {at: until for at, until in self._booked.items() if at[0] != tenant}
        self._spent = {at: spent for at, spent in self._spent.items() if at[0] != tenant}
        self._reserved = {at: amount for at, amount in self._reserved.items() if at[0] != tenant}

    def _reserved_in(self, purse: Purse) -> Decimal:
        return sum(
            (
                amount
                for (tenant, name, member), amount in self._reserved.items()
                if (tenant, name) == (purse.tenant, purse.name) and self._is_there(member)
            ),
            Decimal(),
        )

    def check(self, member: str) -> None:
        """Check that the member's time is not over."""
        if not self._is_there(member):
            raise LeaseLost("This process was away for too long, and others go on in its place; nothing was kept.")

    def _is_there(self, member: str) -> bool:
        return self._until.get(member, self.now()) > self.now()


def _is_over(purse: str, day: str) -> bool:
    _, _, rest = purse.partition("/")
    return "" < rest.partition("/")[0] < day
