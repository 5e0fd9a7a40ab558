"""Keeps one conversation equal to what its view wants: one call at a time, always for the newest state."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.posts.difference import Create, Learn, LookUp, Open, Step, Update, difference
from bot.posts.direct_channels import DirectMessages
from bot.posts.failures import CLOSED, CallFailed, Diverted, Refused, Throttled, Unsure
from bot.posts.languages import Languages
from bot.posts.patience import Patience
from bot.posts.post_records import PostRecord, PostRecords
from bot.posts.rate_limits import RESPOND, Lane, RateLimits, Ticket
from bot.posts.slack_calls import Sent, SlackCalls
from bot.views.kit.post import Post
from engine.errors import StoreError
from engine.kernel import Millis, Place, StreamKey

log = logging.getLogger(__name__)

FIRST_PAUSE: Final[Millis] = 1_000
LONGEST_PAUSE: Final[Millis] = 300_000


@dataclass(slots=True)
class _Trouble:
    """A post that is tried again and again."""

    failures: int = 0
    not_before: Millis = 0


@dataclass(frozen=True, slots=True)
class Tools:
    """What every conversation is kept with."""

    wire: SlackCalls
    budget: RateLimits
    patience: Patience
    direct: DirectMessages
    languages: Languages


class ConversationReconciler:
    """
    Args:
        to: the user whose direct messages they are; empty for the thread.
        table: where it is written down what was posted.
        shown: what that says, by post key; kept up to date.
        wanted: what should be shown by now, and the place of the thread.
        changed: set whenever it has been written down what became of a post.
    """

    def __init__(
        self,
        key: StreamKey,
        to: str,
        tools: Tools,
        table: PostRecords,
        shown: dict[str, PostRecord],
        wanted: Callable[[], tuple[Sequence[Post], Place]],
        changed: asyncio.Event,
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_calling = False
        """Under way is a call, or writing down what became of it: not the time to be cancelled."""
        self.is_closing = False
        self._key = key
        self._to = to
        self._tools = tools
        self._table = table
        self._shown = shown
        self._wanted = wanted
        self._changed = changed
        self._trouble: dict[str, _Trouble] = {}
        self._in_words: dict[str, str] = {}
        """Post key -> the digest whose blocks Slack refused."""
        self._turns: dict[str, int] = {}
        """Post key -> when it was last sent, counted in calls: what waited longest goes first."""
        self._opened: set[str] = set()
        """Post keys for which their direct messages were opened."""
        self._tickets: dict[Lane, Ticket] = {}
        """Our places in the lines we wait in: whichever comes first."""

    async def catch_up(self) -> None:
        """Returns when everything wanted is shown, or was given up."""
        try:
            while not self.is_closing and await self._once():
                pass
        finally:
            self._leave(self._tickets.keys())

    async def _once(self) -> bool:
        """At most one call. Whether something is left to do."""
        self.noticed.clear()
        try:
            steps = await self.steps()
            if not steps:
                return False
            turn = self._next(steps)
            if turn is None:
                # Meanwhile the state may move on, or a quicker way may open: look again whenever something happens.
                await self._wait(steps)
            else:
                self.is_calling = True
                await self._take(*turn)
        except StoreError as error:
            self.is_calling = False
            self._leave(self._tickets.keys())
            await self._wait_for_the_store(error)
        finally:
            self.is_calling = False
        return True

    async def steps(self) -> tuple[Step, ...]:
        """
        Raises:
            StoreError
        """
        if not self._to:
            wanted, place = self._wanted()
            return difference(wanted, self._shown, place)
        place = Place(channel=await self._tools.direct.channel(self._key.tenant, self._to))
        wanted, _ = self._wanted()
        return tuple(self._prepared(each) for each in difference(wanted, self._shown, place))

    def _prepared(self, step: Step) -> Step:
        """What has to be known before something is written to somebody comes first."""
        if isinstance(step, Open | Create) and self._is_to_learn(step.post):
            return Learn(step.post)
        return Open(step.post) if self._is_to_ask(step) else step

    def _is_to_learn(self, post: Post) -> bool:
        """What was in one language before stays in it."""
        return post.key not in self._shown and self._tools.languages.is_to_ask(self._key.tenant, self._to)

    def _is_to_ask(self, step: Step) -> bool:
        """Slack takes messages to an account that has gone. Nobody may be thought asked who cannot read it."""
        is_question = bool(self._to) and isinstance(step, Create) and step.post.restored
        is_asked = step.post.key in self._opened or self._tools.direct.is_there(self._key.tenant, self._to)
        return is_question and not is_asked

    def _next(self, steps: tuple[Step, ...]) -> tuple[Step, Lane] | None:
        """What to do now: what is missing, then what was longest not sent; each where its line lets us."""
        now = self._now()
        ready = [(step, lane) for step in steps if self._due(step, lane := self._lane(step)) <= now]
        self._leave(self._tickets.keys() - {lane for _, lane in ready})
        for step, lane in sorted(ready, key=self._urgency):
            if lane not in self._tickets:
                self._tickets[lane] = self._tools.budget.join(lane, 1 if self._to else 0, self.noticed)
            if self._tickets[lane].granted:
                self._leave(self._tickets.keys())  # a turn that comes during the call would be taken too late
                return step, lane
        return None

    def _urgency(self, turn: tuple[Step, Lane]) -> tuple[bool, int]:
        step, _ = turn
        return isinstance(step, Update), self._turns.get(step.post.key, 0)

    def _lane(self, step: Step) -> Lane:
        return self._tools.wire.lane(self._key, step)

    def _due(self, step: Step, lane: Lane) -> Millis:
        """A click opens another way for what is in trouble."""
        trouble = self._trouble.get(step.post.key)
        return trouble.not_before if trouble and lane.method != RESPOND else 0

    async def _wait(self, steps: tuple[Step, ...]) -> None:
        if any(isinstance(step, Open) for step in steps):
            self._tools.direct.wait(self._key.tenant, self._to, self.noticed)
        if any(isinstance(step, Learn) for step in steps):
            self._tools.languages.wait(self._key.tenant, self._to, self.noticed)
        dues = [due for step in steps if (due := self._due(step, self._lane(step))) > self._now()]
        if dues:
            await self._tools.patience.until_or(min(dues), self.noticed)
        else:
            await self._tools.patience.rest(self.noticed)

    def _leave(self, lanes: Iterable[Lane]) -> None:
        for lane in list(lanes):
            self._tickets.pop(lane).leave()

    async def _take(self, step: Step, lane: Lane) -> None:
        key = step.post.key
        self._turns[key] = max(self._turns.values(), default=0) + 1
        try:
            match step:
                case Learn():
                    await self._learn()
                case Open():
                    await self._open(step)
                case Create():
                    await self._create(step)
                case Update():
                    await self._update(step)
                case LookUp():
                    await self._look_up(step)
        except Diverted as failed:
            log.info("%s of %s is changed another way: %s", key, self._key.stream, failed.why)
        except Throttled as failed:
            self._tools.budget.hold(lane, self._now() + round(failed.seconds * 1000))
        except CallFailed as failed:
            self._try_later(key, failed)
        else:
            if isinstance(step, Create | Update):  # what was only prepared may fail again
                self._trouble.pop(key, None)

    async def _learn(self) -> None:
        tenant, user, tools = self._key.tenant, self._to, self._tools
        await tools.languages.learn(tenant, user, lambda: tools.wire.locale(tenant, user))

    async def _open(self, step: Open) -> None:
        try:
            channel = await self._tools.wire.open(self._key.tenant, self._to)
        except Refused as refused:
            await self._tools.direct.keep(self._key.tenant, self._to, "")
            entry = PostRecord(state="given_up", channel="", digest=step.post.digest, language=step.post.language)
            await self._given_up(step.post, entry, refused)
        else:
            await self._tools.direct.keep(self._key.tenant, self._to, channel)
            self._opened.add(step.post.key)

    async def _create(self, step: Create) -> None:
        post = step.post
        as_text = self._in_words.get(post.key) == post.digest
        entry = PostRecord(
            state="posting", channel=step.channel, thread=step.thread, digest=post.digest, since=self._now(),
            is_plain=as_text, language=post.language,
        )  # fmt: skip
        await self._table.write(post.key, entry)
        try:
            sent = await self._tools.wire.create(self._key, step, as_text=as_text)
        except Unsure:
            self._shown[post.key] = entry
            raise
        except Refused as refused:
            await self._refused(step, entry, refused, as_text=as_text)
        else:
            await self._posted(post.key, entry, sent)

    async def _posted(self, key: str, entry: PostRecord, sent: Sent) -> None:
        if entry.thread and not sent.thread:
            log.warning("the thread of %s is gone; %s starts another one", self._key.stream, key)
        await self._keep(key, entry.model_copy(update={"state": "posted", "ts": sent.ts, "thread": sent.thread}))
        await self._look_after_the_rest()

    async def _look_after_the_rest(self) -> None:
        """Slack lets us in, so what could not be changed because the place was closed is worth another try: it may have
        buttons that should be gone."""
        for post in self._wanted()[0]:
            entry = self._shown.get(post.key)
            if entry is not None and entry.state == "given_up" and entry.ts and entry.why in CLOSED and entry.digest:
                await self._keep(post.key, entry.model_copy(update={"digest": ""}))

    async def _update(self, step: Update) -> None:
        post = step.post
        as_text = self._in_words.get(post.key) == post.digest
        entry = step.entry.model_copy(update={"state": "posted", "digest": post.digest, "is_plain": as_text, "why": ""})
        try:
            await self._tools.wire.update(self._key, step, as_text=as_text)
        except Refused as refused:
            if refused.why == "message_not_found":
                await self._keep(post.key, entry.model_copy(update={"state": "deleted"}))
            else:
                await self._refused(step, entry, refused, as_text=as_text)
        else:
            await self._keep(post.key, entry)

    async def _look_up(self, step: LookUp) -> None:
        try:
            sent = await self._tools.wire.look_up(self._key, step)
        except Refused as refused:
            log.warning("cannot see whether %s of %s was posted: %s", step.post.key, self._key.stream, refused.why)
            sent = None
        if sent is None:
            del self._shown[step.post.key]
        else:
            await self._posted(step.post.key, step.entry, sent)

    async def _refused(self, step: Create | Update, entry: PostRecord, refused: Refused, *, as_text: bool) -> None:
        post = step.post
        if refused.for_its_content and not as_text:
            log.error("Slack refuses the blocks of %s of %s: %s", post.key, self._key.stream, refused.why)
            self._in_words[post.key] = post.digest
            return
        if self._to and isinstance(step, Create):
            await self._tools.direct.keep(self._key.tenant, self._to, "")
            if post.key not in self._opened:
                return  # it may have been closed, and can be opened again; or we learn that somebody has gone
        await self._given_up(post, entry, refused)

    async def _given_up(self, post: Post, entry: PostRecord, refused: Refused) -> None:
        before = self._shown.get(post.key)
        if before is None or (before.state, before.why) != ("given_up", refused.why):
            log.error("%s of %s is given up: %s", post.key, self._key.stream, refused.why)
        await self._keep(post.key, entry.model_copy(update={"state": "given_up", "why": refused.why}))

    async def _keep(self, key: str, entry: PostRecord) -> None:
        self._shown[key] = entry
        await self._table.write(key, entry)
        self._changed.set()

    async def _wait_for_the_store(self, error: StoreError) -> None:
        """What we know may not be what is written down."""
        while True:
            log.warning("posts of %s wait for the store: %s", self._key.stream, error)
            await self._tools.patience.until(self._now() + FIRST_PAUSE)
            try:
                rows = await self._table.read()
            except StoreError as again:
                error = again
                continue
            for post in self._wanted()[0]:
                self._shown.pop(post.key, None)
                if post.key in rows:
                    self._shown[post.key] = rows[post.key]
            return

    def _try_later(self, key: str, failed: CallFailed) -> None:
        trouble = self._trouble.setdefault(key, _Trouble())
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(trouble.failures, 20))
        trouble.failures += 1
        trouble.not_before = self._now() + pause
        self._opened.discard(key)  # who was there may be gone by then
        log.warning("%s of %s waits %d ms: %s", key, self._key.stream, pause, failed.why)

    def _now(self) -> Millis:
        return self._tools.patience.clock.now()
