"""Everything that is stored about the posts of one stream, and the right to change it.

After a restore, posts may stand in Slack that the store does not remember, until they were looked for there.
"""

import logging
from collections.abc import Mapping, Sequence

from bot.posts.difference import Create, Search, Step, Update, thread_of
from bot.posts.holds import Hold
from bot.posts.post_records import Doubt, Doubts, PostRecord, PostRecords
from bot.posts.waiting import FIRST_PAUSE, Waiting
from bot.views.kit.post import Post
from engine.errors import StoreError
from engine.kernel import Millis, Place, StreamKey, Tenant, Validated
from engine.runtime.clock import Clock
from engine.store.port import UNKNOWN_POSTS, Store

log = logging.getLogger(__name__)

Spot = tuple[str, str]
"""A channel, and the ts of a thread in it; empty for the channel itself."""


class Restored(Validated):
    """What is stored about a stream when a store is restored, and under an empty name about all of a tenant's."""

    since: Millis
    """Unknown posts were made after this time."""
    until: Millis
    """They were made before this time: when the store was restored."""
    is_open: bool = False
    """Whether the stream is looked at even if nothing happens in it."""
    looked: tuple[Spot, ...] = ()
    """Where they were looked for."""


class RestoredTenants:
    """Whose streams may have unknown posts: asked of the store once, since it changes only while no ToWow runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[Tenant, Restored | None] = {}

    async def find(self, tenant: Tenant) -> Restored | None:
        """Return what was posted there before a restore; None where nothing was restored."""
        if tenant not in self._found:
            rows = await self._store.records(tenant, UNKNOWN_POSTS, limit=1)
            self._found[tenant] = Restored.model_validate_json(rows[""]) if "" in rows else None
        return self._found[tenant]


class UnknownPosts:
    """Of one stream."""

    def __init__(self, store: Store, tenants: RestoredTenants, key: StreamKey, hold: Hold) -> None:
        self._store = store
        self._hold = hold
        self._tenants = tenants
        self._key = key
        self._own: Restored | None = None
        self.of_all: Restored | None = None
        """What is stored about all streams of the tenant; None where its store was never restored."""

    async def read(self) -> None:
        """Read what may stand in the stream's conversations since a restore."""
        tenant, stream = self._key
        self.of_all = await self._tenants.find(tenant)
        if self.of_all is None:
            return
        own = await self._store.records(tenant, UNKNOWN_POSTS, stream, limit=1)
        self._own = Restored.model_validate_json(own[stream]) if stream in own else None

    def search(
        self, wanted: Sequence[Post], shown: Mapping[str, PostRecord], place: Place, direct: Spot | None
    ) -> Search | None:
        """Return the search that must come before anything is posted in a conversation.

        Args:
            wanted: the conversation's posts.
            place: where the stream is shown.
            direct: the channel of the direct messages, empty where it is not known yet; None for the thread.
        """
        spot = direct or (place.channel, thread_of(wanted, shown, place))
        since = self.since(place, spot) if wanted and spot[0] else None
        return None if since is None else Search(wanted[0], *spot, since)

    def since(self, place: Place, spot: Spot) -> Millis | None:
        """Return since when unknown posts may stand at a spot; None where there are none.

        A stream that began after the store was made may have begun before it was restored as well, with the same name,
        where a person or another stream begins it anew: then its thread is that old.

        Args:
            place: where the stream is shown.
        """
        known = self._own or self.of_all
        if known is None or spot in known.looked:
            return None
        is_old = bool(place.thread) and float(place.thread) * 1_000 < known.until
        return known.since if self._own is not None or is_old else None

    async def looked(self, spot: Spot) -> None:
        """Record that a conversation was searched since the restore."""
        known = self._own or self.of_all
        if known is not None:
            await self._write(known.model_copy(update={"looked": (*known.looked, spot)}))

    async def shown(self) -> None:
        """Store that the stream need not be looked at any more unless something happens in it."""
        if self._own is not None and self._own.is_open:
            await self._write(self._own.model_copy(update={"is_open": False}))

    async def _write(self, own: Restored) -> None:
        self._own = own  # at once: other conversations of the stream add to it meanwhile
        row = own.model_dump_json(exclude_defaults=True)
        await self._store.put_records(
            self._key.tenant, UNKNOWN_POSTS, {self._key.stream: row}, member=self._hold.member
        )


async def restored_streams(store: Store) -> list[StreamKey]:
    """Return the open streams of all tenants whose posts were not looked for since the store was restored."""
    return [
        StreamKey(tenant, stream)
        for tenant in await store.tenants()
        for stream, row in (await store.records(tenant, UNKNOWN_POSTS)).items()
        if stream and Restored.model_validate_json(row).is_open
    ]


class StoredPosts:
    """
    Args:
        hold: taken before anything is read.
    """

    def __init__(self, store: Store, key: StreamKey, restored: RestoredTenants, clock: Clock, hold: Hold) -> None:
        self.hold = hold
        self.records = PostRecords(store, key, hold)
        self.doubts = Doubts(store, key, clock, hold)
        self.unknown = UnknownPosts(store, restored, key, hold)
        self._clock = clock

    async def read(self) -> dict[str, PostRecord]:
        """Return what was posted, by the key of the posts."""
        await self.doubts.read()
        await self.unknown.read()
        return await self.records.read()

    async def leave(self, under_way: Step | None, unsure: Mapping[str, PostRecord], waiting: Waiting) -> None:
        """Store what may have been done after another process began to keep the posts.

        Args:
            under_way: what was being done when that was noticed.
            unsure: posts, by key, that may have been edited before.
        """
        now = self._clock.now()
        doubts = {key: Doubt.about_edit(entry, now) for key, entry in unsure.items()}
        if isinstance(under_way, Create):
            doubts[under_way.post.key] = Doubt(channel=under_way.channel, thread=under_way.thread, since=now)
        if isinstance(under_way, Update):
            doubts[under_way.post.key] = Doubt.about_edit(under_way.entry, now)
        while doubts:
            key, doubt = next(iter(doubts.items()))
            try:
                await self.doubts.leave(key, doubt)
            except StoreError as error:
                log.warning("what was done late is not stored yet: %s", error)
                await waiting.pause(FIRST_PAUSE)
            else:
                del doubts[key]
