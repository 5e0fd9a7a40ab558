"""Keeps one thread equal to what its view wants: one call at a time, always for the newest state."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.posts.budget import Budget, Lane
from bot.posts.difference import Create, LookUp, Step, Update, difference
from bot.posts.failures import CallFailed, Refused, Throttled, Unsure
from bot.posts.patience import Patience
from bot.posts.table import Entry, Table
from bot.posts.wire import Wire
from bot.views.negotiation import posts
from engine.errors import StoreError
from engine.kernel import Millis, StreamKey
from engine.store.port import Store

log = logging.getLogger(__name__)

Read = Callable[[StreamKey], Awaitable[tuple[Any, int]]]
"""A stream's committed state and version."""

FIRST_PAUSE: Final[Millis] = 1_000
LONGEST_PAUSE: Final[Millis] = 300_000


@dataclass(slots=True)
class _Trouble:
    """A post that is tried again and again."""

    failures: int = 0
    not_before: Millis = 0


class Keeper:
    def __init__(
        self, key: StreamKey, store: Store, read: Read, wire: Wire, budget: Budget, patience: Patience
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_calling = False
        """Under way is a call, or writing down what became of it: not the time to be cancelled."""
        self.is_closing = False
        self._is_resting = False
        self._key = key
        self._store = store
        self._read = read
        self._wire = wire
        self._budget = budget
        self._patience = patience
        self._table = Table(store, key)
        self._shown: dict[str, Entry] | None = None
        self._trouble: dict[str, _Trouble] = {}
        self._in_words: dict[str, str] = {}
        """Post key -> the digest whose blocks Slack refused."""
        self._turns: dict[str, int] = {}
        """Post key -> when it was last sent, counted in calls: what waited longest goes first."""
        self._granted: Lane | None = None
        """The budget allows one call of this kind now."""

    @property
    def is_about_to_wake(self) -> bool:
        """It rested, something was noticed, and it has not had its turn yet."""
        return self._is_resting and self.noticed.is_set()

    async def catch_up(self) -> None:
        """Returns when everything wanted is shown, or was given up, and nobody has noticed anything new."""
        while not self.is_closing:
            self.noticed.clear()
            try:
                if await self._once() and not self.noticed.is_set():
                    return
            except StoreError as error:
                log.warning("posts of %s wait for the store: %s", self._key.stream, error)
                self._shown = None  # what we know may not be what is written down
                await self._patience.until(self._now() + FIRST_PAUSE)

    async def _once(self) -> bool:
        """At most one call. Whether nothing was left to do."""
        if self._shown is None:
            self._shown = await self._table.read()
        state, version = await self._read(self._key)
        steps = difference(posts(state), self._shown, state.place)
        if not steps:
            await self._store.mark_shown(self._key, version)
            return True
        step, due = self._next(steps)
        if due > self._now():
            self._granted = None
            self._is_resting = True
            try:
                await self._patience.until_or(due, self.noticed)
            finally:
                self._is_resting = False
            return False
        lane = self._wire.lane(self._key, step)
        if self._granted != lane:
            waited = await self._budget.turn(lane)
            self._granted = lane
            if waited:
                return False  # meanwhile the state may have moved on: look again
        self._granted = None
        self.is_calling = True
        try:
            await self._take(step, lane, self._shown)
        finally:
            self.is_calling = False
        return False

    def _next(self, steps: tuple[Step, ...]) -> tuple[Step, Millis]:
        """What to do next, and when: of what may be done now what was longest not sent, else what may be done first."""
        now = self._now()

        def urgency(step: Step) -> tuple[Millis, bool, int]:
            trouble = self._trouble.get(step.post.key, _Trouble())
            return max(now, trouble.not_before), isinstance(step, Update), self._turns.get(step.post.key, 0)

        first = min(steps, key=urgency)
        return first, urgency(first)[0]

    async def _take(self, step: Step, lane: Lane, shown: dict[str, Entry]) -> None:
        key = step.post.key
        self._turns[key] = max(self._turns.values(), default=0) + 1
        try:
            match step:
                case Create():
                    await self._create(step, shown)
                case Update():
                    await self._update(step, shown)
                case LookUp():
                    await self._look_up(step, shown)
        except Throttled as failed:
            until = self._now() + round(failed.seconds * 1000)
            self._budget.hold(lane, until)
            self._trouble.setdefault(key, _Trouble()).not_before = until  # other methods go on
        except CallFailed as failed:
            self._try_later(key, failed)
        else:
            self._trouble.pop(key, None)

    async def _create(self, step: Create, shown: dict[str, Entry]) -> None:
        post = step.post
        as_text = self._in_words.get(post.key) == post.digest
        entry = Entry(
            state="posting", channel=step.channel, thread=step.thread, digest=post.digest, since=self._now(),
            is_plain=as_text,
        )  # fmt: skip
        await self._table.write(post.key, entry)
        try:
            ts = await self._wire.create(self._key, step, as_text=as_text)
        except Unsure:
            shown[post.key] = entry
            raise
        except Refused as refused:
            await self._refused(step, entry, refused, shown, as_text=as_text)
        else:
            await self._keep(post.key, entry.model_copy(update={"state": "posted", "ts": ts}), shown)

    async def _update(self, step: Update, shown: dict[str, Entry]) -> None:
        post = step.post
        as_text = self._in_words.get(post.key) == post.digest
        entry = step.entry.model_copy(update={"state": "posted", "digest": post.digest, "is_plain": as_text, "why": ""})
        try:
            await self._wire.update(self._key, step, as_text=as_text)
        except Refused as refused:
            if refused.why == "message_not_found":
                await self._keep(post.key, entry.model_copy(update={"state": "deleted"}), shown)
            else:
                await self._refused(step, entry, refused, shown, as_text=as_text)
        else:
            await self._keep(post.key, entry, shown)

    async def _look_up(self, step: LookUp, shown: dict[str, Entry]) -> None:
        try:
            ts = await self._wire.look_up(self._key, step)
        except Refused as refused:
            log.warning("cannot see whether %s of %s was posted: %s", step.post.key, self._key.stream, refused.why)
            ts = None
        if ts is None:
            del shown[step.post.key]
        else:
            await self._keep(step.post.key, step.entry.model_copy(update={"state": "posted", "ts": ts}), shown)

    async def _refused(
        self, step: Create | Update, entry: Entry, refused: Refused, shown: dict[str, Entry], *, as_text: bool
    ) -> None:
        post = step.post
        if refused.for_its_content and not as_text:
            log.error("Slack refuses the blocks of %s of %s: %s", post.key, self._key.stream, refused.why)
            self._in_words[post.key] = post.digest
            return
        before = shown.get(post.key)
        if before is None or (before.state, before.why) != ("given_up", refused.why):
            log.error("%s of %s is given up: %s", post.key, self._key.stream, refused.why)
        await self._keep(post.key, entry.model_copy(update={"state": "given_up", "why": refused.why}), shown)

    async def _keep(self, key: str, entry: Entry, shown: dict[str, Entry]) -> None:
        shown[key] = entry
        await self._table.write(key, entry)

    def _try_later(self, key: str, failed: CallFailed) -> None:
        trouble = self._trouble.setdefault(key, _Trouble())
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(trouble.failures, 20))
        trouble.failures += 1
        trouble.not_before = self._now() + pause
        log.warning("%s of %s waits %d ms: %s", key, self._key.stream, pause, failed.why)

    def _now(self) -> Millis:
        return self._patience.clock.now()
