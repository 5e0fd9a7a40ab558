"""Each stream's events, ready to be sent, shared by everybody who reads them.

One task reads the store, however many readers there are. A reader is a number: how far it has come in the stream's
events. What happened before it came and what happens from now on are in one list, so that there is neither a gap nor
anything twice between them; whoever reads slowly holds up nobody and costs no memory.
"""

import asyncio
import bisect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

from bot.api.part import NOBODY, ApiPart, Reader
from bot.descriptions import Descriptions, by_event_type
from engine.errors import StoreError, UnknownStream
from engine.kernel import Millis, StreamKey, Tenant, payload
from engine.runtime.clock import Clock
from engine.runtime.streams import Envelope, envelope_of, event_id, opened
from engine.store.port import Store, StoredEvent

log = logging.getLogger(__name__)

PAGE: Final = 500
"""Events read at once."""

PAUSE: Final[Millis] = 1_000
"""Until the store is read again after an error."""

DEEPEST: Final = 20_000
"""Positions that are looked through for the latest events."""

CountEvent = Callable[[StoredEvent], None]


@dataclass(frozen=True, slots=True)
class Owner:
    """The protocol that an event is of."""

    described: Descriptions
    part: ApiPart


def told(stored: StoredEvent, owner: Owner, reader: Reader) -> Envelope:
    """Return what a reader may know of an event, whenever it is read.

    Words that are not theirs to read are empty, as they would be once erased; the rest is as the protocol makes it
    public.
    """
    described = owner.described
    assert described.public_payload is not None  # noqa: S101 - other protocols' events are not told
    event = owner.part.told(opened(stored, described.events), reader)
    return envelope_of(stored, described.public_payload(stored.event_type, payload(event)))


@dataclass(frozen=True, slots=True)
class Frame:
    """One event as server-sent events have it."""

    position: int
    event_id: str
    data: bytes


def frame(stored: StoredEvent, owner: Owner, reader: Reader) -> Frame:
    said = told(stored, owner, reader).model_dump_json()
    return Frame(stored.position, event_id(stored.key, stored.seq), f"id: {stored.position}\ndata: {said}\n\n".encode())


class Framing(Protocol):
    """Tells a stream's events to whoever may know the same of them, one after the other from its first."""

    @property
    def end(self) -> bytes | None:
        """Return the last frame of a stream that has ended; None while events may follow."""

    def frames_of(self, stored: StoredEvent) -> Sequence[Frame]:
        """What is told of the next event; nothing, or several things. The last one's id is the event's
        position."""


Owners = Mapping[str, Owner]
"""By event type."""
MakeFraming = Callable[[Owners, Reader], Framing]


@dataclass(frozen=True, slots=True)
class Envelopes:
    """Tells each event in its envelope, without end."""

    owners: Owners
    reader: Reader

    @property
    def end(self) -> bytes | None:
        return None

    def frames_of(self, stored: StoredEvent) -> Sequence[Frame]:
        return (frame(stored, self.owners[stored.event_type], self.reader),)


@dataclass(slots=True, eq=False)
class Feed:
    """One stream's events, from its first, while somebody reads them who may know as much of them."""

    key: StreamKey
    framing: Framing
    frames: list[Frame] = field(default_factory=list)
    taken: int = 0
    """Events that the frames are made of."""
    wakes: set[asyncio.Event] = field(default_factory=set)
    """Of its readers: set whenever there is more."""
    loading: asyncio.Lock = field(default_factory=asyncio.Lock)
    is_loaded: bool = False
    has_moved: bool = False
    """Something happened while it was being loaded."""

    def after(self, last_event_id: str) -> int:
        """Return the index of the first frame after the event with this id; 0 where no event has it."""
        if last_event_id.isdecimal():
            position = int(last_event_id)
            if self.frames and position > self.frames[-1].position:
                return 0
            return bisect.bisect_right(self.frames, position, key=lambda each: each.position)
        known = (place for place, each in enumerate(self.frames, 1) if each.event_id == last_event_id)
        return next(known, 0)

    def add(self, stored: StoredEvent) -> None:
        self.frames.extend(self.framing.frames_of(stored))
        self.taken += 1

    def take(self, stored: StoredEvent) -> None:
        """Append an event that was read from the store, in order; ignore one that is here already."""
        if not self.is_loaded:
            self.has_moved = True
        elif stored.seq == self.taken + 1:
            self.add(stored)
            for wake in self.wakes:
                wake.set()


class Feeds:
    """
    Args:
        tenant: whose events.
        clock: by which the store is given time to recover.
        count_event: called with each event that is told and happens from now on.
        descriptions: of all protocols; they say which events are told.
        parts: by protocol; they say to whom.
    """

    def __init__(
        self,
        store: Store,
        tenant: Tenant,
        clock: Clock,
        count_event: CountEvent,
        descriptions: Sequence[Descriptions],
        parts: Mapping[str, ApiPart],
    ) -> None:
        self._store = store
        self._tenant = tenant
        self._clock = clock
        self._count_event = count_event
        described = by_event_type(each for each in descriptions if each.public_payload is not None)
        self._owners = {name: Owner(each, parts.get(each.protocol, ApiPart())) for name, each in described.items()}
        self._feeds: dict[str, dict[tuple[Reader, MakeFraming], Feed]] = {}
        """By stream."""
        self._moved = asyncio.Event()
        self._position = 0
        """Up to where the store was read."""

    def notice(self, key: StreamKey) -> None:
        """Note that something was committed. Any number of notices cost one read of the store."""
        if key.tenant == self._tenant:
            self._moved.set()

    async def start(self) -> None:
        """Begin at the newest event, and follow the store from there."""
        self._position = await self._store.last_position()
        self._moved.set()  # something may have been committed before anybody could notice it

    async def read(self) -> None:
        """Hand on events as they are committed, for ever."""
        while True:
            await self._moved.wait()
            self._moved.clear()
            try:
                await self._catch_up()
            except StoreError as error:
                log.warning("events wait for the store: %s", error)
                self._moved.set()
                await self._clock.until(self._clock.after(PAUSE))

    async def _catch_up(self) -> None:
        """Read to the end. What is committed meanwhile is noticed, and read the next time."""
        is_full = True
        while is_full:
            page = await self._store.events(self._tenant, self._position, PAGE)
            for stored in page:
                self._hand_on(stored)
                self._position = stored.position
            is_full = len(page) == PAGE

    def _hand_on(self, stored: StoredEvent) -> None:
        if stored.event_type not in self._owners:
            return
        self._count_event(stored)
        for feed in self._feeds.get(stored.key.stream, {}).values():
            feed.take(stored)

    @asynccontextmanager
    async def following(
        self, stream: str, wake: asyncio.Event, reader: Reader = NOBODY, framing: MakeFraming = Envelopes
    ) -> AsyncIterator[Feed]:
        """Keep a stream's feed loaded; ``wake`` is set whenever there is more in it."""
        feeds = self._feeds.setdefault(stream, {})
        feed = feeds.get((reader, framing))
        if feed is None:
            feed = Feed(StreamKey(self._tenant, stream), framing(self._owners, reader))
            feeds[reader, framing] = feed
        feed.wakes.add(wake)
        try:
            async with feed.loading:
                if not feed.is_loaded:
                    await self._load(feed)
            yield feed
        finally:
            feed.wakes.discard(wake)
            if not feed.wakes:
                del feeds[reader, framing]
            if not feeds:
                self._feeds.pop(stream, None)

    async def _load(self, feed: Feed) -> None:
        while True:
            feed.has_moved = False
            stored = await self._store.load(feed.key)
            if stored is None:
                raise UnknownStream(f"There is nothing called {feed.key.stream} here.")
            if not feed.has_moved:  # else an event may be missing that came while it was being loaded
                for each in stored.events:
                    feed.add(each)
                feed.is_loaded = True
                return

    async def recent(self, count: int, reader_of: Callable[[str], Awaitable[Reader | None]]) -> Sequence[Envelope]:
        """Return the latest events of the streams that have a reader, oldest first."""
        last, width = await self._store.last_position(), 2 * count
        while True:
            page = await self._store.events(self._tenant, max(0, last - width), width)
            known = [each for each in page if each.event_type in self._owners]
            readers = [(each, await reader_of(each.key.stream)) for each in known]
            found = [(each, reader) for each, reader in readers if reader is not None]
            if len(found) >= count or width >= min(last, DEEPEST):
                return [told(each, self._owners[each.event_type], reader) for each, reader in found[-count:]]
            width = min(4 * width, DEEPEST)
