"""`Sharing` without a disk, for the processes that tests put into one: the model that others are held against."""

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.errors import LeaseLost
from engine.kernel import Millis, StreamKey, Tenant


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

    def check(self, member: str) -> None:
        """
        Raises:
            LeaseLost: the time of this member is over.
        """
        if not self._is_there(member):
            raise LeaseLost("This process was away for too long, and others go on in its place; nothing was kept.")

    def _is_there(self, member: str) -> bool:
        return self._until.get(member, self.now()) > self.now()
