"""Ends what is old: streams that have ended, with their records and files, some at a time.

What belongs together ends together: an ended stream stays as long as one that was begun with its words, or that it is a
part of, is open or younger. Killed at any moment, a stream is there with all that it had but files, or it is gone with
all of it; whoever looks next goes on with what is left.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import Any, Final

from engine.errors import WrongVersion
from engine.kernel import Message, Millis, Record, Rulebook, StreamKey, Tenant, decode, encode
from engine.runtime.streams import opened
from engine.store.port import RecordPlace, Standing, Store

log = logging.getLogger(__name__)

KIND: Final = "retained"
"""Of the records that say what is known of streams that are gone: by protocol, how many there were."""

PAGE: Final = 500
"""Streams, or places of records, that are read at a time."""
MOST: Final = 2_000
"""Streams whose records are looked for at once."""
STREAMS: Final = 20
RECORDS: Final = 2_000
"""So much is deleted in one transaction, behind which whoever votes meanwhile has to wait."""

DeleteFiles = Callable[[StreamKey], Awaitable[None]]
Places = Mapping[str, Sequence[RecordPlace]]
"""By stream."""


class Retained(Message):
    """What is kept of the streams of one protocol that are gone."""

    protocol: str
    streams: int = 0
    events: int = 0


async def standings(store: Store, tenant: Tenant) -> AsyncIterator[Standing]:
    """Yield how all streams of a tenant stand, a page at a time."""
    after = ""
    while page := await store.standings(tenant, after, PAGE):
        for each in page:
            yield each
        after = page[-1].stream


async def over(
    store: Store, rulebooks: Mapping[str, Rulebook[Any]], tenant: Tenant, before: Millis, wanted: Set[str] = frozenset()
) -> list[Standing]:
    """Return the streams that are to be ended: nothing has happened to them since a time, nor to what belongs to them.

    Args:
        wanted: streams that are waited for, whatever they say themselves.
    """
    known = {each.stream: each async for each in standings(store, tenant)}
    old = {
        each.stream
        for each in known.values()
        if each.is_settled and each.last_at < before and each.stream not in wanted and _ends(rulebooks, each)
    }
    if not old:
        return []
    links: dict[str, set[str]] = {}
    for name in known:
        needed_until, others = await _needs(store, rulebooks, StreamKey(tenant, name))
        if needed_until >= before:
            old.discard(name)
        for other in others & known.keys():
            links.setdefault(name, set()).add(other)
            links.setdefault(other, set()).add(name)
    staying = [*(known.keys() - old)]
    while staying:
        linked = links.get(staying.pop(), set()) & old
        old -= linked
        staying += linked
    return [known[name] for name in sorted(old)]


async def end(
    store: Store,
    tenant: Tenant,
    gone: Sequence[Standing],
    delete_files: DeleteFiles,
    beside: Places | None = None,
) -> AsyncIterator[list[StreamKey]]:
    """Delete streams, and yield those that are gone, some at a time.

    Args:
        delete_files: called first: once the stream is gone, nobody would look for its files again.
        beside: records of the streams whose keys do not name them.

    Raises:
        StoreError
        OSError: files cannot be deleted; their stream stays.
    """
    names = {each.stream async for each in standings(store, tenant)}
    left = iter(gone)
    while chosen := [*islice(left, MOST)]:
        found = await _records_of(store, tenant, names, {each.stream for each in chosen})
        for each in chosen:
            found[each.stream] += (beside or {}).get(each.stream, ())
        for some in _portions(chosen, found):
            for each in some:
                await delete_files(StreamKey(tenant, each.stream))
            ended = await _drop(store, tenant, some, found)
            yield [StreamKey(tenant, each.stream) for each in ended]


async def _drop(store: Store, tenant: Tenant, some: Sequence[Standing], found: Places) -> Sequence[Standing]:
    """Delete some streams at once, or one by one where that cannot be; return which are gone."""
    places = [place for each in some for place in found[each.stream]]
    records = [*(Record(kind, key, None) for kind, key in places), *await _counted(store, tenant, some)]
    try:
        await store.drop(tenant, {each.stream: each.version for each in some}, records)
    except WrongVersion as error:
        log.info("%s", error)  # somebody has come in between
        if len(some) == 1:
            return ()
        return [gone for each in some for gone in await _drop(store, tenant, [each], found)]
    return some


async def _counted(store: Store, tenant: Tenant, some: Sequence[Standing]) -> list[Record]:
    stored = await store.records(tenant, KIND)
    kept: dict[str, Retained] = {key: decode(row, Retained) for key, row in stored.items()}
    for each in some:
        before = kept.get(each.protocol) or Retained(protocol=each.protocol)
        kept[each.protocol] = Retained(
            protocol=each.protocol, streams=before.streams + 1, events=before.events + each.version
        )
    return [
        Record(KIND, protocol, encode(kept[protocol])) for protocol in dict.fromkeys(each.protocol for each in some)
    ]


async def _records_of(store: Store, tenant: Tenant, names: Set[str], chosen: Set[str]) -> dict[str, list[RecordPlace]]:
    """Return where the records of some streams are: a key names its stream between slashes, before any other one."""
    found: dict[str, list[RecordPlace]] = {name: [] for name in chosen}
    after: RecordPlace = ("", "")
    while page := await store.record_places(tenant, after, PAGE):
        for kind, key in page:
            owner = next((part for part in key.split("/") if part in names), "")
            if owner in chosen and kind != KIND:
                found[owner].append((kind, key))
        after = page[-1]
    return found


def _portions(chosen: Sequence[Standing], found: Places) -> Iterator[list[Standing]]:
    some: list[Standing] = []
    records = 0
    for each in chosen:
        records += len(found[each.stream])
        if some and (len(some) == STREAMS or records > RECORDS):
            yield some
            some, records = [], len(found[each.stream])
        some.append(each)
    if some:
        yield some


def _ends(rulebooks: Mapping[str, Rulebook[Any]], standing: Standing) -> bool:
    rulebook = rulebooks.get(standing.protocol)
    return rulebook is not None and not rulebook.is_kept


async def _needs(store: Store, rulebooks: Mapping[str, Rulebook[Any]], key: StreamKey) -> tuple[Millis, frozenset[str]]:
    """Return until when a stream is needed, and which others it belongs together with."""
    stored = await store.load(key)
    rulebook = rulebooks.get(stored.protocol) if stored else None
    if stored is None or rulebook is None or rulebook.forgetter is None or not stored.version:
        return 0, frozenset()
    state = rulebook.fold([opened(each, rulebook.events) for each in stored.events])
    others = frozenset(each.stream for each in rulebook.forgetter.links(state))
    return rulebook.forgetter.needed_until(state), others
