"""The only shell: load -> decide -> commit events and effects in one transaction -> run the effects.

Commands of one stream are handled one at a time, in order; streams never wait for each other. Every outcome of an
effect comes back as a command that carries the effect's id, so an effect that ran twice is recorded once. Kill
the process anywhere: at the next start what is still pending is run, and nothing else.
"""

import asyncio
import contextlib
import logging
import random
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from engine.errors import (
    LeaseLost,
    Refusal,
    StoreError,
    StoreUnavailable,
    Unanswered,
    UnknownStream,
    WrongProtocol,
    WrongVersion,
)
from engine.kernel import (
    AlarmRang,
    Command,
    Decision,
    EffectFailed,
    Event,
    Handover,
    Millis,
    Recover,
    Rulebook,
    StreamKey,
)
from engine.runtime.activity import Activity, Turns
from engine.runtime.clock import Clock, HeldUp, held_until, not_at_all, over_at
from engine.runtime.log_context import work_on
from engine.runtime.parts import own_runners
from engine.runtime.ports import (
    AWAY,
    SHUT_OUT,
    BeforeRing,
    EffectRunner,
    IsAbsent,
    NotYet,
    Outbox,
    Timers,
    nobody_is_absent,
    nothing_first,
)
from engine.runtime.streams import Batch, Committed, Loaded, Streams
from engine.runtime.tracing import Span
from engine.store.port import Alarm, PendingEffect, StalledStream, Store

log = logging.getLogger(__name__)

Watcher = Callable[[StreamKey], None]
Listener = Callable[[StreamKey, Sequence[Event]], None]


class Observers:
    """Those who only look: nothing that has been committed depends on them."""

    def __init__(self) -> None:
        self._watchers: list[Watcher] = []
        self._hearers: list[Watcher] = []
        self._listeners: list[Listener] = []

    def watch(self, watcher: Watcher) -> None:
        """Call ``watcher`` after every commit that changed a stream."""
        self._watchers.append(watcher)

    def hear(self, hearer: Watcher) -> None:
        """Call ``hearer`` a moment after events were committed to a stream by any process, where several share a store:
        this one among them.
        """
        self._hearers.append(hearer)

    def listen(self, listener: Listener) -> None:
        """Tell ``listener`` what has happened, at most once: of a commit of unknown outcome it hears nothing."""
        self._listeners.append(listener)

    def notify_change(self, key: StreamKey) -> None:
        for watcher in self._watchers:
            watcher(key)

    def notify_news(self, key: StreamKey) -> None:
        for hearer in self._hearers:
            hearer(key)

    def notify_events(self, key: StreamKey, events: Sequence[Event]) -> None:
        for listener in self._listeners if events else ():
            try:
                listener(key, events)
            except Exception:
                # It is committed and answered: whoever only listens can change nothing of that.
                log.exception("what happened to %s could not be told", key.stream)


FIRST: Final = 0.002
"""Seconds. It is decided anew at once after the first time."""
LONGEST: Final = 0.1
"""Seconds: a person who waits is answered within three of them."""


async def give_way(tried: int) -> None:
    """Wait a time that is nobody else's, so that two do not meet again and again.

    Args:
        tried: how often it has lost before.
    """
    longest = min(LONGEST, FIRST * 2**tried) if tried else 0.0
    await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - no secret


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """The command is on disk. ``duplicate``: it was before, and nothing happened now."""

    version: int
    events: tuple[Event, ...] = ()
    duplicate: bool = False


class Item(msgspec.Struct, eq=False):
    """A command on its way to its stream."""

    command: Command
    protocol: str = ""
    """Of the stream, where somebody says which."""
    begins: bool = True
    """Whether the command may begin the stream."""
    outcome_of: PendingEffect | None = None
    """The effect whose outcome this is: nobody waits for it."""
    alarm: Alarm | None = None
    """The alarm whose ring this is."""
    stalled: StalledStream | None = None
    """What the command is to move."""
    is_urgent: bool = False
    """Whether a person waits for it."""
    reply: asyncio.Future[Receipt] | None = None
    span: Span | None = None
    """Where traces are collected: from its arrival until it is answered."""

    @property
    def outcome_id(self) -> str | None:
        return None if self.outcome_of is None else self.outcome_of.effect_id

    def answer(self, answer: Receipt | Exception) -> None:
        reply = self.reply
        if reply is None or reply.done():
            return
        if isinstance(answer, Receipt):
            reply.set_result(answer)
        else:
            reply.set_exception(answer)
            reply.exception()  # marked as seen: the caller may have gone


class Mailbox:
    def __init__(self, first: Item) -> None:
        self._items = deque([first])
        self._is_urgent = first.is_urgent
        """Whether a person waits for anything that is here."""
        self._expected: dict[str, set[str]] = {}
        """By scope, the ids of the effects whose outcomes are still to come, while somebody waits for them."""
        self._is_due: asyncio.Future[None] | None = None
        self._place: asyncio.Future[None] | None = None
        """In the line of those who take turns."""

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self._is_due is not None and not self._leaves_time(item):
            self.hurry()
        if item.is_urgent:
            self._is_urgent = True
            if self._place is not None:
                resolve(self._place)

    def hurry(self) -> None:
        """What waits is handled now."""
        if self._is_due is not None:
            resolve(self._is_due)

    async def turn(self, turns: Turns) -> None:
        """Return when it is the turn of what waits here: at once as soon as a person waits for any of it."""
        if self._is_urgent:
            return
        self._place = turns.place()
        if self._place is not None:
            await self._place
            self._place = None

    def take(self) -> list[Item]:
        items = list(self._items)
        self._items.clear()
        self._is_due = None
        self._is_urgent = False
        return items

    def due(self, running: Iterable[PendingEffect]) -> asyncio.Future[None] | None:
        """When what waits here is to be handled at the latest, as far as more outcomes may come that go with it.

        Args:
            running: effects of the stream whose outcomes may come at any moment, or are here.

        Returns:
            None: now. Something else than an outcome is here, or the last outcome of a scope, which things depend on.
        """
        self._expected = {}
        for each in running:
            self._expected.setdefault(each.scope, set()).add(each.effect_id)
        if not self._items or not min(self._leaves_time(item) for item in self._items):
            return None
        self._is_due = asyncio.get_running_loop().create_future()
        return self._is_due

    def _leaves_time(self, item: Item) -> bool:
        pending = item.outcome_of
        if pending is None or isinstance(item.command, EffectFailed):
            return False
        expected = self._expected.get(pending.scope, set())
        expected.discard(pending.effect_id)
        return bool(expected)


def resolve(due: asyncio.Future[None]) -> None:
    """What waits for it goes on, if it does not already."""
    if not due.done():
        due.set_result(None)


def known_answer(loaded: Loaded, item: Item) -> Receipt | Refusal | None:
    """Return the answer to a command that was handled before or is stale; None if it is still to be decided."""
    refusal: Refusal | None = None
    if item.outcome_of is not None:
        # Voided while it was running, or delivered before: nobody wants to know.
        is_known = item.outcome_of.effect_id not in loaded.outbox
    elif item.alarm is not None:
        is_known = not loaded.is_current(item.alarm)
    elif item.command.command_id in loaded.commands:
        is_known, refusal = True, loaded.refused_before(item.command.command_id)
    else:
        is_known = item.stalled is not None and not loaded.is_stalled(item.stalled)  # it has moved since
    return (refusal or Receipt(loaded.version, duplicate=True)) if is_known else None


PAUSE: Final[Millis] = 1_000
"""Between two attempts to write what the store refused, or to read what a commit of unknown outcome has left."""

PATIENCE: Final[Millis] = 1_000
"""How long outcomes that nobody waits for may gather."""

TRIES: Final = 3
"""Of a batch, when somebody else writes the stream though this runtime holds the lease."""

TRIES_AMONG_OTHERS: Final = 40
"""Where other runtimes may write the stream. Whenever one loses, another one has got on with all that waited there."""


class Runtime:
    """Made by `engine.runtime.in_process`.

    Args:
        rulebooks: the protocols.
        outbox: what runs effects.
        timers: what rings alarms.
        activity: counts what is under way, here and in the outbox.
        patience: for how long an outcome that nobody waits for may wait for others, to be committed with them.
        held_up: for how long a stream's machines have waited for their turn.
        is_absent: for which tenants nothing rings.
        turns: shared with others who work in the background on this event loop.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        rulebooks: Sequence[Rulebook[Any]],
        outbox: Outbox,
        timers: Timers,
        activity: Activity,
        patience: Millis = PATIENCE,
        held_up: HeldUp = not_at_all,
        is_absent: IsAbsent = nobody_is_absent,
        turns: Turns | None = None,
    ) -> None:
        self._is_absent = is_absent
        self._turns = turns or Turns()
        self._store = store
        self._clock = clock
        self._rulebooks = {each.protocol: each for each in rulebooks}
        self._streams = Streams(store, self._rulebooks)
        self._outbox = outbox
        self._timers = timers
        self._patience = patience
        self._held_up = held_up
        self.activity = activity
        self._mailboxes: dict[StreamKey, Mailbox] = {}
        self._workers: set[asyncio.Task[None]] = set()
        self._retries: set[asyncio.Task[None]] = set()
        self.observers = Observers()
        self.before_ring: BeforeRing = nothing_first
        """Looks up what has to be known before an alarm rings."""
        self.is_shut_out: IsAbsent = nobody_is_absent
        """Where nobody can be reached just now: nothing is over there yet."""
        self._is_shared = store.sharing is not None
        self._epoch: int | None = None
        self._closed: str = "The runtime is not started; start it first."

    async def start(self, *, take_over: bool = False) -> None:
        """Run what is still pending, ring what is overdue, move what is stalled.

        Args:
            take_over: end the lease of another runtime on this store, which decides nothing from then on.

        Raises:
            StoreUnusable: another runtime uses this store.
        """
        if not self._is_shared:
            self._epoch = await self._store.lease(take_over=take_over)
        self._closed = ""
        await self._outbox.start(self)
        await self._timers.start(self)

    async def close(self) -> None:
        """Nothing new begins; what is being written is finished; what is running stays pending."""
        self._closed = self._closed or "ToWow is shutting down; send it again when it is back."
        self._timers.close()
        await self._outbox.close()
        for retry in self._retries:
            retry.cancel()
        await asyncio.gather(*self._retries, return_exceptions=True)
        for mailbox in self._mailboxes.values():
            mailbox.hurry()
        while self._workers:
            await asyncio.gather(*self._workers, return_exceptions=True)
        await self._outbox.closed()
        await self._timers.closed()
        if self._epoch is not None:
            await self._store.release(self._epoch)

    async def sweep(self) -> None:
        """Ring whatever is overdue now, and move what is stalled; after a clock has jumped, nobody else would wake."""
        with self.activity.busy():
            await self._timers.sweep()

    async def absence_changed(self) -> None:
        """Stop what is under way for tenants that are absent now, and go on for those that have come back."""
        self._outbox.let_go()
        self._streams.forget_all(self._is_absent)
        if not self._closed:
            await self._outbox.take_up()
            self._timers.release()

    async def handle(self, key: StreamKey, protocol: str, command: Command, *, begins: bool = True) -> Receipt:
        """Decide and commit. On return it is on disk.

        Args:
            begins: whether the command may begin the stream.

        Raises:
            UnknownStream: there is no such stream, and the command may not begin it.
            WrongProtocol: the stream is of another protocol.
            Refusal: the command may not be; that it was refused is on disk too.
            StoreError: nothing is known to be kept. The same command may be sent again.
        """
        return await self._submit(key, Item(command, protocol, begins=begins, is_urgent=True))

    def forget(self, key: StreamKey) -> None:
        """Know nothing more of a stream that is deleted."""
        self._streams.forget(key)

    async def read(self, key: StreamKey) -> tuple[Any, int]:
        """A stream's committed state and version."""
        found = await self.look_up(key)
        return found.state, found.version

    async def look_up(self, key: StreamKey) -> Committed:
        """What is committed of a stream, whatever its protocol."""
        loaded = await self._streams.load(key)
        if loaded is None:
            raise _unknown(key)
        return Committed(loaded.rulebook.protocol, loaded.state, loaded.version)

    async def hand_over(self, key: StreamKey) -> Handover | None:
        """Return what a stream hands to one that goes on from it; None while it has nothing to hand over."""
        found = await self.look_up(key)
        return self._rulebooks[found.protocol].hand_over(found.state)

    # ── one mailbox per stream ────────────────────────────────────────────────────────────────────────────────────

    async def _submit(self, key: StreamKey, item: Item) -> Receipt:
        if self._closed:
            raise StoreUnavailable(self._closed)
        reply: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()
        item.reply = reply
        self._post(key, item)
        return await reply  # the caller may be cancelled, and with it the reply: its command is committed all the same

    def _post(self, key: StreamKey, item: Item) -> None:
        mailbox = self._mailboxes.get(key)
        if mailbox is not None:
            mailbox.put(item)
            return
        self._mailboxes[key] = mailbox = Mailbox(item)
        worker = self.activity.spawn(self._work(key, mailbox))
        self._workers.add(worker)
        worker.add_done_callback(self._workers.discard)

    async def _work(self, key: StreamKey, mailbox: Mailbox) -> None:
        work_on(key)
        while mailbox:
            await self._let_gather(key, mailbox)
            await mailbox.turn(self._turns)
            await self._handle_batch(key, mailbox.take())
        del self._mailboxes[key]

    async def _let_gather(self, key: StreamKey, mailbox: Mailbox) -> None:
        """Wait a little for more of the same where nobody waits: a round of answers then is one commit, and not ten.

        A process that is killed meanwhile asks again; nobody was told that these answers are kept.
        """
        loaded = self._streams.cached(key)
        if loaded is None or len(mailbox) >= len(loaded.outbox) or not self._patience or self._closed:
            return
        due = mailbox.due(self._expected(key, loaded))
        if due is None:
            return
        late = asyncio.create_task(self._clock.until(self._clock.after(self._patience)))
        late.add_done_callback(lambda _: resolve(due))
        with self.activity.waiting():
            await due
        late.cancel()

    def _expected(self, key: StreamKey, loaded: Loaded) -> list[PendingEffect]:
        return [each for each in loaded.outbox.values() if self._outbox.is_expected(key, each.effect_id)]

    async def _handle_batch(self, key: StreamKey, items: Sequence[Item]) -> None:
        for tried in range(TRIES_AMONG_OTHERS if self._is_shared else TRIES):
            try:
                await self._try_batch(key, items)
            except WrongVersion as error:
                # Somebody else wrote the stream: what we knew is old, what we decided may be wrong.
                self._streams.forget(key)
                failure: StoreError = error
                await give_way(tried)
            except StoreError as error:
                self._streams.forget(key)
                failure = error
                break
            except Exception as error:
                # Something that can never be kept. It fails alone; the others of the batch go on.
                self._streams.forget(key)
                if len(items) > 1:
                    for item in items:
                        await self._handle_batch(key, [item])
                else:
                    log.exception("%s of %s could not be kept", type(items[0].command).__name__, key.stream)
                    await self._answer(items[0], error)
                return
            else:
                return
        if isinstance(failure, LeaseLost):
            await self._give_up(str(failure))
        await self._recheck(key, items, failure)

    async def _give_up(self, why: str) -> None:
        """Another runtime decides from now on."""
        self._closed = why
        self._timers.close()
        await self._outbox.close()

    async def _recheck(self, key: StreamKey, items: Sequence[Item], failure: StoreError) -> None:
        """After a commit of unknown outcome: who is on disk after all is told so; nobody else is acknowledged."""
        try:
            found = await self._streams.load(key)
        except StoreError:
            found = None
            self._retry(self._take_up(key))
        else:
            if found is not None and not self._closed:
                self._follow_up(key, found)
        for item in items:
            if found is not None and (answer := known_answer(found, item)) is not None:
                await self._answer(item, answer)
            else:
                await self._answer(item, failure)

    def _retry(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.activity.spawn(work)
        self._retries.add(task)
        task.add_done_callback(self._retries.discard)

    async def _take_up(self, key: StreamKey) -> None:
        """Once the store answers again: what a commit of unknown outcome has left to do, if it was kept."""
        while True:
            await self._pause()
            with contextlib.suppress(StoreError):
                if (found := await self._streams.load(key)) is not None:
                    self._follow_up(key, found)
                return

    async def _pause(self) -> None:
        with self.activity.waiting():
            await self._clock.until(self._clock.after(PAUSE))

    def _follow_up(self, key: StreamKey, found: Loaded) -> None:
        """Run, set and show everything the stream has; what is under way already is left alone."""
        for pending in found.outbox.values():
            if not pending.parked:
                self._outbox.run(pending)
        for alarm in found.alarms.values():
            self._timers.set(alarm)
        self.observers.notify_change(key)

    async def _try_batch(self, key: StreamKey, items: Sequence[Item]) -> None:
        loaded = await self._streams.load(key)
        if loaded is None:
            first = next((each for each in items if each.begins), items[0])
            rulebook = self._rulebooks[first.protocol]
            loaded = Loaded(key, rulebook, rulebook.initial)
        batch = Batch(loaded)
        answers = [self._decide(batch, item) for item in items]
        commit = batch.commit(self._epoch)
        if commit is not None:
            is_urgent = any(item.is_urgent for item in items)
            await self._store.commit(commit, urgent=is_urgent)
            self._streams.keep(batch.after)
            if not is_urgent:
                await self._mailboxes[key].turn(self._turns)
            self._consequences(batch)
        # Nobody is answered before the commit: not even a duplicate, whose original may be in this very batch.
        for item, answer in zip(items, answers, strict=True):
            await self._answer(item, answer)
        receipts = [each for each in answers if isinstance(each, Receipt)]
        self.observers.notify_events(key, [event for each in receipts for event in each.events])

    def _decide(self, batch: Batch, item: Item) -> Receipt | Exception:
        """What becomes of one command, to be told once its batch is committed."""
        command, loaded = item.command, batch.after
        if item.protocol and loaded.version == 0 and not item.begins:
            return _unknown(loaded.key)
        if item.protocol and item.protocol != loaded.rulebook.protocol:
            return WrongProtocol.of(loaded.key.stream, loaded.rulebook.protocol, item.protocol)
        known = known_answer(loaded, item)
        if known is not None:
            return known
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
        batch.take(command, decision, refusal, outcome_of=item.outcome_id, alarm=item.alarm)
        return refusal or Receipt(loaded.version, tuple(decision.events))

    async def _answer(self, item: Item, answer: Receipt | Exception) -> None:
        """Whoever waits is told; an outcome that could not be kept is delivered again later, or parked."""
        item.answer(answer)
        pending = item.outcome_of
        if pending is None:
            return
        if isinstance(answer, Receipt):
            if answer.duplicate:
                self._outbox.forget(pending.key, pending.effect_id)
            return
        if isinstance(answer, StoreError):
            # An outcome is never thrown away: while the store refuses, it is held.
            self._retry(self._deliver_again(pending, item.command))
        elif isinstance(answer, Refusal) and not isinstance(answer, Unanswered):
            log.info("the outcome of %s was refused: %s", pending.effect_id, answer)
        else:
            # No rule answers, or a rule is broken: visible, and it blocks nobody.
            log.error("%s of %s is parked", pending.effect_id, pending.key.stream, exc_info=answer)
            await self._outbox.park(pending)

    def _consequences(self, batch: Batch) -> None:
        """What follows from a commit: effects that were dropped stop, new ones run, alarms are set, people see."""
        key, before, after = batch.after.key, batch.before, batch.after
        for effect_id, pending in before.outbox.items():
            if after.outbox.get(effect_id) is not pending:
                self._outbox.forget(key, effect_id)
        for effect_id, effect in batch.effects.items():
            if effect_id in after.outbox:
                self._outbox.run(after.outbox[effect_id], effect)
        if before.alarms != after.alarms:
            for name in before.alarms.keys() - after.alarms.keys():
                self._timers.clear(key, name)
            for name, alarm in after.alarms.items():
                if before.alarms.get(name) is not alarm:
                    self._timers.set(alarm)
        if after.version > before.version:
            self.observers.notify_change(key)

    # ── what the outbox and the timers ask ──────────────────────────────────────────────────────────────────────────

    async def find(self, pending: PendingEffect) -> tuple[str, Any] | None:
        loaded = self._streams.cached(pending.key)
        if loaded is None or pending.attempts or pending.effect_id not in loaded.outbox:
            # A first attempt follows what was committed or looked up just now; whatever was voided since is refused.
            loaded = await self._streams.load(pending.key)
        if loaded is None or pending.effect_id not in loaded.outbox:
            return None
        return loaded.rulebook.protocol, loaded.state

    async def owed(self, key: StreamKey) -> Mapping[str, PendingEffect]:
        loaded = await self._streams.load(key)
        return loaded.outbox if loaded is not None else {}

    def deliver(self, pending: PendingEffect, outcome: Command) -> None:
        self._post(pending.key, Item(outcome, outcome_of=pending))

    async def _deliver_again(self, pending: PendingEffect, outcome: Command) -> None:
        while not self._closed:
            await self._pause()
            try:
                found = await self.find(pending)
            except StoreError as error:
                log.warning("%s of %s waits for the store: %s", pending.effect_id, pending.key.stream, error)
                continue
            if found is None:
                self._outbox.forget(pending.key, pending.effect_id)
            else:
                self.deliver(pending, outcome)
            return

    @property
    def own_runners(self) -> Mapping[str, EffectRunner]:
        return own_runners(self._store, self._clock, self._rulebooks, self._hand_to, self._pause)

    async def _hand_to(self, key: StreamKey, protocol: str, command: Command) -> None:
        await self._submit(key, Item(command, protocol))

    async def ring(self, alarm: Alarm) -> Millis:
        if self._is_absent(alarm.key.tenant):
            return self._clock.now() + AWAY
        if self.is_shut_out(alarm.key.tenant):
            return self._clock.now() + SHUT_OUT
        with self.activity.busy():
            loaded = await self._streams.load(alarm.key)
            until = held_until(alarm, loaded, self._held_up) if loaded else 0
            if loaded is None or until > self._clock.now():
                return until
            try:
                first = await self.before_ring(alarm.key, loaded.rulebook.protocol, loaded.state, alarm.name)
            except NotYet:
                return self._clock.now() + SHUT_OUT
            for command in first:
                await self._ring_first(alarm, command)
            rang = AlarmRang(command_id=f"alarm:{alarm.name}:{alarm.generation}", at=self._clock.now(), name=alarm.name)
            try:
                await self._submit(alarm.key, Item(rang, alarm=alarm))
            except Refusal as refusal:
                log.error("alarm %s of %s was refused: %s", alarm.name, alarm.key.stream, refusal)
        return 0

    async def _ring_first(self, alarm: Alarm, command: Command) -> None:
        try:
            await self._submit(alarm.key, Item(command))
        except Refusal as refusal:
            log.error("what was looked up before %s of %s was refused: %s", alarm.name, alarm.key.stream, refusal)

    async def recover(self, found: StalledStream) -> None:
        if self._is_absent(found.key.tenant) or self.is_shut_out(found.key.tenant):
            return
        with self.activity.busy():
            loaded = await self._streams.load(found.key)
            is_early = over_at(found.key, found.since, self._held_up) > self._clock.now()
            if loaded is None or is_early or not loaded.is_stalled(found):
                return
            running = await self._outbox.running(found.key, loaded.outbox.keys())
            names = tuple(each.rpartition("@")[0] for each in running)
            recover = Recover(command_id=f"recover:{found.version}:{found.since}", at=self._clock.now(), running=names)
            await self._submit(found.key, Item(recover, stalled=found))


def _unknown(key: StreamKey) -> UnknownStream:
    return UnknownStream(f"There is nothing called {key.stream} here.")
