"""Knows where posts may stand that a restored store does not remember, until they were looked for there."""

from collections.abc import Iterator, Mapping, Sequence

from bot.posts.difference import Search, thread_of
from bot.posts.holds import Hold
from bot.posts.post_records import PostRecord
from bot.views.kit.notices import from_before_the_restore
from bot.views.kit.post import Post
from engine.kernel import Millis, Place, StreamKey, Tenant, Validated
from engine.store.port import UNKNOWN_POSTS, Store

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
        """
        Raises:
            StoreError
        """
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
        self._of_all: Restored | None = None

    async def read(self) -> None:
        """
        Raises:
            StoreError
        """
        tenant, stream = self._key
        self._of_all = await self._tenants.find(tenant)
        if self._of_all is None:
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
        if self._of_all is None:
            return None
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
        known = self._own or self._of_all
        if known is None or spot in known.looked:
            return None
        is_old = bool(place.thread) and float(place.thread) * 1_000 < known.until
        return known.since if self._own is not None or is_old else None

    async def looked(self, spot: Spot) -> None:
        """
        Raises:
            StoreError
        """
        known = self._own or self._of_all
        if known is not None:
            await self._write(known.model_copy(update={"looked": (*known.looked, spot)}))

    async def shown(self) -> None:
        """Store that the stream need not be looked at any more unless something happens in it.

        Raises:
            StoreError
        """
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


def outdated(
    wanted: Sequence[Post], shown: Mapping[str, PostRecord], channel: str, *, is_direct: bool
) -> Iterator[tuple[Post, PostRecord]]:
    """Yield what to say in the messages that were found and that nobody wants, or not yet.

    Args:
        wanted: the posts of one conversation; at least one.
        channel: the conversation's.
    """
    there = {post.key for post in wanted}
    for key, entry in shown.items():
        if entry.is_found and key not in there and entry.channel == channel and ("/" in key) == is_direct:
            said = from_before_the_restore(wanted[0].texts)
            yield Post(key, said, (), to=wanted[0].to, texts=wanted[0].texts), entry


def adopted(found: Mapping[str, PostRecord], shown: Mapping[str, PostRecord]) -> Iterator[tuple[str, PostRecord]]:
    """Yield what to remember of messages that were found: nobody knows what they show, whether they were known or not.

    Args:
        found: by post key, each as it stands in Slack.
    """
    for key, entry in found.items():
        known = shown.get(key)
        if known is None or (not known.ts and known.state != "deleted"):
            yield key, entry
        elif known.ts == entry.ts and known.state == "posted":
            yield key, known.model_copy(update={"digest": "", "is_found": True})
