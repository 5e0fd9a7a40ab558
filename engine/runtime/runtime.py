"""The only shell: load -> decide -> commit events and effects in one transaction -> run the effects.

Commands of one stream are handled one at a time, in order; streams never wait for each other. Every outcome of an
effect comes back as a command that carries the effect's id, so an effect that ran twice is recorded once. Kill
the process anywhere: at the next start what is still pending is run, and nothing else.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.errors import (
    Refusal,
    StoreError,
    Unanswered,
    UnknownChannel,
    WrongVersion,
)
from engine.kernel import (
    AlarmRang,
    Command,
    CommandDelivered,
    Decision,
    Effect,
    Event,
    Millis,
    Recover,
    Rulebook,
    SendCommand,
    StreamKey,
)
from engine.runtime.activity import Activity
from engine.runtime.clock import Clock
from engine.runtime.log_context import about
from engine.runtime.outbox import EffectRun, EffectRunner, Outbox
from engine.runtime.stalled_streams import StalledStreams
from engine.runtime.streams import Loaded, Streams
from engine.runtime.timers import Timers
from engine.store.port import Alarm, Commit, PendingEffect, StalledStream, Store

log = logging.getLogger(__name__)

Listener = Callable[[StreamKey, Sequence[Event]], None]

PAUSE: Final[Millis] = 1_000
"""Between two attempts to read what a commit of unknown outcome has left."""

TRIES: Final = 3
"""Of a batch, when somebody else keeps writing the stream."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The command is on disk. ``duplicate``: it was before, and nothing happened now."""

    version: int
    events: tuple[Event, ...] = ()
    duplicate: bool = False


class Committed(NamedTuple):
    """What is committed of one stream."""

    protocol: str
    state: Any
    version: int


@dataclass(slots=True)
class _Item:
    protocol: str
    command: Command
    reply: asyncio.Future[Receipt]
    outcome_of: str | None = None
    """The id of the effect whose outcome this is."""
    alarm: Alarm | None = None
    stalled: StalledStream | None = None

    def answer(self, answer: Receipt | Exception) -> None:
        if self.reply.done():
            return
        if isinstance(answer, Receipt):
            self.reply.set_result(answer)
        else:
            self.reply.set_exception(answer)
            self.reply.exception()  # marked as seen: the caller may have gone


@dataclass(slots=True)
class _Written:
    """One command's part of a batch."""

    commit: Commit
    receipt: Receipt
    refusal: Refusal | None


class Runtime:
    """
    Args:
        rulebooks: the protocols, by name.
        runners: what runs an effect, by its kind; a `SendCommand` is run here.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rulebooks: Sequence[Rulebook[Any]],
        runners: Mapping[str, EffectRunner],
        effects: Sequence[type[Effect]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._rulebooks = {each.protocol: each for each in rulebooks}
        self._streams = Streams(store, self._rulebooks)
        self._mailboxes: dict[StreamKey, deque[_Item]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._recoveries: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[StreamKey], None]] = []
        self._listeners: list[Listener] = []
        self._closing = False
        self.activity = Activity()
        self._timers = Timers(store, clock, self._rung, StalledStreams(store, clock, self._found_stalled).sweep)
        runners = {SendCommand.kind: self._send_command, **runners}
        self._outbox = Outbox(store, clock, self.activity, runners, (SendCommand, *effects), self._find, self._deliver)

    def watch(self, watcher: Callable[[StreamKey], None]) -> None:
        """Call ``watcher`` after every commit that changed a stream."""
        self._watchers.append(watcher)

    def listen(self, listener: Listener) -> None:
        """Tell ``listener`` what has happened, at most once: of a commit of unknown outcome it hears nothing."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Run what is still pending, ring what is overdue, move what is stalled."""
        await self._outbox.start()
        await self._timers.start()

    async def close(self) -> None:
        """Nothing new begins; what is being written is finished; what is running stays pending."""
        self._closing = True
        self._timers.close()
        await self._outbox.close()
        for recovery in self._recoveries:
            recovery.cancel()
        await asyncio.gather(*self._recoveries, return_exceptions=True)
        while self._workers:
            await asyncio.gather(*self._workers, return_exceptions=True)

    async def sweep(self) -> None:
        """Ring whatever is overdue now, and move what is stalled; after a clock has jumped, nobody else would wake."""
        with self.activity.busy():
            await self._timers.sweep()

    async def handle(self, key: StreamKey, protocol: str, command: Command) -> Receipt:
        """Decide and commit. On return it is on disk.

        Raises:
            Refusal: the command may not be; that it was refused is on disk too.
            StoreError: nothing is known to be kept. The same command may be sent again.
        """
        return await self._submit(key, _Item(protocol, command, asyncio.get_running_loop().create_future()))

    async def read(self, key: StreamKey) -> tuple[Any, int]:
        """A stream's committed state and version.

        Raises:
            UnknownChannel: there is no such stream.
        """
        found = await self.look_up(key)
        return found.state, found.version

    async def look_up(self, key: StreamKey) -> Committed:
        """What is committed of a stream, whatever its protocol.

        Raises:
            UnknownChannel: there is no such stream.
        """
        loaded = await self._streams.load(key)
        if loaded is None:
            raise UnknownChannel(f"There is nothing called {key.stream} here.")
        return Committed(loaded.rulebook.protocol, loaded.state, loaded.version)

    # ── one mailbox per stream ────────────────────────────────────────────────────────────────────────────────────

    async def _submit(self, key: StreamKey, item: _Item) -> Receipt:
        if self._closing:
            raise StoreError("ToWow is shutting down; send it again when it is back.")
        mailbox = self._mailboxes.get(key)
        if mailbox is None:
            self._mailboxes[key] = mailbox = deque([item])
            worker = self.activity.spawn(self._work(key, mailbox))
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)
        else:
            mailbox.append(item)
        # The caller may be cancelled; its command is decided and committed all the same.
        return await asyncio.shield(item.reply)

    async def _work(self, key: StreamKey, mailbox: deque[_Item]) -> None:
        with about(key):
            while mailbox:
                batch = list(mailbox)
                mailbox.clear()
                await self._handle_batch(key, batch)
        del self._mailboxes[key]

    async def _handle_batch(self, key: StreamKey, batch: list[_Item]) -> None:
        for _ in range(TRIES):
            try:
                await self._try_batch(key, batch)
            except WrongVersion as error:
                # Somebody else wrote the stream: what we knew is old, what we decided may be wrong.
                self._streams.forget(key)
                failure: StoreError = error
            except StoreError as error:
                self._streams.forget(key)
                failure = error
                break
            except Exception as error:
                # Something that can never be kept. It fails alone; the others of the batch go on.
                self._streams.forget(key)
                if len(batch) > 1:
                    for item in batch:
                        await self._handle_batch(key, [item])
                else:
                    log.exception("%s of %s could not be kept", type(batch[0].command).__name__, key.stream)
                    batch[0].answer(error)
                return
            else:
                return
        await self._recheck(key, batch, failure)

    async def _recheck(self, key: StreamKey, batch: Sequence[_Item], failure: StoreError) -> None:
        """After a commit of unknown outcome: who is on disk after all is told so; nobody else is acknowledged."""
        try:
            found = await self._streams.load(key)
        except StoreError:
            found = None
            recovery = self.activity.spawn(self._take_up(key))
            self._recoveries.add(recovery)
            recovery.add_done_callback(self._recoveries.discard)
        else:
            if found is not None:
                self._follow_up(key, found)
        for item in batch:
            if found is not None and item.command.command_id in found.commands:
                item.answer(_repeated(found, item.command))
            else:
                item.answer(failure)

    async def _take_up(self, key: StreamKey) -> None:
        """Once the store answers again: what a commit of unknown outcome has left to do, if it was kept."""
        while True:
            with self.activity.waiting():
                await self._clock.until(self._clock.now() + PAUSE)
            with contextlib.suppress(StoreError):
                if (found := await self._streams.load(key)) is not None:
                    self._follow_up(key, found)
                return

    def _follow_up(self, key: StreamKey, found: Loaded) -> None:
        """Run, set and show everything the stream has; what is under way already is left alone."""
        for effect in found.outbox.values():
            if not effect.parked:
                self._outbox.run(effect)
        for alarm in found.alarms.values():
            self._timers.set(alarm)
        for watcher in self._watchers:
            watcher(key)

    async def _try_batch(self, key: StreamKey, batch: Sequence[_Item]) -> None:
        rulebook = self._rulebooks[batch[0].protocol]
        before = await self._streams.load(key) or Loaded(key, rulebook, rulebook.initial)
        after = before.copy()
        outcomes = [(item, self._outcome(after, item)) for item in batch]
        commits = [outcome.commit for _, outcome in outcomes if isinstance(outcome, _Written)]
        if commits:
            await self._store.commit(commits)
            self._streams.keep(after)
            self._consequences(before, after, {item.outcome_of for item in batch})
        # Nobody is answered before the commit: not even a duplicate, whose original may be in this very batch.
        for item, outcome in outcomes:
            item.answer((outcome.refusal or outcome.receipt) if isinstance(outcome, _Written) else outcome)
        self._say(key, outcomes)

    def _outcome(self, loaded: Loaded, item: _Item) -> "_Written | Receipt | Exception":
        """What becomes of one command, applied to ``loaded``; a `_Written` has to be committed first."""
        command = item.command
        if command.command_id in loaded.commands:
            return _repeated(loaded, command)
        if item.alarm is not None and not loaded.is_current(item.alarm):
            return Receipt(loaded.version, duplicate=True)
        if item.stalled is not None and not loaded.is_stalled(item.stalled):
            return Receipt(loaded.version, duplicate=True)  # it has moved since
        if item.outcome_of is not None and item.outcome_of not in loaded.outbox:
            return Receipt(loaded.version, duplicate=True)  # voided while it was running: nobody wants to know
        refusal: Refusal | None = None
        try:
            decision = loaded.rulebook.decide(loaded.state, command)
        except Unanswered as error:
            return error
        except Refusal as error:
            if loaded.version == 0:
                return error  # nothing began, so there is nothing to write it to
            decision, refusal = Decision(), error
        except Exception as error:
            # A bug in a rule: this command fails alone, visibly; the others of the batch are handled.
            log.exception("%s of %s could not be decided", type(command).__name__, loaded.key.stream)
            return error
        commit = loaded.take(command, decision, refusal, outcome_of=item.outcome_of, alarm=item.alarm)
        return _Written(commit, Receipt(loaded.version, tuple(decision.events)), refusal)

    def _say(self, key: StreamKey, outcomes: "Sequence[tuple[_Item, _Written | Receipt | Exception]]") -> None:
        written = (outcome for _, outcome in outcomes if isinstance(outcome, _Written))
        events = [event for each in written for event in each.receipt.events]
        for listener in self._listeners if events else ():
            try:
                listener(key, events)
            except Exception:
                # It is committed and answered: whoever only listens can change nothing of that.
                log.exception("what happened to %s could not be told", key.stream)

    def _consequences(self, before: Loaded, after: Loaded, running: Set[str | None]) -> None:
        """What follows from a commit: tasks of voided effects stop, new effects run, alarms are set, people see."""
        key = after.key
        for effect_id in before.outbox.keys() - after.outbox.keys() - running:
            self._outbox.cancel(key, effect_id)
        for name in before.alarms.keys() - after.alarms.keys():
            self._timers.clear(key, name)
        for name, alarm in after.alarms.items():
            if before.alarms.get(name) != alarm:
                self._timers.set(alarm)
        for effect_id, effect in after.outbox.items():
            if effect_id not in before.outbox:
                self._outbox.run(effect)
        if after.version > before.version:
            for watcher in self._watchers:
                watcher(key)

    # ── what comes back from the world ───────────────────────────────────────────────────────────────────────────────

    async def _find(self, effect: PendingEffect) -> tuple[str, Any] | None:
        """The protocol and state of the stream whose outbox holds the effect; None when it does not any more."""
        loaded = await self._streams.load(effect.key)
        if loaded is None or effect.effect_id not in loaded.outbox:
            return None
        return loaded.rulebook.protocol, loaded.state

    async def _send_command(self, run: EffectRun) -> Command:
        """Hand one stream's command to another. However often it is handed over, it is one command there."""
        effect = run.effect
        assert isinstance(effect, SendCommand)  # noqa: S101 - runners are registered by the effect's kind
        command_id = f"{run.key.stream}:{run.command_id}"
        command = self._rulebooks[run.protocol].compose_command(
            run.state, effect, command_id=command_id, at=self._clock.now()
        )
        refused = ""
        while True:
            try:
                await self.handle(StreamKey(run.key.tenant, effect.to), effect.protocol, command)
            except Refusal as refusal:
                refused = type(refusal).__name__
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", effect.name, run.key.stream, error)
                with self.activity.waiting():
                    await self._clock.until(self._clock.now() + PAUSE)
                continue
            return CommandDelivered(command_id=run.command_id, at=self._clock.now(), name=effect.name, refused=refused)

    async def _deliver(self, effect: PendingEffect, protocol: str, outcome: Command) -> None:
        reply: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        await self._submit(effect.key, _Item(protocol, outcome, reply, outcome_of=effect.effect_id))

    async def _rung(self, alarm: Alarm) -> None:
        with self.activity.busy():
            await self._hand_over(alarm)

    async def _hand_over(self, alarm: Alarm) -> None:
        loaded = await self._streams.load(alarm.key)
        if loaded is None:
            return
        ring = AlarmRang(command_id=f"alarm:{alarm.name}:{alarm.generation}", at=self._clock.now(), name=alarm.name)
        item = _Item(loaded.rulebook.protocol, ring, asyncio.get_running_loop().create_future(), alarm=alarm)
        try:
            await self._submit(alarm.key, item)
        except Refusal as refusal:
            log.error("alarm %s of %s was refused: %s", alarm.name, alarm.key.stream, refusal)

    async def _found_stalled(self, found: StalledStream) -> None:
        with self.activity.busy():
            loaded = await self._streams.load(found.key)
            if loaded is None or not loaded.is_stalled(found):
                return
            running = (each for each in loaded.outbox if self._outbox.is_running(found.key, each))
            recover = Recover(
                command_id=f"recover:{found.version}:{found.since}",
                at=self._clock.now(),
                running=tuple(each.rpartition("@")[0] for each in running),
            )
            reply: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
            await self._submit(found.key, _Item(loaded.rulebook.protocol, recover, reply, stalled=found))


def _repeated(loaded: Loaded, command: Command) -> Receipt | Refusal:
    """The same command again gets the same answer."""
    return loaded.refused_before(command.command_id) or Receipt(loaded.version, duplicate=True)
