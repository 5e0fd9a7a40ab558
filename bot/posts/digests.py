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

from bot.posts.conversation_reconciler import FIRST_PAUSE, ConversationReconciler
from bot.posts.digest_receipts import store_listed
from bot.posts.doubts import Doubts
from bot.posts.going_out import Choices, after_quiet, next_time
from bot.posts.post_records import KIND as POST
from bot.posts.post_records import PostRecord, PostRecords
from bot.posts.tools import Tools
from bot.posts.unknown_posts import UnknownPosts
from bot.views.kit.digest import DigestItem, Waiting, digest_key
from bot.views.kit.post import Post
from engine.errors import EngineError
from engine.kernel import Millis, Place, StreamKey, Tenant, Validated
from engine.store.port import Store

log = logging.getLogger(__name__)

KIND: Final = "digest"
"""Of the records, by user, of the digest that each got last."""

PREFIX: Final = "digest:"
"""Of the names under which digests are posted: of one user each, and no stream's."""


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

    async def times(self, tenant: Tenant, user: str) -> tuple[tuple[time, ...], str]:
        """Return when digests are sent, and in which time zone that is meant."""

    async def waiting(self, tenant: Tenant, user: str) -> Sequence[Waiting]:
        """Return what somebody can decide now."""

    async def chosen(
        self, tenant: Tenant, user: str, number: int, waiting: Sequence[Waiting]
    ) -> tuple[DigestItem, ...]:
        """Return what of it fits into one digest: what ends first comes first."""

    async def posts(self, tenant: Tenant, user: str, last: LastDigest) -> Sequence[Post]:
        """Return the newest digest, and the one before it as it looks by now, in their order."""


class NoDigests:
    """Where nobody wants any."""

    async def readers(self, tenant: Tenant) -> Sequence[Reader]:
        return ()

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
    """

    def __init__(self, store: Store, source: DigestSource, tools: Tools, notice: Callable[[StreamKey], None]) -> None:
        self._store = store
        self._source = source
        self._tools = tools
        self._notice = notice
        self._noticed: dict[Tenant, asyncio.Event] = {}
        self._desks: dict[tuple[Tenant, str], _Desk] = {}
        self._choices: dict[tuple[Tenant, str], Choices] = {}
        """As they were when they were looked at last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False

    async def start(self) -> None:
        """Go on with what was under way, for all tenants."""
        for tenant in await self._store.tenants():
            self.notice(tenant)

    def notice(self, tenant: Tenant) -> None:
        """Look at a tenant's digests after a commit. Notices during a look cost one more look."""
        if self._is_closing:
            return
        if tenant not in self._noticed:
            self._noticed[tenant] = asyncio.Event()
            self._spawn(self._keep(tenant))
        self._noticed[tenant].set()

    async def close(self) -> None:
        """Begin nothing more; what is not sent is sent after the next start."""
        self._is_closing = True
        for desk in self._desks.values():
            desk.conversation.is_closing = True
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, tenant: Tenant) -> None:
        noticed, waiting = self._noticed[tenant], self._tools.waiting
        try:
            while not self._is_closing:
                noticed.clear()
                try:
                    due = await self._look(tenant)
                except EngineError as error:
                    log.warning("digests of %s wait: %s", tenant.team_id, error)
                    due = waiting.clock.now() + FIRST_PAUSE
                if noticed.is_set():
                    continue
                if due is None:
                    return
                await waiting.until_or_event(waiting.clock.after(due - waiting.clock.now()), noticed)
        finally:
            del self._noticed[tenant]  # without an await since its last look

    async def _look(self, tenant: Tenant) -> Millis | None:
        """Send what is due, and return when the next one is; None where nothing waits for a time.

        Raises:
            EngineError
        """
        readers = {each.user: each.choices for each in await self._source.readers(tenant)}
        stored = await self._store.records(tenant, KIND) if readers or self._desks else {}
        dues = [await self._look_at(tenant, user, choices, stored.get(user)) for user, choices in readers.items()]
        for user in stored.keys() - readers.keys():
            await self._keep_up(tenant, user, LastDigest.model_validate_json(stored[user]))
        return min((each for each in dues if each is not None), default=None)

    async def _look_at(self, tenant: Tenant, user: str, choices: Choices, stored: str | None) -> Millis | None:
        last = LastDigest.model_validate_json(stored) if stored else None
        before = self._choices.get((tenant, user))
        self._choices[tenant, user] = choices
        due = None
        if choices.wants_digest:
            fresh = await self._fresh(tenant, user, last)
            due = await self._due(tenant, user, choices, fresh, last) if fresh else None
            if due is not None and due <= self._tools.waiting.clock.now():
                last = await self._begin(tenant, user, last)
                due = None
        elif before is None or before.wants_digest:
            # What was kept for a digest goes out by itself now.
            for stream in {each.item.stream for each in await self._source.waiting(tenant, user)}:
                self._notice(StreamKey(tenant, stream))
        if last is not None:
            await self._keep_up(tenant, user, last)
        return due

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
        return after_quiet(now, min(each.until for each in fresh), choices.quiet, place)

    async def _begin(self, tenant: Tenant, user: str, last: LastDigest | None) -> LastDigest:
        number = last.number + 1 if last else 1
        waiting = await self._source.waiting(tenant, user)
        items = await self._source.chosen(tenant, user, number, waiting)
        begun = LastDigest(number=number, at=self._tools.waiting.clock.now(), items=items)
        await self._store.put_records(tenant, KIND, {user: begun.model_dump_json()})
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
            self._spawn(self._keep_conversation(tenant, desk))

    async def _keep_conversation(self, tenant: Tenant, desk: _Desk) -> None:
        try:
            await desk.conversation.catch_up()
        finally:
            desk.is_kept = False
            self.notice(tenant)  # for the receipts, and for what has changed since its last look

    async def _store_receipts(self, tenant: Tenant, user: str, desk: _Desk, last: LastDigest) -> None:
        entry = desk.shown.get(digest_key(last.number, user))
        if entry is None or last.number in desk.told or not (entry.ts or entry.state == "given_up"):
            return
        await store_listed(self._store, tenant, last.items, entry)
        desk.told.add(last.number)
        for stream in {each.stream for each in last.items}:
            self._notice(StreamKey(tenant, stream))

    async def _desk(self, tenant: Tenant, user: str) -> _Desk:
        """
        Raises:
            StoreError
        """
        key = StreamKey(tenant, _stream(user))
        records, doubts = PostRecords(self._store, key), Doubts(self._store, key, self._tools.waiting.clock)
        unknown = UnknownPosts(self._store, self._tools.restored, key)
        await doubts.read()
        await unknown.read()
        shown = await records.read()

        def wanted() -> tuple[Sequence[Post], Place]:
            return desk.wanted, Place()

        conversation = ConversationReconciler(
            key, user, self._tools, records, doubts, unknown, shown, wanted, partial(self.notice, tenant)
        )
        desk = self._desks[tenant, user] = _Desk(conversation, shown)
        return desk

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._tools.waiting.activity.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a digest is not kept up to date", exc_info=error)


def is_digest(stream: str) -> bool:
    """Whether this is a name under which digests are posted."""
    return stream.startswith(PREFIX)


def _stream(user: str) -> str:
    return f"{PREFIX}{user}"


def _due(waiting: Waiting, times: tuple[time, ...], zone: str, after: Millis) -> Millis:
    half_time = waiting.asked + (waiting.until - waiting.asked) // 2
    return min(next_time(max(waiting.asked, after), times, zone), half_time)
