"""Runs pending effects in this process: one task per effect, a bounded number of attempts."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Final

from engine.errors import Misconfigured, StoreError
from engine.kernel import Effect, EffectFailed, FindRecords, Millis, OnRestart, SendCommand, StreamKey
from engine.runtime.activity import Activity, Turns
from engine.runtime.clock import Clock
from engine.runtime.log_context import work_on
from engine.runtime.ports import EffectHost, EffectRun, EffectRunner, IsAbsent, nobody_is_absent
from engine.runtime.streams import effect_in
from engine.store.port import PendingEffect, Store

log = logging.getLogger(__name__)

ATTEMPTS: Final = 5
FIRST_BACKOFF: Final[Millis] = 1_000
LONGEST_BACKOFF: Final[Millis] = 60_000
PAGE: Final = 500


AroundEffect = Callable[[PendingEffect, Awaitable[bool]], Awaitable[bool]]
"""Runs all attempts of an effect."""


class InProcessOutbox:
    """Args:
    around: runs each effect's attempts, where somebody wants to know of them.
    runners: what runs an effect, by its kind; the runtime itself runs `SendCommand` and `FindRecords`.
    effects: every kind of effect there is.
    is_absent: whose effects wait.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        activity: Activity,
        runners: Mapping[str, EffectRunner],
        effects: Sequence[type[Effect]],
        around: AroundEffect | None = None,
        is_absent: IsAbsent = nobody_is_absent,
        turns: Turns | None = None,
    ) -> None:
        without = sorted({each.kind for each in effects} - runners.keys())
        if without:
            raise Misconfigured([f"the effect {kind!r} has no runner; pass one to the runtime" for kind in without])
        self._store = store
        self._clock = clock
        self._activity = activity
        self._around = around
        self._runners = dict(runners)
        self._is_absent = is_absent
        self._turns = turns or Turns()
        known: tuple[type[Effect], ...] = (SendCommand, FindRecords, *effects)
        self._effects = {each.kind: each for each in known}
        self._running: dict[tuple[StreamKey, str], asyncio.Task[None] | None] = {}
        """The task of each effect that runs; None once its outcome is delivered and waits to be committed."""
        self._failed: set[tuple[StreamKey, str]] = set()
        """Those that run and have failed before."""
        self._waiting: dict[tuple[StreamKey, str], asyncio.Future[None]] = {}
        """For those who wait until an effect neither runs nor has an outcome that is not committed."""
        self._host: EffectHost | None = None

    def begin(self, host: EffectHost) -> None:
        """From now on, effects may run."""
        self._host = host
        self._runners = {**host.own_runners, **self._runners}

    async def start(self, host: EffectHost) -> None:
        self.begin(host)
        await self.take_up()

    async def take_up(self) -> None:
        cursor, before = 0, -1
        while cursor != before:
            before = cursor
            page, cursor = await self._store.pending_effects(cursor, PAGE)
            for pending in page:
                self.run_anew(pending)

    async def close(self) -> None:
        self._host = None
        tasks = [task for task in self._running.values() if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def closed(self) -> None:
        pass

    def run(self, pending: PendingEffect, effect: Effect | None = None) -> None:
        identity = (pending.key, pending.effect_id)
        if self._host is None or identity in self._running or self._is_absent(pending.key.tenant):
            return
        self._running[identity] = self._activity.spawn(self._run(self._host, pending, effect))

    def run_anew(self, pending: PendingEffect) -> None:
        """Run an effect that somebody may have begun before, unless that must not be."""
        self.run(pending._replace(attempts=ATTEMPTS) if self.is_never_repeated(pending) else pending)

    def is_never_repeated(self, pending: PendingEffect) -> bool:
        return self._effects[pending.kind].on_restart is OnRestart.NEVER

    async def running(self, key: StreamKey, among: Collection[str]) -> Collection[str]:
        return [each for each in among if (key, each) in self._running]

    def is_undelivered(self, key: StreamKey, effect_id: str) -> bool:
        """Whether it runs, and has no outcome yet."""
        return self._running.get((key, effect_id)) is not None

    async def settled(self, key: StreamKey, effect_id: str) -> None:
        """Return once it neither runs nor has an outcome that is not committed."""
        identity = (key, effect_id)
        if identity in self._running:
            if identity not in self._waiting:
                self._waiting[identity] = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._waiting[identity])

    def let_go(self) -> None:
        for (key, effect_id), task in [*self._running.items()]:
            if task is not None and self._is_absent(key.tenant):
                self.forget(key, effect_id)

    def is_expected(self, key: StreamKey, effect_id: str) -> bool:
        return (key, effect_id) in self._running and (key, effect_id) not in self._failed

    def forget(self, key: StreamKey, effect_id: str) -> None:
        self._failed.discard((key, effect_id))
        task = self._drop((key, effect_id))
        if task is not None:
            task.cancel()

    def _drop(self, identity: tuple[StreamKey, str]) -> asyncio.Task[None] | None:
        waiting = self._waiting.pop(identity, None)
        if waiting is not None:
            waiting.set_result(None)
        return self._running.pop(identity, None)

    async def park(self, pending: PendingEffect) -> None:
        self.forget(pending.key, pending.effect_id)
        with contextlib.suppress(StoreError):
            await self._store.reschedule(pending._replace(parked=True))

    async def _run(self, host: EffectHost, pending: PendingEffect, effect: Effect | None) -> None:
        work_on(pending.key)
        is_delivered = False
        try:
            await self._turns.take()
            attempts = self._attempt(host, pending, effect)
            is_delivered = await (attempts if self._around is None else self._around(pending, attempts))
        finally:
            identity = (pending.key, pending.effect_id)
            if self._running.get(identity) is asyncio.current_task():  # else it was forgotten, and perhaps runs anew
                if is_delivered:
                    self._running[identity] = None
                else:
                    self._drop(identity)

    async def _attempt(self, host: EffectHost, pending: PendingEffect, effect: Effect | None) -> bool:
        """Whether an outcome was delivered; none is when nobody wants to know any more."""
        if effect is None:
            effect = effect_in(pending, self._effects[pending.kind])
        command_id = f"effect:{pending.effect_id}"
        why = "the process died while it was under way"
        while pending.attempts < ATTEMPTS:
            if pending.not_before and (pause := self._pause_before(pending)):
                await self._wait(pause)
            try:
                found = await host.find(pending)
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", pending.effect_id, pending.key.stream, error)
                await self._wait(FIRST_BACKOFF)
                continue
            if found is None:
                return False
            try:
                protocol, state = found
                outcome = await self._runners[pending.kind](EffectRun(pending.key, protocol, effect, command_id, state))
            except Exception as error:  # noqa: BLE001 - whatever a runner dies of is tried again, then reported
                log.warning("%s of %s failed: %r", effect.name, pending.key.stream, error)
                why = type(error).__name__
                pending = await self._failed_attempt(pending)
            else:
                host.deliver(pending, outcome)
                return True
        failure = EffectFailed(command_id=command_id, at=self._clock.now(), name=effect.name, why=why)
        host.deliver(pending, failure)
        return True

    async def _failed_attempt(self, pending: PendingEffect) -> PendingEffect:
        self._failed.add((pending.key, pending.effect_id))
        pause = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2**pending.attempts)
        pending = pending._replace(attempts=pending.attempts + 1, not_before=self._clock.now() + pause)
        with contextlib.suppress(StoreError):  # then the count is lost with the process, the effect is not
            await self._store.reschedule(pending)
        return pending

    def _pause_before(self, pending: PendingEffect) -> Millis:
        """How long the next attempt waits: never longer than a pause is, though the wall clock may have been set."""
        return min(LONGEST_BACKOFF, max(0, pending.not_before - self._clock.now()))

    async def _wait(self, pause: Millis) -> None:
        with self._activity.waiting():
            await self._clock.until(self._clock.after(pause))
