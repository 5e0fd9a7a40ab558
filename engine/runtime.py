"""The only shell: load -> decide -> commit events and effects in one transaction -> pay the effects.

Commands of one stream are handled one at a time, in order; streams never wait for each other. Every outcome of an
effect comes back as a command that carries the effect's id, so an effect that was paid twice is recorded once. Kill
the process anywhere: at the next start what is still owed is paid, and nothing else.
"""

import asyncio
import contextlib
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.activity import Activity
from engine.alarms import Alarms
from engine.clock import Clock
from engine.debts import Debts, Payer
from engine.envelope import opened, sealed
from engine.errors import (
    REFUSALS,
    IllegalStep,
    Misconfigured,
    Refusal,
    StoreError,
    Unanswered,
    UnknownChannel,
    WrongVersion,
)
from engine.kernel import Command, Decision, Effect, Event, Millis, Ring, Rulebook, StreamKey
from engine.store.port import Alarm, Commit, Owed, Store

log = logging.getLogger(__name__)

CACHE: Final = 1_024
"""Streams kept in memory; an idle one costs nothing beyond."""

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


@dataclass(slots=True)
class _Loaded:
    """A stream as it is on disk."""

    protocol: str
    state: Any
    version: int = 0
    commands: dict[str, str | None] = field(default_factory=dict)
    owed: dict[str, Owed] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)

    def copy(self) -> "_Loaded":
        return _Loaded(self.protocol, self.state, self.version, dict(self.commands), dict(self.owed), dict(self.alarms))


@dataclass(slots=True)
class _Item:
    protocol: str
    command: Command
    reply: asyncio.Future[Receipt]
    settles: str | None = None
    """The id of the effect whose outcome this is."""
    alarm: Alarm | None = None

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

    item: _Item
    commit: Commit
    events: tuple[Event, ...]
    owe: tuple[Owed, ...]
    refusal: Refusal | None


class Runtime:
    """
    Args:
        rulebooks: the protocols, by name.
        payers: who pays an effect, by its kind.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rulebooks: Sequence[Rulebook[Any]],
        payers: Mapping[str, Payer],
        effects: Sequence[type[Effect]],
    ) -> None:
        self._store = store
        self._clock = clock
        unpaid = sorted({each.kind for each in effects} - payers.keys())
        if unpaid:
            raise Misconfigured([f"nobody pays the effect {kind!r}; pass its payer to the runtime" for kind in unpaid])
        self._rulebooks = {each.protocol: each for each in rulebooks}
        self._cache: OrderedDict[StreamKey, _Loaded] = OrderedDict()
        self._mailboxes: dict[StreamKey, deque[_Item]] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._recoveries: set[asyncio.Task[None]] = set()
        self._watchers: list[Callable[[StreamKey], None]] = []
        self._closing = False
        self.activity = Activity()
        self._alarms = Alarms(store, clock, self._rung)
        self._debts = Debts(store, clock, self.activity, payers, effects, self._owing, self._paid)

    def watch(self, watcher: Callable[[StreamKey], None]) -> None:
        """Call ``watcher`` after every commit that changed a stream."""
        self._watchers.append(watcher)

    async def start(self) -> None:
        """Pay what is still owed and ring what is overdue."""
        await self._debts.start()
        await self._alarms.start()

    async def close(self) -> None:
        """Nothing new begins; what is being written is finished; what is being paid stays owed."""
        self._closing = True
        self._alarms.close()
        await self._debts.close()
        for recovery in self._recoveries:
            recovery.cancel()
        await asyncio.gather(*self._recoveries, return_exceptions=True)
        while self._workers:
            await asyncio.gather(*self._workers, return_exceptions=True)

    async def sweep(self) -> None:
        """Ring whatever is overdue now; after a clock has jumped, nobody else would wake."""
        with self.activity.busy():
            await self._alarms.sweep()

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
        loaded = await self._load(key)
        if loaded is None:
            raise UnknownChannel(f"There is nothing called {key.stream} here.")
        return loaded.state, loaded.version

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
                self._cache.pop(key, None)
                failure: StoreError = error
            except StoreError as error:
                self._cache.pop(key, None)
                failure = error
                break
            else:
                return
        await self._recheck(key, batch, failure)

    async def _recheck(self, key: StreamKey, batch: Sequence[_Item], failure: StoreError) -> None:
        """After a commit of unknown outcome: who is on disk after all is told so; nobody else is acknowledged."""
        try:
            found = await self._load(key)
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
                item.answer(_repeated(found, item.command.command_id))
            else:
                item.answer(failure)

    async def _take_up(self, key: StreamKey) -> None:
        """Once the store answers again: what a commit of unknown outcome has left to do, if it was kept."""
        while True:
            with self.activity.waiting():
                await self._clock.until(self._clock.now() + PAUSE)
            with contextlib.suppress(StoreError):
                if (found := await self._load(key)) is not None:
                    self._follow_up(key, found)
                return

    def _follow_up(self, key: StreamKey, found: _Loaded) -> None:
        """Pay, set and show everything the stream has; what is under way already is left alone."""
        for owed in found.owed.values():
            if not owed.parked:
                self._debts.pay(owed)
        for alarm in found.alarms.values():
            self._alarms.set(alarm)
        for watcher in self._watchers:
            watcher(key)

    async def _try_batch(self, key: StreamKey, batch: Sequence[_Item]) -> None:
        found = await self._load(key)
        before = found or _Loaded(batch[0].protocol, self._rulebooks[batch[0].protocol].initial)
        after = before.copy()
        written: list[_Written] = []
        answers: list[tuple[_Item, Receipt | Exception]] = []
        for item in batch:
            outcome = self._outcome(key, after, item)
            if isinstance(outcome, _Written):
                written.append(outcome)
                answers.append((item, outcome.refusal or Receipt(after.version, outcome.events)))
            else:
                answers.append((item, outcome))
        if written:
            await self._store.commit([one.commit for one in written])
            self._remember(key, after)
            self._consequences(key, before, after, written)
        # Nobody is answered before the commit: not even a duplicate, whose original may be in this very batch.
        for item, answer in answers:
            item.answer(answer)

    def _outcome(self, key: StreamKey, loaded: _Loaded, item: _Item) -> "_Written | Receipt | Exception":
        """What becomes of one command, applied to ``loaded``; a `_Written` has to be committed first."""
        command = item.command
        if command.command_id in loaded.commands:
            return _repeated(loaded, command.command_id)
        if item.alarm is not None and not _is_current(item.alarm, loaded):
            return Receipt(loaded.version, duplicate=True)
        refusal: Refusal | None = None
        try:
            decision = self._rulebooks[loaded.protocol].decide(loaded.state, command)
        except Unanswered as error:
            return error
        except Refusal as error:
            if loaded.version == 0:
                return error  # nothing began, so there is nothing to write it to
            decision, refusal = Decision(), error
        except Exception as error:
            # A bug in a rule: this command fails alone, visibly; the others of the batch are handled.
            log.exception("%s of %s could not be decided", type(command).__name__, key.stream)
            return error
        return self._written(key, loaded, item, decision, refusal)

    def _written(
        self, key: StreamKey, loaded: _Loaded, item: _Item, decision: Decision, refusal: Refusal | None
    ) -> _Written:
        rulebook, command = self._rulebooks[loaded.protocol], item.command
        expected = loaded.version
        state = loaded.state
        for event in decision.events:
            state = rulebook.evolve(state, event)
        loaded.state = state
        loaded.version = version = expected + len(decision.events)
        said = f"{type(refusal).__name__}: {refusal.message}" if refusal else None
        loaded.commands[command.command_id] = said
        settle = [item.settles] if item.settles in loaded.owed else []
        settle += [each.effect_id for each in loaded.owed.values() if each.scope in decision.void]
        settled = tuple(dict.fromkeys(each for each in settle if each is not None))
        for effect_id in settled:
            del loaded.owed[effect_id]
        owe = tuple(_owed(key, effect, version) for effect in decision.effects)
        loaded.owed |= {each.effect_id: each for each in owe}
        alarms = tuple(Alarm(key, each.name, version, each.due) for each in decision.alarms)
        cleared = [name for name in decision.clear if name in loaded.alarms]
        if item.alarm is not None:
            cleared.append(item.alarm.name)
        for name in cleared:
            loaded.alarms.pop(name, None)
        loaded.alarms |= {each.name: each for each in alarms}
        commit = Commit(
            key=key,
            protocol=loaded.protocol,
            expected_version=expected,
            command_id=command.command_id,
            refusal=said,
            events=tuple(sealed(event, command.at) for event in decision.events),
            owe=owe,
            settle=settled,
            set_alarms=alarms,
            clear_alarms=tuple(dict.fromkeys(cleared)),
            is_open=rulebook.is_open(state),
        )
        return _Written(item, commit, tuple(decision.events), owe, refusal)

    def _consequences(self, key: StreamKey, before: _Loaded, after: _Loaded, written: Sequence[_Written]) -> None:
        """What follows from a commit: tasks of voided effects stop, new debts are paid, alarms are set, people see."""
        paying = {one.item.settles for one in written}
        for effect_id in before.owed.keys() - after.owed.keys() - paying:
            self._debts.cancel(key, effect_id)
        for name in before.alarms.keys() - after.alarms.keys():
            self._alarms.clear(key, name)
        for name, alarm in after.alarms.items():
            if before.alarms.get(name) != alarm:
                self._alarms.set(alarm)
        for one in written:
            for owed in one.owe:
                if owed.effect_id in after.owed:
                    self._debts.pay(owed)
        if after.version > before.version:
            for watcher in self._watchers:
                watcher(key)

    # ── streams in memory ─────────────────────────────────────────────────────────────────────────────────────────

    async def _load(self, key: StreamKey) -> _Loaded | None:
        loaded = self._cache.get(key)
        if loaded is not None:
            self._cache.move_to_end(key)
            return loaded
        stored = await self._store.load(key)
        if stored is None:
            return None
        rulebook = self._rulebooks[stored.protocol]
        state = rulebook.fold([opened(each, rulebook.events) for each in stored.events])
        loaded = _Loaded(
            stored.protocol,
            state,
            stored.version,
            dict(stored.commands),
            {each.effect_id: each for each in stored.owed},
            {each.name: each for each in stored.alarms},
        )
        # Somebody may have loaded, or even changed, it while we read.
        if (newer := self._cache.get(key)) is not None:
            return newer
        self._remember(key, loaded)
        return loaded

    def _remember(self, key: StreamKey, loaded: _Loaded) -> None:
        self._cache[key] = loaded
        self._cache.move_to_end(key)
        while len(self._cache) > CACHE:
            self._cache.popitem(last=False)

    # ── what comes back from the world ───────────────────────────────────────────────────────────────────────────────

    async def _owing(self, owed: Owed) -> tuple[str, Any] | None:
        """The protocol and state of the stream that owes this; None when it does not any more."""
        loaded = await self._load(owed.key)
        if loaded is None or owed.effect_id not in loaded.owed:
            return None
        return loaded.protocol, loaded.state

    async def _paid(self, owed: Owed, protocol: str, outcome: Command) -> None:
        reply: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        await self._submit(owed.key, _Item(protocol, outcome, reply, settles=owed.effect_id))

    async def _rung(self, alarm: Alarm) -> None:
        with self.activity.busy():
            await self._hand_over(alarm)

    async def _hand_over(self, alarm: Alarm) -> None:
        loaded = await self._load(alarm.key)
        if loaded is None:
            return
        ring = Ring(command_id=f"alarm:{alarm.name}:{alarm.generation}", at=self._clock.now(), name=alarm.name)
        item = _Item(loaded.protocol, ring, asyncio.get_running_loop().create_future(), alarm=alarm)
        try:
            await self._submit(alarm.key, item)
        except Refusal as refusal:
            log.error("alarm %s of %s was refused: %s", alarm.name, alarm.key.stream, refusal)


def _is_current(alarm: Alarm, loaded: _Loaded) -> bool:
    known = loaded.alarms.get(alarm.name)
    return known is not None and known.generation == alarm.generation


def _owed(key: StreamKey, effect: Effect, version: int) -> Owed:
    return Owed(key, f"{effect.name}@{version}", effect.kind, effect.scope, effect.model_dump_json())


def _repeated(loaded: _Loaded, command_id: str) -> Receipt | Refusal:
    """The same command again gets the same answer."""
    said = loaded.commands[command_id]
    if said is None:
        return Receipt(loaded.version, duplicate=True)
    name, _, message = said.partition(": ")
    return REFUSALS.get(name, IllegalStep)(message)
