"""Keeps what Slack is told of each stream besides posts: its agent session, a reaction on the message that asked, and
the end of the workflow's step that did.

What each stream of a thread wants is stored, and what Slack was told: several streams share a thread, and a start after
a kill tells what is not told yet, and nothing twice. Where a workspace does not let us, nothing is missing.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

from bot.posts.failures import CallFailed, Refused, Shut, Throttled, Undone
from bot.posts.holds import Hold, beside
from bot.posts.post_records import Spot, record_of
from bot.posts.rate_limits import REACT, SESSION, UNREACT, Lane, RateLimits, Ticket
from bot.posts.readmission import Readmission
from bot.posts.slack_calls import Fence, SlackCalls
from bot.posts.stored_posts import RestoredTenants
from bot.posts.waiting import FIRST_PAUSE, LONGEST_PAUSE, Waiting
from bot.views.kit.post import StepEnd
from bot.views.kit.presenter import Reaction, SessionStatus, joint_reaction, joint_status
from engine.errors import LeaseLost, StoreError
from engine.kernel import StreamKey, Tenant, Validated
from engine.runtime.membership import Membership
from engine.store.port import Store

log = logging.getLogger(__name__)

RANK: Final = 5
"""They wait behind all posts, which say more."""
MOST_KNOWN: Final = 10_000
"""Streams of which it is kept in memory what they have said last; of others, it is read again."""


class Told(Validated):
    """What a stream wants, or what Slack was told."""

    status: str
    why: str = ""
    """Slack's code, where Slack has refused it for good."""
    left: tuple[str, ...] = ()
    """What may stand there besides, and is to be taken away."""


class Wish(NamedTuple):
    """What a stream says."""

    spot: Spot
    """The channel, and the ts of the message it is said about."""
    status: str
    end: StepEnd | None = None
    """What else is said, where a workflow is told of an end; it is not stored."""


class Step(NamedTuple):
    """A call that is missing."""

    method: str
    call: Callable[[Fence], Awaitable[None]]
    before: Told | None
    """Stored before the call, where a kill after it would leave something behind."""
    after: Told


class Surface(Protocol):
    """One thing that Slack shows."""

    kind: str
    """The kind of the records: ``channel/ts/stream`` is what a stream wants; without a stream, what Slack was told."""
    of_the_place: frozenset[str]
    """Refusals that say nothing about other places. With any other, the workspace does not let us at all."""

    def together(self, statuses: Iterable[str]) -> str:
        """Return what is shown where several streams want something: at least one."""

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        """Return the next missing call; None where Slack shows what is wanted.

        Args:
            wish: of the stream that speaks now.
            status: what all streams of the place want together.
        """

    def unsure(self, told: Told | None) -> Told | None:
        """Return what is known where the store was restored, and what it says may be of before."""


@dataclass(slots=True)
class ThreadStatuses:
    """What all streams share."""

    surface: Surface
    store: Store
    rate_limits: RateLimits
    waiting: Waiting
    readmission: Readmission
    restored: RestoredTenants
    membership: Membership | None = None
    """Of this process in a store that several share."""
    known: dict[StreamKey, Wish] = field(default_factory=dict)
    """What each stream has said last, as far as it is told; the longest ago first."""
    lacking: set[Tenant] = field(default_factory=set)
    """Workspaces that do not let us; they are asked again after the next start."""
    confirmed: set[tuple[Tenant, Spot]] = field(default_factory=set)
    """Places of which Slack was told since the start, in tenants whose store was restored: what their store says of
    the others may be of before."""
    turns: WeakValueDictionary[tuple[Tenant, Spot], asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """The streams of a place speak in turn."""

    def is_told(self, key: StreamKey, wish: Wish) -> bool:
        """Return whether nothing is left to say."""
        return not all(wish.spot) or key.tenant in self.lacking or self.known.get(key) == wish

    def forget(self, key: StreamKey) -> None:
        """Forget what a stream has said last: where processes share a store, another one may have spoken since."""
        if self.membership is not None:
            self.known.pop(key, None)

    def remember(self, key: StreamKey, wish: Wish) -> None:
        self.known.pop(key, None)
        if len(self.known) == MOST_KNOWN:
            del self.known[next(iter(self.known))]
        self.known[key] = wish


class ThreadStatus:
    """What one stream says; it is kept like a conversation of posts.

    Args:
        hold: of the stream.
        wanted: returns what is to be said by now; None for nothing.
        changed: set once it is told.
    """

    def __init__(
        self, hold: Hold, statuses: ThreadStatuses, wanted: Callable[[], Wish | None], changed: asyncio.Event
    ) -> None:
        self.noticed = asyncio.Event()
        self.is_calling = False
        self.is_closing = False
        self.is_shown = False
        self._key = hold.key
        self._hold = hold
        self._statuses = statuses
        self._surface = statuses.surface
        self._wanted = wanted
        self._changed = changed
        self._failures = 0

    async def catch_up(self) -> None:
        """Return once Slack was told, or cannot be.

        Raises:
            LeaseLost: another process may speak for the stream by now.
        """
        while not self.is_closing:
            await self._hold.ready(self._statuses.waiting)
            wish = self._wanted()
            if wish is None or self._statuses.is_told(self._key, wish):
                self.is_shown = True
                self._changed.set()
                return
            self.noticed.clear()
            try:
                step = await self._next_step(wish)
                if step is not None:
                    await self._take_in_turn(step.method)
                else:
                    self._statuses.remember(self._key, wish)
            except LeaseLost:
                raise
            except StoreError as error:
                log.warning("how %s stands waits for the store: %s", self._key.stream, error)
                await self._statuses.waiting.pause(FIRST_PAUSE)

    async def _take_in_turn(self, method: str) -> None:
        """Take the next step, if it is still a call of this method once the rates allow one."""
        statuses, tenant = self._statuses, self._key.tenant
        lane = Lane(tenant, method)
        ticket = statuses.rate_limits.join(lane, RANK, self.noticed)
        try:
            await self._granted(ticket)
            wish = self._wanted()
            if wish is None or not ticket.granted:
                return
            turn = statuses.turns.setdefault((tenant, wish.spot), asyncio.Lock())
            async with turn, statuses.rate_limits.place(lane):
                self.is_calling = True
                await self._take_alone(wish, method)
        except Throttled as failed:
            statuses.rate_limits.hold(lane, statuses.waiting.clock.after(1000 * failed.seconds))
        except CallFailed as failed:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._failures, 20))
            self._failures += 1
            if isinstance(failed, Shut):
                statuses.readmission.shut_out(tenant, failed.why)
            log.warning("how %s stands waits %d ms: %s", self._key.stream, pause, failed.why)
            self.is_calling = False
            await statuses.waiting.until_or_event(statuses.waiting.clock.after(pause), self.noticed)
        finally:
            self.is_calling = False
            if not ticket.granted:
                ticket.leave()

    async def _take_alone(self, wish: Wish, method: str) -> None:
        """Take the next step while no other process speaks about the same place."""
        place = Hold(beside(self._key.tenant, record_of(wish.spot, self._surface.kind)), self._statuses.membership)
        if not await place.take():
            raise Undone("another process speaks about the same place")
        try:
            if self._hold.has_time:
                await self._take(wish, method)
        finally:
            await place.drop()

    async def _granted(self, ticket: Ticket) -> None:
        while not ticket.granted and not self.is_closing:
            await self._statuses.waiting.for_event(self.noticed)
            self.noticed.clear()

    async def _next_step(self, wish: Wish) -> Step | None:
        """Store what the stream wants; return what Slack has to be told."""
        rows = await self._rows(wish.spot)
        own = record_of(wish.spot, self._key.stream)
        if own not in rows or rows[own].status != wish.status:
            rows[own] = Told(status=wish.status)
            await self._put(own, rows[own])
        told = rows.get(record_of(wish.spot, ""))
        statuses, tenant = self._statuses, self._key.tenant
        if (tenant, wish.spot) not in statuses.confirmed and await statuses.restored.find(tenant) is not None:
            told = self._surface.unsure(told)
        wanted = self._surface.together(_wanted(rows, wish.spot))
        return self._surface.next_step(tenant, wish, told, wanted)

    async def _take(self, wish: Wish, method: str) -> None:
        """Take the next step to show a wish, if this method makes it."""
        step = await self._next_step(wish)
        if step is None or step.method != method:
            return
        shown, after = record_of(wish.spot, ""), step.after
        if step.before is not None:
            await self._put(shown, step.before)
        try:
            await step.call(self._hold.fence)
        except Refused as refused:
            if refused.why not in self._surface.of_the_place:
                log.info("%s has no %ss: %s", self._key.tenant.team_id, self._surface.kind, refused.why)
                self._statuses.lacking.add(self._key.tenant)
                return
            after = Told(status=after.status, why=refused.why)
        self._failures = 0
        await self._put(shown, after)
        if await self._statuses.restored.find(self._key.tenant) is not None:
            self._statuses.confirmed.add((self._key.tenant, wish.spot))

    async def _rows(self, spot: Spot) -> dict[str, Told]:
        rows = await self._statuses.store.records(self._key.tenant, self._surface.kind, record_of(spot, ""))
        return {name: Told.model_validate_json(row) for name, row in rows.items()}

    async def _put(self, record: str, told: Told) -> None:
        row = told.model_dump_json(exclude_defaults=True)
        await self._statuses.store.put_records(
            self._key.tenant, self._surface.kind, {record: row}, member=self._hold.member
        )


def _wanted(rows: Mapping[str, Told], spot: Spot) -> Iterable[str]:
    """Return what each stream of a place wants."""
    return [said.status for record, said in rows.items() if record != record_of(spot, "")]


SESSION_RECORD: Final = "session"

OF_THE_THREAD: Final = frozenset(
    {
        *("channel_not_found", "not_in_channel", "user_not_in_channel", "is_archived", "is_inactive"),
        *("thread_not_found", "message_not_found", "invalid_thread_ts", "restricted_action"),
    }
)


class AgentSessions:
    """A `Surface` (bot/posts/thread_statuses.py); the message is the one that begins the thread."""

    kind = SESSION_RECORD
    of_the_place = OF_THE_THREAD

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls

    def together(self, statuses: Iterable[str]) -> str:
        return joint_status(SessionStatus(each) for each in statuses)

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        if told is not None and told.status == status:
            return None
        say = partial(self._calls.session, tenant, wish.spot, SessionStatus(status))
        return Step(SESSION, say, None, Told(status=status))

    def unsure(self, told: Told | None) -> Told | None:
        return None


REACTION_RECORD: Final = "reaction"

OF_THE_MESSAGE: Final = frozenset(
    {
        *("channel_not_found", "not_in_channel", "is_archived", "is_inactive", "restricted_action"),
        *("message_not_found", "not_reactable", "bad_timestamp", "thread_locked", "external_channel_migrating"),
        *("too_many_reactions", "too_many_emoji", "invalid_name"),
    }
)


class Reactions:
    """A `Surface` (bot/posts/thread_statuses.py). The new reaction is added before the old one goes."""

    kind = REACTION_RECORD
    of_the_place = OF_THE_MESSAGE

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls

    def together(self, statuses: Iterable[str]) -> str:
        return joint_reaction(Reaction(each) for each in statuses)

    def next_step(self, tenant: Tenant, wish: Wish, told: Told | None, status: str) -> Step | None:
        spot = wish.spot
        if told is None:
            return self._added(tenant, spot, "", (), status)
        if told.status != status:
            return self._added(tenant, spot, told.status, told.left, status)
        if told.left:
            old, *others = told.left
            remove = partial(self._calls.unreact, tenant, spot, Reaction(old))
            return Step(UNREACT, remove, None, Told(status=status, left=tuple(others)))
        return None

    def unsure(self, told: Told | None) -> Told | None:
        """Any of ours may stand there."""
        return Told(status="", left=tuple(Reaction))

    def _added(self, tenant: Tenant, spot: Spot, old: str, left: tuple[str, ...], status: str) -> Step:
        may_stand = [each for each in dict.fromkeys((*left, old)) if each]
        before = Told(status=old, left=tuple(dict.fromkeys((*may_stand, status))))
        after = Told(status=status, left=tuple(each for each in may_stand if each != status))
        return Step(REACT, partial(self._calls.react, tenant, spot, Reaction(status)), before, after)
