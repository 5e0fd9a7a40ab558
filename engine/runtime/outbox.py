"""Pays what is owed: one task per effect, a bounded number of attempts, and the outcome comes back as a command."""

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
    """An effect about to be paid, with the state of its stream. Its outcome must carry ``command_id``."""

    key: StreamKey
    protocol: str
    effect: Effect
    command_id: str
    state: Any


EffectRunner = Callable[[EffectRun], Awaitable[Command]]


class Outbox:
    """
    Args:
        payers: who pays an effect, by its kind.
        effects: every kind of effect there is.
        owing: the protocol and state of the stream that owes this, or None when it does not any more.
        paid: hands an outcome to its stream; returns when that is committed.

    Raises:
        Misconfigured: nobody pays one of the effects.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        activity: Activity,
        payers: Mapping[str, EffectRunner],
        effects: Sequence[type[Effect]],
        owing: Callable[[PendingEffect], Awaitable[tuple[str, Any] | None]],
        paid: Callable[[PendingEffect, str, Command], Awaitable[None]],
    ) -> None:
        unpaid = sorted({each.kind for each in effects} - payers.keys())
        if unpaid:
            raise Misconfigured([f"nobody pays the effect {kind!r}; pass its payer to the runtime" for kind in unpaid])
        self._store = store
        self._clock = clock
        self._activity = activity
        self._payers = dict(payers)
        self._effects = {each.kind: each for each in effects}
        self._owing = owing
        self._paid = paid
        self._tasks: dict[tuple[StreamKey, str], asyncio.Task[None]] = {}
        self._closing = False

    async def start(self) -> None:
        """Take up whatever was owed when the process ended."""
        cursor = 0
        while True:
            page, cursor = await self._store.owed(cursor, PAGE)
            for owed in page:
                never = self._effects[owed.kind].on_restart is OnRestart.NEVER
                self.pay(replace(owed, attempts=ATTEMPTS) if never else owed)
            if len(page) < PAGE:
                return

    async def close(self) -> None:
        """What is being paid stays owed."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def pay(self, owed: PendingEffect) -> None:
        identity = (owed.key, owed.effect_id)
        if self._closing or identity in self._tasks:
            return
        task = self._activity.spawn(self._pay(owed))
        self._tasks[identity] = task
        task.add_done_callback(lambda _: self._tasks.pop(identity, None))

    def is_paying(self, key: StreamKey, effect_id: str) -> bool:
        return (key, effect_id) in self._tasks

    def cancel(self, key: StreamKey, effect_id: str) -> None:
        """It was voided: its row is gone already."""
        task = self._tasks.get((key, effect_id))
        if task is not None:
            task.cancel()

    async def _pay(self, owed: PendingEffect) -> None:
        with about(owed.key):
            await self._tried(owed)

    async def _tried(self, owed: PendingEffect) -> None:
        effect = self._effects[owed.kind].model_validate_json(owed.body)
        command_id = f"effect:{owed.effect_id}"
        why = "the process died while it was under way"
        while owed.attempts < ATTEMPTS:
            if owed.not_before > self._clock.now():
                with self._activity.waiting():
                    await self._clock.until(owed.not_before)
            owing = await self._patiently(owed)
            if owing is None:
                return
            try:
                outcome = await self._payers[owed.kind](EffectRun(owed.key, owing[0], effect, command_id, owing[1]))
            except Exception as error:  # noqa: BLE001 - whatever a payer dies of is tried again, then reported
                log.warning("%s of %s failed: %r", effect.name, owed.key.stream, error)
                why = type(error).__name__
                owed = await self._failed_attempt(owed)
            else:
                await self._settle(owed, outcome)
                return
        await self._settle(owed, EffectFailed(command_id=command_id, at=self._clock.now(), name=effect.name, why=why))

    async def _failed_attempt(self, owed: PendingEffect) -> PendingEffect:
        pause = min(LONGEST_BACKOFF, FIRST_BACKOFF * 2**owed.attempts)
        owed = replace(owed, attempts=owed.attempts + 1, not_before=self._clock.now() + pause)
        with contextlib.suppress(StoreError):  # then the count is lost with the process, the effect is not
            await self._store.reschedule(owed)
        return owed

    async def _settle(self, owed: PendingEffect, outcome: Command) -> None:
        try:
            await self._deliver(owed, outcome)
        except Exception:
            # No rule answers, or a rule is broken: visible, and it blocks nobody.
            log.exception("%s of %s is parked", owed.effect_id, owed.key.stream)
            with contextlib.suppress(StoreError):
                await self._store.reschedule(replace(owed, parked=True))

    async def _deliver(self, owed: PendingEffect, outcome: Command) -> None:
        """A paid answer is never thrown away: while the store refuses, it is held."""
        while (owing := await self._patiently(owed)) is not None:
            try:
                await self._paid(owed, owing[0], outcome)
            except Unanswered:
                raise
            except Refusal as refusal:
                log.info("the outcome of %s was refused: %s", owed.effect_id, refusal)
            except StoreError:
                if not self._closing:
                    await self._breathe()
                    continue
            return

    async def _patiently(self, owed: PendingEffect) -> tuple[str, Any] | None:
        while True:
            try:
                return await self._owing(owed)
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", owed.effect_id, owed.key.stream, error)
                await self._breathe()

    async def _breathe(self) -> None:
        with self._activity.waiting():
            await self._clock.until(self._clock.now() + FIRST_BACKOFF)
