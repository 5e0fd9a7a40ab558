"""Streams in memory: what is on disk about each."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.errors import Refusal
from engine.kernel import Millis, Rulebook, StreamKey
from engine.runtime.envelope import opened
from engine.runtime.ports import IsAbsent
from engine.store.port import Alarm, PendingEffect, StalledStream, Store, Stream

CACHE: Final = 1_024
"""Streams kept in memory that are open or still owe something; an idle one costs nothing beyond."""

ENDED: Final = 256
"""Ended streams kept in memory: their last posts are made of them, when their turn comes among hundreds."""


class Committed(NamedTuple):
    """What is committed of one stream."""

    protocol: str
    state: Any
    version: int


@dataclass(slots=True)
class Loaded:
    """A stream as it is on disk, or, while a batch is being decided, as it will be."""

    key: StreamKey
    rulebook: Rulebook[Any]
    state: Any
    version: int = 0
    commands: dict[str, str | None] = field(default_factory=dict)
    outbox: dict[str, PendingEffect] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)
    stalled_at: Millis | None = None
    revision: int = 0

    @classmethod
    def from_store(cls, stored: Stream, rulebook: Rulebook[Any]) -> "Loaded":
        return cls(
            stored.key,
            rulebook,
            rulebook.fold([opened(each, rulebook.events) for each in stored.events]),
            stored.version,
            dict(stored.commands),
            {each.effect_id: each for each in stored.outbox},
            {each.name: each for each in stored.alarms},
            stored.stalled_at,
            stored.revision,
        )

    def copy(self) -> "Loaded":
        return Loaded(
            self.key,
            self.rulebook,
            self.state,
            self.version,
            dict(self.commands),
            dict(self.outbox),
            dict(self.alarms),
            self.stalled_at,
            self.revision,
        )

    def is_current(self, alarm: Alarm) -> bool:
        """Whether a ring of this alarm still means something."""
        known = self.alarms.get(alarm.name)
        return known is not None and known.generation == alarm.generation

    def is_stalled(self, found: StalledStream) -> bool:
        """Whether nothing has happened since this was found."""
        return (self.version, self.stalled_at) == (found.version, found.since)

    def refused_before(self, command_id: str) -> Refusal | None:
        """The refusal of a command that was handled before, so that it can be refused in the same words."""
        said = self.commands[command_id]
        return None if said is None else self.rulebook.refusal(said)


class Streams:
    """A bounded cache in front of the store. Where other processes write the store too, what was kept here is returned
    only if none of them has committed anything since."""

    def __init__(self, store: Store, rulebooks: dict[str, Rulebook[Any]]) -> None:
        self._store = store
        self._rulebooks = rulebooks
        self._is_shared = store.sharing is not None
        self._open: OrderedDict[StreamKey, Loaded] = OrderedDict()
        self._ended: OrderedDict[StreamKey, Loaded] = OrderedDict()

    def cached(self, key: StreamKey) -> Loaded | None:
        """What is known here of the stream; another process may have moved it since."""
        if (loaded := self._open.get(key)) is not None:
            self._open.move_to_end(key)
            return loaded
        return self._ended.get(key)

    async def load(self, key: StreamKey) -> Loaded | None:
        """What is committed of the stream, by whomever.

        Raises:
            StoreError
        """
        if self._is_shared:
            await self._forget_if_old(key)
        if (loaded := self.cached(key)) is not None:
            return loaded
        stored = await self._store.load(key)
        if stored is None:
            self.forget(key)
            return None
        # Somebody may have loaded, or even changed, it while we read.
        if (newer := self.cached(key)) is not None and newer.revision >= stored.revision:
            return newer
        loaded = Loaded.from_store(stored, self._rulebooks[stored.protocol])
        self.keep(loaded)
        return loaded

    async def _forget_if_old(self, key: StreamKey) -> None:
        if self.cached(key) is None:
            return
        revision = await self._store.revision(key)
        known = self.cached(key)
        # One that we have committed meanwhile is newer than the answer; 0 is that of a stream that was deleted.
        if known is not None and not 0 < revision <= known.revision:
            self.forget(key)

    def keep(self, loaded: Loaded) -> None:
        """As committed."""
        is_at_work = bool(loaded.outbox) or loaded.rulebook.is_open(loaded.state)
        among, others, most = (self._open, self._ended, CACHE) if is_at_work else (self._ended, self._open, ENDED)
        others.pop(loaded.key, None)
        among[loaded.key] = loaded
        among.move_to_end(loaded.key)
        while len(among) > most:
            among.popitem(last=False)

    def forget_all(self, is_absent: IsAbsent) -> None:
        """Forget the streams of tenants that are absent: they may be deleted meanwhile."""
        for key in [each for among in (self._open, self._ended) for each in among if is_absent(each.tenant)]:
            self.forget(key)

    def forget(self, key: StreamKey) -> None:
        """What we know of it may be wrong."""
        self._open.pop(key, None)
        self._ended.pop(key, None)
