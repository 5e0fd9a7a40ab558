"""Keeps one conversation equal to what its presenter wants: one call at a time, always for the newest state."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.posts.difference import (
    Create,
    Learn,
    LookAgain,
    LookUp,
    Open,
    Search,
    Step,
    Update,
    adopted,
    difference,
    outdated,
    second_looks,
    takes_over,
)
from bot.posts.failures import CLOSED, CallFailed, Diverted, Refused, Shut, Throttled, Undone, Unsure
from bot.posts.post_records import Doubt, PostRecord
from bot.posts.rate_limits import RESPOND, Lane, Ticket
from bot.posts.slack_calls import Sent
from bot.posts.stored_posts import StoredPosts
from bot.posts.tools import Tools
from bot.posts.waiting import FIRST_PAUSE, LONGEST_PAUSE
from bot.views.kit.post import Post
from engine.errors import LeaseLost, StoreError
from engine.kernel import Millis, Place, StreamKey
from engine.runtime.clock import Clock, Monotonic

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Failing:
    """A post whose last call has failed."""

    not_before: Monotonic
    failures: int = 0


class Retries:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failing: dict[str, _Failing] = {}

    def failed(self, step: Step) -> Millis:
        """Return how long the next try waits."""
        failing = self._failing.setdefault(_name(step), _Failing(self._clock.monotonic()))
        pause: Millis = min(LONGEST_PAUSE, FIRST_PAUSE << min(failing.failures, 20))
        failing.failures += 1
        failing.not_before = self._clock.after(pause)
        return pause

    def succeeded(self, step: Step) -> None:
        self._failing.pop(_name(step), None)

    def due(self, step: Step) -> Monotonic | None:
        """Return from when on it may be tried again; None where nothing has failed."""
        failing = self._failing.get(_name(step))
        return failing.not_before if failing else None


def _name(step: Step) -> str:
    """Return the name under which failures count. Looking for duplicates does not delay its post."""
    return f"{step.post.key} again" if isinstance(step, LookAgain) else step.post.key


TAKES_OVER_EVERY: Final[Millis] = 10 * 60_000
"""How old a message is at least that another one takes over from, since it cannot be edited any more."""


class ConversationReconciler:
    """
    Args:
        to: the user whose direct messages it is; empty for the thread.
        stored: where it is stored what was posted, and what may come to stand there twice.
        shown: what was posted, by post key; it is kept up to date.
        wanted: returns what should be shown by now, and the place of the thread.
        changed: called whenever a record was written.
    """

    def __init__(
        self,
        key: StreamKey,
        to: str,
        tools: Tools,
        stored: StoredPosts,
        shown: dict[str, PostRecord],
        wanted: Callable[[], tuple[Sequence[Post], Place]],
        changed: Callable[[], None],
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_calling = False
        """Whether a call, or the record of its result, is under way: it must not be cancelled then."""
        self.is_closing = False
        self.is_shown = False
        """Whether everything is shown or given up, and it is only looked again for what may stand there twice."""
        self._key = key
        self._to = to
        self._tools = tools
        self._stored = stored
        self._hold = stored.hold
        self._records = stored.records
        self._doubts = stored.doubts
        self._unknown = stored.unknown
        self._shown = shown
        self._wanted = wanted
        self._changed = changed
        self._retries = Retries(tools.waiting.clock)
        self._as_text: dict[str, str] = {}
        """Post key -> the digest of the content whose blocks Slack refused: it is sent as text."""
        self._turns: dict[str, int] = {}
        """Post key -> number of the call that sent it last; the lowest number goes first."""
        self._unsure: set[str] = set()
        """Keys of posts with an edit whose outcome is unknown, while it is not made again."""
        self._in_doubt: set[str] = set()
        """Keys of posts that may stand there already, where Slack does not let us look."""
        self._under_way: Step | None = None
        """What is being done, and not stored yet."""
        self._opened: set[str] = set()
        """Keys of posts for which the direct messages were opened."""
        self._held_until: Monotonic | None = None
        """When something may go out that is held back; None where nothing waits for a time."""
        self._tickets: dict[Lane, Ticket] = {}
        """Our tickets for calls that rate limits hold back: whichever is granted first is used."""

    async def catch_up(self) -> None:
        """Return once every post is shown or given up.

        Raises:
            LeaseLost: another process may keep it by now; what this one may have done too late is stored for that one.
        """
        try:
            while not self.is_closing and await self._once():
                pass
        except LeaseLost:
            self.is_calling = True
            unsure = {key: self._shown[key] for key in self._unsure}
            await self._stored.leave(self._under_way, unsure, self._tools.waiting)
            raise
        finally:
            self._leave(self._tickets.keys())

    async def _once(self) -> bool:
        """Make at most one call; return whether anything is left to do."""
        self.noticed.clear()
        await self._hold.ready(self._tools.waiting)
        try:
            steps = await self.steps()
            if not steps and not self.holds_back:
                return False
            self._show(not self.holds_back and all(isinstance(step, LookAgain) for step in steps))
            now = self._clock.monotonic()
            turn = self._next(steps, now)
            if turn is None:
                # Look again whenever something happens: the state may change, or a click may allow a call at once.
                await self._wait(steps, now)
            else:
                await self._take_place(*turn)
        except LeaseLost:
            raise
        except StoreError as error:
            self.is_calling = False
            self._leave(self._tickets.keys())
            await self._wait_for_the_store(error)
        finally:
            self.is_calling = False
        return True

    @property
    def holds_back(self) -> bool:
        """Whether something that was left out of the `steps` goes out later."""
        return self._held_until is not None

    async def steps(self) -> tuple[Step, ...]:
        """Return the calls that make the conversation what it should be."""
        direct = await self._tools.direct_messages.channel(self._key.tenant, self._to) if self._to else ""
        wanted, place = self._wanted()
        spot = (direct, "") if self._to else None
        is_restored = self._unknown.of_all is not None
        if is_restored and (search := self._unknown.search(wanted, self._shown, place, spot)) is not None:
            return (search,)
        if not self._to:
            steps = difference(wanted, self._shown, place)
            if self._reads_along(place):
                steps = tuple(each for each in steps if not isinstance(each, Create | Update))
        else:
            place = Place(channel=direct)
            sifted = await self._tools.held_back.sift(self._key.tenant, self._to, wanted, self._shown)
            self._held_until = sifted.until
            steps = tuple(self._prepared(each) for each in difference(sifted.posts, self._shown, place))
        if is_restored and wanted:
            found = outdated(wanted, self._shown, place.channel, is_direct=bool(self._to))
            steps = (*steps, *(Update(post, entry) for post, entry in found if entry.digest != post.digest))
        return (*steps, *second_looks(wanted, self._shown, self._doubts.by_post))

    def _reads_along(self, place: Place) -> bool:
        """Return whether another company reads the thread, though what is drawn is not meant for it."""
        return not place.shared and self._tools.shared_channels.is_shared(self._key.tenant, place.channel)

    def _show(self, is_shown: bool) -> None:
        if is_shown and not self.is_shown:
            self._changed()
        self.is_shown = is_shown

    def _prepared(self, step: Step) -> Step:
        """Return the step that must come first: what has to be known before somebody is written to."""
        if isinstance(step, Open | Create) and self._is_to_learn(step.post):
            return Learn(step.post)
        return Open(step.post) if self._is_to_ask(step) else step

    def _is_to_learn(self, post: Post) -> bool:
        """Return whether the language of a new post is still to be asked for."""
        return post.key not in self._shown and self._tools.languages.is_to_ask(self._key.tenant, self._to)

    def _is_to_ask(self, step: Step) -> bool:
        """Return whether it must be checked first that the account exists.

        Slack accepts messages to a closed account, and nobody may count as asked who cannot read the question.
        """
        is_question = bool(self._to) and isinstance(step, Create) and step.post.restored
        is_asked = step.post.key in self._opened or self._tools.direct_messages.is_there(self._key.tenant, self._to)
        return is_question and not is_asked

    def _next(self, steps: tuple[Step, ...], now: Monotonic) -> tuple[Step, Lane] | None:
        """Return what to do now, as far as rate limits allow: missing posts first, then what was sent longest ago. A
        turn that a rate made wait goes to what is urgent.
        """
        ready = [(step, lane) for step in steps if self._due(step, lane := self._lane(step), now) <= now]
        self._leave(self._tickets.keys() - {lane for _, lane in ready})
        for step, lane in sorted(ready, key=self._urgency):
            waiting = self._tickets.get(lane)
            if waiting is None or not (waiting.granted or waiting.rank == self._rank(step)):
                self._leave([lane] if waiting else [])
                self._tickets[lane] = self._tools.rate_limits.join(lane, self._rank(step), self.noticed)
            if self._tickets[lane].granted:
                self._leave(self._tickets.keys())  # a ticket that is granted during the call would be used too late
                return self._urgent(step, lane, now) if waiting is not None and waiting.is_paced else step, lane
        return None

    def _urgent(self, step: Step, lane: Lane, now: Monotonic) -> Step:
        """Return what takes the turn that a step has waited for."""
        if not isinstance(step, Create) or step.ahead is None:
            return step
        ahead = replace(step, post=step.ahead, ahead=None)
        return ahead if self._due(ahead, lane, now) <= now else step

    def _rank(self, step: Step) -> int:
        """Return who goes first: what people vote in, then other posts, of threads and then of direct messages; last
        what may stand there twice.
        """
        if isinstance(step, LookAgain):
            return 4
        is_urgent = isinstance(step, Create) and (step.ahead or step.post).is_urgent
        return 2 * bool(self._to) + (not is_urgent)

    def _urgency(self, turn: tuple[Step, Lane]) -> tuple[int, int]:
        step, _ = turn
        kind = 2 if isinstance(step, LookAgain) else 1 if isinstance(step, Update) else 0
        return kind, self._turns.get(step.post.key, 0)

    def _lane(self, step: Step) -> Lane:
        return self._tools.calls.lane(self._key, step)

    def _due(self, step: Step, lane: Lane, now: Monotonic) -> Monotonic:
        """Return when a step may be tried; ``now`` for at once, also after failures where a click allows it."""
        due = now
        if lane.method != RESPOND:
            due = max(due, self._retries.due(step) or now)
        if isinstance(step, LookAgain):
            due = max(due, self._doubts.due(step.post.key))
        entry = self._shown.get(step.post.key)
        if isinstance(step, Create | Open) and entry is not None and takes_over(step.post, entry):
            due = max(due, self._clock.after(max(0, entry.since + TAKES_OVER_EVERY - self._clock.now())))
        return due

    async def _wait(self, steps: tuple[Step, ...], now: Monotonic) -> None:
        """Wait until a step is due that was not at ``now``, or until something happens.

        The time must be the one at which no step was found that may be taken: one whose time has come since would
        be waited for by nobody.
        """
        if any(isinstance(step, Open) for step in steps):
            self._tools.direct_messages.wait(self._key.tenant, self._to, self.noticed)
        if any(isinstance(step, Learn) for step in steps):
            self._tools.languages.wait(self._key.tenant, self._to, self.noticed)
        dues = [due for step in steps if (due := self._due(step, self._lane(step), now)) > now]
        if self._held_until is not None:
            dues.append(self._held_until)
        if dues:
            await self._tools.waiting.until_or_event(min(dues), self.noticed)
        else:
            await self._tools.waiting.for_event(self.noticed)

    def _leave(self, lanes: Iterable[Lane]) -> None:
        for lane in list(lanes):
            self._tickets.pop(lane).leave()

    async def _take_place(self, step: Step, lane: Lane) -> None:
        """Take a step, unless something has changed while others were calling: it may not be wanted any more."""
        async with self._tools.rate_limits.place(lane):
            if not self.noticed.is_set() and self._hold.has_time:
                self.is_calling, self._under_way = True, step
                await self._take(step, lane)
                self._under_way = None

    async def _take(self, step: Step, lane: Lane) -> None:
        key = step.post.key
        self._turns[key] = max(self._turns.values(), default=0) + 1
        try:
            match step:
                case Learn():
                    await self._learn()
                case Open():
                    await self._open(step)
                case Create() | Update() if not self._to and await self._is_found_out():
                    pass  # it is drawn again for those who read it
                case Create():
                    await self._create(step)
                case Update():
                    await self._update(step)
                case LookUp():
                    await self._look_up(step)
                case LookAgain():
                    await self._look_again(step)
                case Search():
                    await self._look_for_unknown(step)
        except Diverted as failed:
            log.info("%s of %s is changed another way: %s", key, self._key.stream, failed.why)
        except Throttled as failed:
            self._tools.rate_limits.hold(lane, self._clock.after(1000 * failed.seconds))
        except CallFailed as failed:
            if isinstance(step, Update) and isinstance(failed, Unsure):
                self._unsure.add(key)
            if isinstance(failed, Shut):
                self._tools.readmission.shut_out(self._key.tenant, failed.why)
            self._try_later(step, failed)
        else:
            if isinstance(step, Create | Update | LookAgain):  # other steps only prepare one of these
                self._retries.succeeded(step)

    async def _learn(self) -> None:
        tenant, user, tools = self._key.tenant, self._to, self._tools
        await tools.languages.learn(tenant, user, lambda: tools.calls.settings(tenant, user))

    async def _is_found_out(self) -> bool:
        """Ask who reads the thread, if that is not known; return whether another company does by now. Before anything
        stands in the channel, it is asked of one that is shared as well, since we may have to join it.

        Where Slack refuses to say it, what it said at first stands: it refuses what is posted there as well; but where
        we may not ask it, another company may be there.
        """
        place, tenant, tools = self._wanted()[1], self._key.tenant, self._tools
        begins = not any(entry.ts for entry in self._shown.values() if entry.channel == place.channel)
        if place.shared and not begins:
            return False

        async def asked() -> bool:
            return await tools.calls.is_shared(tenant, place.channel, joins=begins)

        try:
            await tools.shared_channels.ask(tenant, place.channel, asked)
        except Unsure as failed:
            raise Undone(failed.why) from failed
        if self._reads_along(place):
            self._changed()
        return self._reads_along(place)

    async def _open(self, step: Open) -> None:
        try:
            channel = await self._tools.calls.open(self._key.tenant, self._to)
        except Refused as refused:
            await self._tools.direct_messages.keep(self._key.tenant, self._to, "")
            entry = PostRecord(state="given_up", channel="", digest=step.post.digest, language=step.post.language)
            await self._given_up(step.post, entry, refused)
        else:
            await self._tools.direct_messages.keep(self._key.tenant, self._to, channel)
            self._opened.add(step.post.key)

    async def _create(self, step: Create) -> None:
        post = step.post
        as_text = self._as_text.get(post.key) == post.digest
        entry = PostRecord(
            state="posting", channel=step.channel, thread=step.thread, digest=post.digest, since=self._clock.now(),
            is_plain=as_text, is_in_doubt=post.key in self._in_doubt, language=post.language,
        )  # fmt: skip
        before = self._shown.get(post.key)
        await self._records.write(post.key, entry)
        try:
            sent = await self._tools.calls.create(
                self._key, step, self._hold.fence, as_text=as_text, is_in_doubt=entry.is_in_doubt
            )
        except Unsure:
            self._shown[post.key] = entry
            raise
        except Refused as refused:
            await self._refused(step, entry, refused, as_text=as_text)
        else:
            await self._posted(post.key, entry, sent)
            if before is not None and takes_over(post, before):
                await self._tools.calls.take_away(self._key.tenant, before)

    async def _posted(self, key: str, entry: PostRecord, sent: Sent) -> None:
        if entry.thread and not sent.thread:
            log.warning("the thread of %s is gone; %s starts another one", self._key.stream, key)
        await self._keep(key, entry.model_copy(update={"state": "posted", "ts": sent.ts, "thread": sent.thread}))
        await self._retry_given_up()

    async def _retry_given_up(self) -> None:
        """Try again to update posts that were given up because the channel was closed, now that it takes posts.

        They may have buttons that should be gone.
        """
        for post in self._wanted()[0]:
            entry = self._shown.get(post.key)
            if entry is not None and entry.state == "given_up" and entry.ts and entry.why in CLOSED and entry.digest:
                await self._keep(post.key, entry.model_copy(update={"digest": ""}))

    async def _update(self, step: Update) -> None:
        post = step.post
        as_text = self._as_text.get(post.key) == post.digest
        entry = step.entry.model_copy(
            update={"state": "posted", "digest": post.digest, "is_plain": as_text, "why": "", "is_found": False}
        )
        try:
            await self._tools.calls.update(self._key, step, self._hold.fence, as_text=as_text)
        except Refused as refused:
            if refused.why == "message_not_found":
                await self._keep(post.key, entry.model_copy(update={"state": "deleted"}))
            else:
                await self._refused(step, entry, refused, as_text=as_text)
        else:
            if post.key in self._unsure:
                await self._doubts.begin(post.key, Doubt.about_edit(entry, self._clock.now()))
                self._unsure.discard(post.key)
            await self._keep(post.key, entry)

    async def _look_up(self, step: LookUp) -> None:
        if not self._to:  # the channel may have another id since
            step = replace(step, entry=step.entry.model_copy(update={"channel": self._wanted()[1].channel}))
        try:
            sent = await self._tools.calls.look_up(self._key, step)
        except Refused as refused:
            log.warning("cannot see whether %s of %s was posted: %s", step.post.key, self._key.stream, refused.why)
            self._in_doubt.add(step.post.key)
            sent = None
        if sent is None:
            await self._doubts.begin(step.post.key, Doubt.about_post(step.entry, self._clock.now()))
            del self._shown[step.post.key]
        else:
            await self._posted(step.post.key, step.entry, sent)

    async def _look_for_unknown(self, step: Search) -> None:
        """Remember every message that a restored store does not; it is brought up to date, like those it does."""
        try:
            found = await self._tools.calls.search(self._key, step)
        except Refused as refused:
            log.warning("cannot see which posts of %s are not remembered: %s", self._key.stream, refused.why)
            found = {}
        for key, entry in adopted(found, self._shown):
            await self._keep(key, entry)
        await self._unknown.looked((step.channel, step.thread))

    async def _look_again(self, step: LookAgain) -> None:
        """Take down what stands there twice; and edit once more what an older edit may have changed since."""
        key, entry = step.post.key, step.entry
        if step.doubt.is_post:
            await self._take_down(step)
        if step.doubt.is_edit and entry is not None and entry.ts and entry.state == "posted":
            await self._keep(key, entry.model_copy(update={"digest": ""}))
        await self._doubts.looked(key)

    async def _take_down(self, step: LookAgain) -> None:
        key, doubt = step.post.key, step.doubt
        try:
            sent = await self._tools.calls.look_again(self._key, step, self._hold.fence)
        except Refused as refused:
            log.warning("cannot see whether %s of %s stands there twice: %s", key, self._key.stream, refused.why)
            sent = None
        if sent is not None:
            # What it shows is brought up to date: it may be of an earlier call.
            entry = PostRecord(
                state="posted", channel=doubt.channel, thread=doubt.thread, digest="", language=step.post.language
            )
            await self._posted(key, entry, sent)

    async def _refused(self, step: Create | Update, entry: PostRecord, refused: Refused, *, as_text: bool) -> None:
        post = step.post
        if not as_text and self._tools.calls.drawings.is_refused(self._key.tenant, post, refused):
            return  # it is drawn again without Slack's newer blocks
        if refused.for_its_content and not as_text:
            log.error("Slack refuses the blocks of %s of %s: %s", post.key, self._key.stream, refused.why)
            self._as_text[post.key] = post.digest
            return
        if self._to and isinstance(step, Create):
            await self._tools.direct_messages.keep(self._key.tenant, self._to, "")
            if post.key not in self._opened:
                return  # opening it again works, or tells that the account was closed
        await self._given_up(post, entry, refused)

    async def _given_up(self, post: Post, entry: PostRecord, refused: Refused) -> None:
        before = self._shown.get(post.key)
        if before is None or (before.state, before.why) != ("given_up", refused.why):
            log.error("%s of %s is given up: %s", post.key, self._key.stream, refused.why)
        await self._keep(post.key, entry.model_copy(update={"state": "given_up", "why": refused.why}))

    async def _keep(self, key: str, entry: PostRecord) -> None:
        self._shown[key] = entry
        await self._records.write(key, entry)
        self._changed()

    async def _wait_for_the_store(self, error: StoreError) -> None:
        """Wait until the store can be read, and take over what it says: memory may differ from it."""
        while True:
            log.warning("posts of %s wait for the store: %s", self._key.stream, error)
            await self._tools.waiting.pause(FIRST_PAUSE)
            try:
                rows = await self._records.read()
            except StoreError as again:
                error = again
                continue
            for post in self._wanted()[0]:
                self._shown.pop(post.key, None)
                if post.key in rows:
                    self._shown[post.key] = rows[post.key]
            return

    def _try_later(self, step: Step, failed: CallFailed) -> None:
        self._opened.discard(step.post.key)  # the account may have been closed by then
        pause = self._retries.failed(step)
        log.warning("%s of %s waits %d ms: %s", step.post.key, self._key.stream, pause, failed.why)

    @property
    def _clock(self) -> Clock:
        return self._tools.waiting.clock
