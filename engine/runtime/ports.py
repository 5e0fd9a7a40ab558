"""What the runtime needs of whoever runs effects and rings alarms, and what those may ask of the runtime.

The implementations for one process are in `outbox.py` and `timers.py`, put together in `in_process.py`; those for
several that share a store in `jobs_outbox.py` and `jobs_timers.py`, put together in `shared.py`.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from engine.kernel import Command, Effect, Millis, StreamKey, Tenant
from engine.store.port import Alarm, PendingEffect, StalledStream


class EffectRun(msgspec.Struct, frozen=True, gc=False):
    """An effect about to run, with the state of its stream. Its outcome must carry ``command_id``."""

    key: StreamKey
    protocol: str
    effect: Effect
    command_id: str
    state: Any


EffectRunner = Callable[[EffectRun], Awaitable[Command]]

IsAbsent = Callable[[Tenant], bool]
"""Whether a tenant is gone, perhaps only for a while: what it owes is not run, and nothing rings for it."""


BeforeRing = Callable[[StreamKey, str, Any, str], Awaitable[Sequence[Command]]]
"""Looks up what has to be known before an alarm rings, given the stream, its protocol, its state and the alarm's name:
returns what the stream is told first. Raises `NotYet`."""


class NotYet(Exception):
    """Nobody of the tenant can be reached just now, so nothing is over there yet."""


async def nothing_first(key: StreamKey, protocol: str, state: Any, alarm: str) -> Sequence[Command]:
    return ()


SHUT_OUT: Final[Millis] = 15_000
"""For so long an alarm is not looked at again where nobody can be reached just now; it rings as if in time where that
was a moment.
"""

AWAY: Final[Millis] = 10 * 60_000
"""For so long an alarm of an absent tenant is not looked at again, unless somebody has come back."""


def nobody_is_absent(tenant: Tenant) -> bool:
    return False


class EffectHost(Protocol):
    """What an outbox asks of the runtime."""

    async def find(self, pending: PendingEffect) -> tuple[str, Any] | None:
        """The protocol and state of the stream whose outbox holds the effect; None when it does not any more."""

    async def owed(self, key: StreamKey) -> Mapping[str, PendingEffect]:
        """The outbox of a stream, by the effects' ids."""

    def deliver(self, pending: PendingEffect, outcome: Command) -> None:
        """Hand an outcome to its stream. It is committed later, and then `Outbox.forget` is called, or it is parked."""

    @property
    def own_runners(self) -> Mapping[str, EffectRunner]:
        """What the runtime itself runs, by the effect's kind."""


class AlarmHost(Protocol):
    """What timers ask of the runtime."""

    async def ring(self, alarm: Alarm) -> Millis:
        """Hand an alarm whose time has come to its stream; on return that is committed.

        Returns:
            0, or the time until which it is held, because machines have waited for their turn.

        Raises:
            StoreError
        """

    async def recover(self, found: StalledStream) -> None:
        """Hand a `Recover` to a stream; on return that is committed."""


class Outbox(Protocol):
    """Runs the effects that are committed."""

    async def start(self, host: EffectHost) -> None:
        """Run whatever was pending when the process ended."""

    async def close(self) -> None:
        """What is running stays in the outbox; what has an outcome is committed yet."""

    async def closed(self) -> None:
        """Give back what is not done, after `close` and once nothing more is committed."""

    def run(self, pending: PendingEffect, effect: Effect | None = None) -> None:
        """Run an effect that is committed, unless it is running.

        Args:
            effect: the effect itself, where it is known; else it is read from the row.
        """

    async def running(self, key: StreamKey, among: Collection[str]) -> Collection[str]:
        """Return those of a stream's effects that run anywhere, or have run and whose outcome is not committed yet."""

    def is_expected(self, key: StreamKey, effect_id: str) -> bool:
        """Whether it runs here, and its outcome may come at any moment: it does not wait for another attempt."""

    def forget(self, key: StreamKey, effect_id: str) -> None:
        """It is not in the stream's outbox any more: if it still runs, nobody wants to know."""

    async def park(self, pending: PendingEffect) -> None:
        """No rule answers its outcome: it stays where a person can see it."""

    def let_go(self) -> None:
        """Stop what runs for tenants that are absent now. It stays in the outbox, with the attempts that it had."""

    async def take_up(self) -> None:
        """Run whatever is pending and does not run, such as that of tenants that have come back."""


class Timers(Protocol):
    """Rings the alarms that are committed."""

    async def start(self, host: AlarmHost) -> None:
        """Ring whatever is overdue, move what is stalled."""

    def close(self) -> None:
        """Nothing rings any more."""

    async def closed(self) -> None:
        """Return once nothing of it is under way, after `close`."""

    def set(self, alarm: Alarm) -> None: ...

    def clear(self, key: StreamKey, name: str) -> None: ...

    async def sweep(self) -> None:
        """Ring whatever is overdue now, and move what is stalled."""

    def release(self) -> None:
        """Ask again, with the next sweep, whether alarms that are held are to ring."""
