"""Runs pending effects: one task per effect, a bounded number of attempts, and the outcome comes back as a command."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.errors import Misconfigured, Refusal, StoreError, Unanswered
from engine.kernel import Command, Effect, EffectFailed, Millis, OnRestart, StreamKey
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock
from engine.runtime.log_context import about
from engine.store.port import PendingEffect, Store

log = logging.getLogger(__name__)

ATTEMPTS: Final = 5
FIRST_BACKOFF: Final[Millis] = 1_000
LONGEST_BACKOFF: Final[Millis] = 60_000
PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class EffectRun:
    """An effect about to run, with the state of its stream. Its outcome must carry ``command_id``."""

    key: StreamKey
    protocol: str
    effect: Effect
    command_id: str
    state: Any


EffectRunner = Callable[[EffectRun], Awaitable[Command]]


class Outbox:
    """
    Args:
        runners: what runs an effect, by its kind.
        effects: every kind of effect there is.
        find: the protocol and state of the stream whose outbox holds this effect, or None when it does not any more.
        deliver: hands an outcome to its stream; returns when that is committed.

    Raises:
        Misconfigured: one of the effects has no runner.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        activity: Activity,
        runners: Mapping[str, EffectRunner],
        effects: Sequence[type[Effect]],
        find: Callable[[PendingEffect], Awaitable[tuple[str, Any] | None]],
        deliver: Callable[[PendingEffect, str, Command], Awaitable[None]],
    ) -> None:
        without = sorted({each.kind for each in effects} - runners.keys())
        if without:
            raise Misconfigured([f"the effect {kind!r} has no runner; pass one to the runtime" for kind in without])
        self._store = store
        self._clock = clock
        self._activity = activity
        self._runners = dict(runners)
        self._effects = {each.kind: each for each in effects}
        self._find = find
        self._deliver = deliver
        self._tasks: dict[tuple[StreamKey, str], asyncio.Task[None]] = {}
        self._closing = False

    async def start(self) -> None:
        """Run whatever was pending when the process ended."""
        cursor = 0
        while True:
            page, cursor = await self._store.pending_effects(cursor, PAGE)
            for pending in page:
                never = self._effects[pending.kind].on_restart is OnRestart.NEVER
                self.run(replace(pending, attempts=ATTEMPTS) if never else pending)
            if len(page) < PAGE:
                return

    async def close(self) -> None:
        """What is running stays in the outbox."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def run(self, pending: PendingEffect) -> None:
        identity = (pending.key, pending.effect_id)
        if self._closing or identity in self._tasks:
            return
        task = self._activity.spawn(self._run(pending))
        self._tasks[identity] = task
        task.add_done_callback(lambda _: self._tasks.pop(identity, None))

    def is_running(self, key: StreamKey, effect_id: str) -> bool:
        return (key, effect_id) in self._tasks

    def cancel(self, key: StreamKey, effect_id: str) -> None:
        """It was voided: its row is gone already."""
        task = self._tasks.get((key, effect_id))
        if task is not None:
            task.cancel()

    async def _run(self, pending: PendingEffect) -> None:
        with about(pending.key):
            await self._attempt(pending)

    async def _attempt(self, pending: PendingEffect) -> None:
        effect = self._effects[pending.kind].model_validate_json(pending.body)
        command_id = f"effect:{pending.effect_id}"
        why = "the process died while it was under way"
        while pending.attempts < ATTEMPTS:
            if pending.not_before > self._clock.now():
                with self._activity.waiting():
                    await self._clock.until(pending.not_before)
            found = await self._found(pending)
            if found is None:
                return
            try:
                outcome = await self._runners[pending.kind](
                    EffectRun(pending.key, found[0], effect, command_id, found[1])
                )
            except Exception as error:  # noqa: BLE001 - whatever a runner dies of is tried again, then reported
                log.warning("%s of %s failed: %r", effect.name, pending.key.stream, error)
                why = type(error).__name__
                pending = await self._failed_attempt(pending)
            else:
                await self._settle(pending, outcome)
                return
        await self._settle(
            pending, EffectFailed(command_id=command_id, at=self._clock.now(), name=effect.name, why=why)
        )

    async def _failed_attempt(self, pending: PendingEffect) -> PendingEffect:
        pause = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2**pending.attempts)
        pending = replace(pending, attempts=pending.attempts + 1, not_before=self._clock.now() + pause)
        with contextlib.suppress(StoreError):  # then the count is lost with the process, the effect is not
            await self._store.reschedule(pending)
        return pending

    async def _settle(self, pending: PendingEffect, outcome: Command) -> None:
        try:
            await self._hand_over(pending, outcome)
        except Exception:
            # No rule answers, or a rule is broken: visible, and it blocks nobody.
            log.exception("%s of %s is parked", pending.effect_id, pending.key.stream)
            with contextlib.suppress(StoreError):
                await self._store.reschedule(replace(pending, parked=True))

    async def _hand_over(self, pending: PendingEffect, outcome: Command) -> None:
        """An outcome is never thrown away: while the store refuses, it is held."""
        while (found := await self._found(pending)) is not None:
            try:
                await self._deliver(pending, found[0], outcome)
            except Unanswered:
                raise
            except Refusal as refusal:
                log.info("the outcome of %s was refused: %s", pending.effect_id, refusal)
            except StoreError:
                if not self._closing:
                    await self._pause()
                    continue
            return

    async def _found(self, pending: PendingEffect) -> tuple[str, Any] | None:
        while True:
            try:
                return await self._find(pending)
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", pending.effect_id, pending.key.stream, error)
                await self._pause()

    async def _pause(self) -> None:
        with self._activity.waiting():
            await self._clock.until(self._clock.now() + FIRST_BACKOFF)
