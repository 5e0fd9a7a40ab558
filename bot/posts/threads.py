"""Knows which streams are shown in a thread, so that whatever is said or done there finds them without a search."""

from collections.abc import Iterable
from typing import Final

from engine.kernel import Millis, StreamKey, Tenant, Validated
from engine.store.port import Store

KIND: Final = "thread"
"""The kind of the records: ``channel/ts of what begins the thread/stream``. The one with the empty name says that the
posts of earlier versions are among them."""

Spot = tuple[str, str]
"""A channel, and the ts of the message that begins a thread in it."""


class _Joined(Validated):
    since: Millis
    """When the stream came to be shown there."""


async def streams_in(store: Store, tenant: Tenant, channel: str, thread: str) -> list[StreamKey]:
    """Return the streams that are shown in a thread: the one that began it first, then those that joined it.

    Args:
        thread: the ts of the message that begins it.

    Raises:
        StoreError
    """
    if not channel or not thread:
        return []
    since = await _since(store, tenant, (channel, thread))
    return [StreamKey(tenant, stream) for stream in sorted(since, key=lambda each: (since[each], each))]


async def streams_of_channel(store: Store, tenant: Tenant, channel: str) -> list[StreamKey]:
    """Return the streams that are shown in any thread of a channel, each once.

    Raises:
        StoreError
    """
    rows = await store.records(tenant, KIND, f"{channel}/") if channel else {}
    return [StreamKey(tenant, stream) for stream in dict.fromkeys(each.rpartition("/")[2] for each in rows)]


class Threads:
    """The threads of one stream: usually one, and another one where people deleted what began it."""

    def __init__(self, store: Store, key: StreamKey) -> None:
        self._store = store
        self._key = key
        self._known: set[Spot] = set()

    def recall(self, spots: Iterable[Spot]) -> None:
        """Take threads for stored."""
        self._known.update(spots)

    async def add(self, spot: Spot, since: Millis) -> None:
        """Store that the stream is shown in a thread, unless that is known; it comes after those that are there.

        Raises:
            StoreError
        """
        if not all(spot) or spot in self._known:
            return
        there = await _since(self._store, self._key.tenant, spot)
        if self._key.stream not in there:
            joined = max((since, *(each + 1 for each in there.values())))
            record = record_of(spot, self._key.stream)
            await self._store.put_records(self._key.tenant, KIND, {record: row_of(joined)})
        self._known.add(spot)


async def _since(store: Store, tenant: Tenant, spot: Spot) -> dict[str, Millis]:
    """Return since when each stream is shown in a thread, by the stream's name."""
    prefix = record_of(spot, "")
    rows = await store.records(tenant, KIND, prefix)
    return {row.removeprefix(prefix): _Joined.model_validate_json(said).since for row, said in rows.items()}


def record_of(spot: Spot, stream: str) -> str:
    """Return the key under which it is stored that a stream is shown in a thread."""
    return "/".join((*spot, stream))


def row_of(since: Millis) -> str:
    """Return what is stored under it."""
    return _Joined(since=since).model_dump_json()
