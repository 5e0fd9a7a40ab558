"""Sends digests to those who want them: once at each set time, sooner where a decision cannot wait, never twice.

What somebody was sent last is stored before it is posted, and it is posted like any other direct message. So whoever is
ended in between posts it at the next start, and looks first whether it stands there.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import time
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from bot.posts.conversation_reconciler import ConversationReconciler
from bot.posts.going_out import Choices, after_quiet, next_time
from bot.posts.holds import Hold
from bot.posts.post_records import KIND as POST
from bot.posts.post_records import PostRecord, store_listed
from bot.posts.stored_posts import StoredPosts
from bot.posts.tools import Tools
from bot.posts.waiting import FIRST_PAUSE
from bot.views.kit.digest import DigestItem, Waiting, digest_key
from bot.views.kit.post import Post
from engine.errors import EngineError, LeaseLost, StoreError
from engine.kernel import Millis, Place, StreamKey, Tenant, Validated
from engine.runtime.clock import Monotonic
from engine.runtime.ports import IsAbsent, nobody_is_absent
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "digest"
"""Of the records, by user, of the digest that each got last."""

PREFIX: Final = "digest:"
"""Of the names under which digests are posted: of one user each, and no stream's. Without a user, it is what the
process holds that sends them, where several share a store."""

NOW: Final = Monotonic(0)

ELSEWHERE: Final[Millis] = 5_000
"""For how long nobody asks again whether another process sends a tenant's digests: it hears of every change itself."""


class LastDigest(Validated):
    number: int
    at: Millis
    """When it was to be sent."""
    items: tuple[DigestItem, ...]


class Reader(NamedTuple):
    """Somebody who has chosen how they are told."""

    user: str
    choices: Choices


class DigestSource(Protocol):
    """What is to be decided, and how it is listed. Every method may raise `EngineError`."""

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        """Return everybody who has chosen how they are told."""

    def has_choices(self, key: StreamKey) -> bool:
        """Whether it is this stream in which people choose how they are told."""

    async def concerned(self, key: StreamKey) -> frozenset[str]:
        """Return the users whose decisions a stream asks for, or may ask for."""

    async def times(self, tenant: Tenant, user: str) -> tuple[tuple[time, ...], str]:
        """Return when digests are sent, and in which time zone that is meant."""

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Waiting]:
        """Return what somebody can decide now, and may be told of."""

    async def chosen(
        self, tenant: Tenant, user: str, number: int, waiting: Sequence[Waiting]
    ) -> tuple[DigestItem, ...]:
        """Return what of it fits into one digest: what ends first comes first."""

    async def posts(self, tenant: Tenant, user: str, last: LastDigest) -> Sequence[Post]:
        """Return the newest digest, and the one before it as it looks by now, in their order."""


@dataclass(slots=True)
class _Tenant:
    """What is known of the people of one tenant."""

    noticed: asyncio.Event = field(default_factory=asyncio.Event)
    changed: set[StreamKey] = field(default_factory=set)
    """Streams that something has happened to since the last look."""
    users: set[str] = field(default_factory=set)
    """Whose own digests were posted or edited since."""
    readers: dict[str, Choices] = field(default_factory=dict)
    """Everybody who has chosen, as they were read last."""
    is_new: bool = True
    """Whether everybody is looked at next, as before the first look: another process may have told them something."""
    dues: dict[str, Millis] = field(default_factory=dict)
    """When each one's next digest is due."""
    is_kept: bool = False
    hold: Hold | None = None
    elsewhere_until: Monotonic = NOW
    """Until when another process is taken to send them."""


@dataclass(slots=True)
class _Desk:
    """The digests of one person."""

    conversation: ConversationReconciler
    shown: dict[str, PostRecord]
    wanted: Sequence[Post] = ()
    told: set[int] = field(default_factory=set)
    """Numbers of the digests whose receipts are stored."""
    is_kept: bool = False


class Digests:
    """
    Args:
        notice: has the posts of a stream looked at, also for who was told by a digest.
        is_absent: to whom nothing is sent.
    """

    def __init__(
        self,
        store: Store,
        source: DigestSource,
        tools: Tools,
        notice: Callable[[StreamKey], None],
        is_absent: IsAbsent = nobody_is_absent,
    ) -> None:
        self._is_absent = is_absent
        self._store = store
        self._source = source
        self._tools = tools
        self._notice = notice
        self._tenants: dict[Tenant, _Tenant] = {}
        self._desks: dict[tuple[Tenant, str], _Desk] = {}
        self._choices: dict[tuple[Tenant, str], Choices] = {}
        """As they were when they were looked at last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    @property
    def are_behind(self) -> bool:
        """Whether a digest is not shown as it should be by now."""
        return any(each.is_kept and not each.conversation.is_shown for each in self._desks.values())

    async def start(self) -> None:
        """Go on with what was under way, for all tenants."""
        for tenant in await self._store.tenants():
            self._look_soon(tenant)

    def notice(self, key: StreamKey) -> None:
        """Look at the digests that a stream concerns, after a commit. Notices during a look cost one more look."""
        known = self._tenants.setdefault(key.tenant, _Tenant())
        if not known.is_new and not known.readers and not self._source.has_choices(key):
            return  # nobody has chosen anything, as is usual
        known.changed.add(key)
        self._look_soon(key.tenant)

    def thread_stands(self, key: StreamKey) -> None:
        """Look at the digests that a stream concerns which people may be told of from now on. That is in no commit, so
        another process that sends them hears of it from this one alone.
        """
        self._tenants.setdefault(key.tenant, _Tenant()).elsewhere_until = NOW
        self.notice(key)

    def go_on(self, tenant: Tenant) -> None:
        """Send a tenant's digests in place of a process that did."""
        known = self._tenants.setdefault(tenant, _Tenant())
        known.is_new, known.elsewhere_until = True, NOW
        self._look_soon(tenant)

    def _look_soon(self, tenant: Tenant) -> None:
        known = self._tenants.setdefault(tenant, _Tenant())
        if self._is_closing or self._is_absent(tenant) or known.elsewhere_until > self._tools.waiting.clock.monotonic():
            return
        if not known.is_kept:
            known.is_kept = True
            self._spawn(self._keep(tenant, known))
        known.noticed.set()

    def _posted(self, tenant: Tenant, user: str) -> None:
        """Look for what follows from a digest that was posted or edited."""
        self._tenants.setdefault(tenant, _Tenant()).users.add(user)
        self._look_soon(tenant)

    async def close(self) -> None:
        """Begin nothing more; what is not sent is sent after the next start."""
        self._is_closing = True
        for desk in self._desks.values():
            desk.conversation.is_closing = True
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, tenant: Tenant, known: _Tenant) -> None:
        waiting = self._tools.waiting
        try:
            while not (self._is_closing or self._is_absent(tenant)):
                known.noticed.clear()
                try:
                    if not await self._take(tenant, known):
                        return
                    await self._look(tenant, known)
                    due = min(known.dues.values(), default=None)
                except LeaseLost as error:
                    log.warning("digests of %s are begun with again: %s", tenant.team_id, error)
                    self._begin_anew(tenant, known)
                    await waiting.pause(FIRST_PAUSE)
                    continue
                except EngineError as error:
                    log.warning("digests of %s wait: %s", tenant.team_id, error)
                    known.is_new = True
                    due = waiting.clock.now() + FIRST_PAUSE
                if known.noticed.is_set():
                    continue
                if due is None and not self._are_under_way(tenant):
                    if await self._let_go(tenant, known):
                        return
                elif due is None:
                    await waiting.for_event(known.noticed)
                else:
                    await waiting.until_or_event(waiting.clock.after(due - waiting.clock.now()), known.noticed)
        finally:
            known.is_kept = False  # without an await since its last look

    async def _take(self, tenant: Tenant, known: _Tenant) -> bool:
        """Return whether it is this process that sends the tenant's digests."""
        known.hold = known.hold or Hold(StreamKey(tenant, PREFIX), self._tools.membership)
        if await known.hold.take():
            return True
        known.is_new = True
        known.elsewhere_until = self._tools.waiting.clock.after(ELSEWHERE)
        return False

    def _are_under_way(self, tenant: Tenant) -> bool:
        """Return whether what is held must be kept though nothing is due: only where processes share a store."""
        return self._tools.membership is not None and any(
            desk.is_kept for (whose, _), desk in self._desks.items() if whose == tenant
        )

    async def _let_go(self, tenant: Tenant, known: _Tenant) -> bool:
        """Return whether nothing has come up since the last look, so that another process may send what is next."""
        assert known.hold is not None  # noqa: S101 - it was taken
        try:
            is_free = await known.hold.let_go()
        except StoreError as error:
            log.warning("digests of %s are kept here yet: %s", tenant.team_id, error)
            is_free = False
        if not is_free:
            known.is_new = True
            return False
        if self._tools.membership is not None:
            self._forget_desks(tenant)
        return not known.noticed.is_set()

    def _begin_anew(self, tenant: Tenant, known: _Tenant) -> None:
        """Forget what was true while this process sent the digests."""
        known.hold, known.is_new = None, True
        self._forget_desks(tenant)

    def _forget_desks(self, tenant: Tenant) -> None:
        for at in [each for each in self._desks if each[0] == tenant]:
            self._desks.pop(at).conversation.is_closing = True

    def let_go(self) -> None:
        """Send nothing more to tenants that are absent, until they have come back."""
        for tenant, known in self._tenants.items():
            if self._is_absent(tenant):
                self._begin_anew(tenant, known)
                known.noticed.set()

    def look_again(self) -> None:
        """Look at everything that is kept, after this process may have lost it."""
        for known in self._tenants.values():
            known.noticed.set()

    async def _look(self, tenant: Tenant, known: _Tenant) -> None:
        """Send what is due."""
        changed, users = known.changed, known.users
        known.changed, known.users = set(), set()
        if known.is_new or any(self._source.has_choices(each) for each in changed):
            known.is_new = False  # before they are read: whoever wants all looked at meanwhile wants it again
            await self._look_at_all(tenant, known)
            return
        users = users.union(*[await self._source.concerned(each) for each in changed])
        now = self._tools.waiting.clock.now()
        users |= {user for user, due in known.dues.items() if due <= now}
        for user in users & known.readers.keys():
            rows = await self._store.records(tenant, KIND, user, limit=1)
            await self._look_at(tenant, user, known, rows.get(user))

    async def _look_at_all(self, tenant: Tenant, known: _Tenant) -> None:
        known.readers = {each.user: each.choices for each in await self._source.readers(tenant)}
        known.dues.clear()
        if not known.readers:
            return
        stored = await self._store.records(tenant, KIND)
        for user in known.readers:
            await self._look_at(tenant, user, known, stored.get(user))

    async def _look_at(self, tenant: Tenant, user: str, known: _Tenant, stored: str | None) -> None:
        choices = known.readers[user]
        known.dues.pop(user, None)
        last = LastDigest.model_validate_json(stored) if stored else None
        before = self._choices.get((tenant, user))
        self._choices[tenant, user] = choices
        if choices.wants_digest:
            if fresh := await self._fresh(tenant, user, last):
                due = await self._due(tenant, user, choices, fresh, last)
                if due <= self._tools.waiting.clock.now():
                    last = await self._begin(tenant, user, last)
                else:
                    known.dues[user] = due
        elif before is None or before.wants_digest:
            # What was kept for a digest goes out by itself now.
            for stream in {each.item.stream for each in await self._source.waiting(tenant, user)}:
                self._notice(StreamKey(tenant, stream))
        if last is not None:
            await self._keep_up(tenant, user, last)

    async def _fresh(self, tenant: Tenant, user: str, last: LastDigest | None) -> list[Waiting]:
        """Return what nobody has told this person: neither a digest nor a message of its own."""
        listed = {*last.items} if last else set()
        found = [each for each in await self._source.waiting(tenant, user) if each.item not in listed]
        return [each for each in found if not await self._came_by_itself(tenant, each.item)]

    async def _came_by_itself(self, tenant: Tenant, item: DigestItem) -> bool:
        key = f"{item.stream}/{item.post}"
        row = (await self._store.records(tenant, POST, key, limit=1)).get(key)
        return row is not None and bool(PostRecord.model_validate_json(row).ts)

    async def _due(
        self, tenant: Tenant, user: str, choices: Choices, fresh: Sequence[Waiting], last: LastDigest | None
    ) -> Millis:
        """Return when the next digest goes out: at a set time, or when half of the time for a decision is over."""
        times, zone = await self._source.times(tenant, user)
        now = self._tools.waiting.clock.now()
        due = min(_due(each, times, zone, last.at if last else 0) for each in fresh)
        if due > now:
            return due
        place = self._tools.languages.time_zone(tenant, user)
        return after_quiet(now, min(each.until for each in fresh), choices, place)

    async def _begin(self, tenant: Tenant, user: str, last: LastDigest | None) -> LastDigest:
        number = last.number + 1 if last else 1
        waiting = await self._source.waiting(tenant, user)
        items = await self._source.chosen(tenant, user, number, waiting)
        begun = LastDigest(number=number, at=self._tools.waiting.clock.now(), items=items)
        hold = self._tenants[tenant].hold
        member = hold.member if hold else ""
        await self._store.put_records(tenant, KIND, {user: begun.model_dump_json()}, member=member)
        return begun

    async def _keep_up(self, tenant: Tenant, user: str, last: LastDigest) -> None:
        """Have the newest digest shown as things stand, and store the receipts of what it lists once it is posted."""
        desk = self._desks.get((tenant, user)) or await self._desk(tenant, user)
        posts = await self._source.posts(tenant, user, last)
        if posts != desk.wanted:
            desk.wanted = posts
            desk.conversation.noticed.set()
        await self._store_receipts(tenant, user, desk, last)
        if not desk.is_kept and (await desk.conversation.steps() or desk.conversation.holds_back):
            desk.is_kept = True
            self._spawn(self._keep_conversation(tenant, user, desk))

    async def _keep_conversation(self, tenant: Tenant, user: str, desk: _Desk) -> None:
        try:
            await desk.conversation.catch_up()
        finally:
            desk.is_kept = False
            self._posted(tenant, user)  # something may have changed since its last look

    async def _store_receipts(self, tenant: Tenant, user: str, desk: _Desk, last: LastDigest) -> None:
        entry = desk.shown.get(digest_key(last.number, user))
        if entry is None or last.number in desk.told or not (entry.ts or entry.state == "given_up"):
            return
        await store_listed(self._store, tenant, last.items, entry)
        desk.told.add(last.number)
        for stream in {each.stream for each in last.items}:
            self._notice(StreamKey(tenant, stream))

    async def _desk(self, tenant: Tenant, user: str) -> _Desk:
        """Return the reconciler of a person's digests, with what was posted."""
        key = StreamKey(tenant, _stream(user))
        stored = StoredPosts(
            self._store, key, self._tools.restored, self._tools.waiting.clock, self._tenants[tenant].hold or Hold(key)
        )
        shown = await stored.read()

        def wanted() -> tuple[Sequence[Post], Place]:
            return desk.wanted, Place()

        conversation = ConversationReconciler(
            key, user, self._tools, stored, shown, wanted, partial(self._posted, tenant, user)
        )
        desk = self._desks[tenant, user] = _Desk(conversation, shown)
        return desk

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._tools.waiting.activity.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, LeaseLost):
            log.error("a digest is not kept up to date", exc_info=error)


def is_digest(stream: str) -> bool:
    """Whether this is a name under which digests are posted."""
    return stream.startswith(PREFIX)


def _stream(user: str) -> str:
    return f"{PREFIX}{user}"


def _due(waiting: Waiting, times: tuple[time, ...], zone: str, after: Millis) -> Millis:
    half_time = waiting.asked + (waiting.until - waiting.asked) // 2
    return min(next_time(max(waiting.asked, after), times, zone), half_time)


class NoDigests:
    """Where nobody wants any."""

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        return ()

    def has_choices(self, key: StreamKey) -> bool:
        return False

    async def concerned(self, key: StreamKey) -> frozenset[str]:
        return frozenset()

    async def times(self, tenant: Tenant, user: str) -> tuple[tuple[time, ...], str]:
        return (), ""

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Waiting]:
        return ()

    async def chosen(
        self, tenant: Tenant, user: str, number: int, waiting: Sequence[Waiting]
    ) -> tuple[DigestItem, ...]:
        return ()

    async def posts(self, tenant: Tenant, user: str, last: LastDigest) -> Sequence[Post]:
        return ()
