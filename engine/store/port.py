"""The promise every store keeps. One suite (tests/store) runs over all of them.

The truth changes in one way only: an atomic `Commit` to one stream at an expected version. Its command id is the
inbox that makes a redelivered command a duplicate. `records` lie beside the streams: what is asked across them, written
in the commit that causes it, and what bot-side code keeps about the outside world (what was posted where).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from engine.kernel import KeyRange, Millis, Record, StreamKey, Tenant
from engine.store.health import StoreHealth
from engine.store.sharing import Sharing

UNKNOWN_POSTS: Final = "unknown_posts"
"""The kind of the records, by stream, of a store that was restored or brought from elsewhere: posts may exist that it
does not remember. One more, by an empty name, is about all streams of the tenant. Each is JSON: the posts were made
after ``since`` and before ``until``; ``is_open`` says that the stream is. Whoever posts looks for them first."""

TRACES: Final = "traces"
"""The kind of the records, by stream, of what led to its newest events: a W3C traceparent. They are written where
traces are collected, so that what is posted belongs to the same trace, whichever process posts it."""


class NewEvent(NamedTuple):
    """An event on its way to disk.

    ``public`` is JSON without the private fields; ``private`` is JSON of those alone, or None where there are none.
    """

    event_type: str
    at: Millis
    public: str
    private: str | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it was read. ``private`` is None where there was none or it was erased."""

    key: StreamKey
    position: int
    """In the global order: monotonic, without promise to be gap-free."""
    seq: int
    """In its stream, from 1."""
    event_type: str
    at: Millis
    public: str
    private: str | None
    erased: bool = False


class PendingEffect(NamedTuple):
    """An effect that is not done yet. ``effect_id`` is unique within its stream."""

    key: StreamKey
    effect_id: str
    kind: str
    scope: str
    body: str
    """The rest of the effect as JSON; of an earlier ToWow, all of it."""
    attempts: int = 0
    not_before: Millis = 0
    parked: bool = False
    """Tried as often as allowed, and no rule answers for its failure: visible, blocks nobody."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """``generation`` is the stream's version at which it was set: a ring of an older one is stale."""

    key: StreamKey
    name: str
    generation: int
    due: Millis


@dataclass(frozen=True, slots=True)
class StalledStream:
    """A stream that nothing has happened to until ``since``, at this version, though something should have."""

    key: StreamKey
    version: int
    since: Millis


@dataclass(frozen=True, slots=True)
class Commit:
    """What a batch of commands to one stream leads to. All of it is on disk when `Store.commit` returns, or none.

    It drops effects before it adds some, clears alarms before it sets some, and erases last. Adding an effect that is
    there, setting an alarm that is set, or writing a record that is there, replaces it. To drop, clear, delete or erase
    what is not there is no error.
    """

    key: StreamKey
    protocol: str
    expected_version: int
    """The seq of the stream's last event before this commit; 0 for a new stream."""
    commands: tuple[tuple[str, str | None], ...] = ()
    """Id of each command, with ``Name: message`` of its refusal, if it was refused: the same command again gets the
    same answer. The outcome of an effect is not among them: once its effect is dropped, it is known for a duplicate."""
    events: tuple[NewEvent, ...] = ()
    add_effects: tuple[PendingEffect, ...] = ()
    drop_effects: tuple[str, ...] = ()
    """Ids of effects done or voided."""
    set_alarms: tuple[Alarm, ...] = ()
    clear_alarms: tuple[str, ...] = ()
    is_open: bool = True
    erase: tuple[int, ...] = ()
    """Seqs whose private text is erased. The chain stays verifiable: it hashes digests. What commands were refused with
    may name people, so it is erased for the whole stream."""
    records: tuple[Record, ...] = ()
    """Of the stream's tenant, written in turn: `Store.records` finds them among those of `Store.put_records`."""
    stalled_at: Millis | None = None
    """When the stream counts as stalled, unless something happens before; None where nobody has to look."""
    epoch: int | None = None
    """Of the lease under which it was decided (`Store.lease`); None for a tool that writes beside a runtime."""
    expected_revision: int | None = None
    """The stream's revision when this was decided; None to have the version alone looked at, as whoever has the store
    to itself does."""
    reword: tuple[tuple[int, str], ...] = ()
    """Seqs, before this commit, with what is public of them without the texts that an earlier version kept there. The
    chain is linked anew from the first of them, before the events of this commit, which say so. What was not what the
    chain said is refused."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Everything stored about one stream."""

    key: StreamKey
    protocol: str
    version: int
    events: tuple[StoredEvent, ...]
    commands: Mapping[str, str | None]
    """Command ids handled so far, each with its refusal, if it was refused; no outcomes of effects."""
    outbox: tuple[PendingEffect, ...]
    alarms: tuple[Alarm, ...]
    stalled_at: Millis | None = None
    chain: bytes = b""
    """The hash of the last event, and through it of all."""
    revision: int = 0
    """Grows by one with every commit, also with one that has no event, such as a refusal: where several processes use
    the store at once, none of them can tell by the version alone that what it knows is old. Else always 0."""


class Standing(NamedTuple):
    """What can be told of a stream without its events."""

    stream: str
    protocol: str
    version: int
    is_settled: bool
    """Whether it has ended, and nothing is waited for: neither an effect nor an alarm, and all of it was shown. An
    effect that is parked is waited for by nobody."""
    last_at: Millis
    """When the last thing happened."""


RecordPlace = tuple[str, str]
"""Kind and key, within a tenant."""


@dataclass(frozen=True, slots=True)
class Lag:
    """A stream whose posts may be behind: shown < version."""

    key: StreamKey
    version: int
    shown: int


class Store(Protocol):
    """Safe to use from many tasks of one event loop."""

    @property
    def health(self) -> StoreHealth:
        """What went wrong with it while it was used."""

    @property
    def sharing(self) -> Sharing | None:
        """What the processes that use it at once agree by; None where one has it to itself."""

    async def open(self) -> None:
        """Ready to be used; creates what is missing.

        Raises:
            StoreUnusable: corrupt, read-only, or of a newer ToWow.
        """

    async def close(self) -> None: ...

    async def load(self, key: StreamKey) -> Stream | None: ...

    async def revision(self, key: StreamKey) -> int:
        """Return the revision of a stream as it is committed now; 0 where there is none, or where one process has the
        store to itself. It costs less than `load`."""

    async def lease(self, *, take_over: bool = False) -> int:
        """Become the one who decides: the epoch to commit with. It ends with `release`, or when the store is closed.

        Args:
            take_over: end somebody else's lease; whatever that one commits from now on is refused.

        Raises:
            StoreUnusable: somebody else holds it.
        """

    async def release(self, epoch: int) -> None:
        """End this lease, if it is still the current one."""

    async def commit(self, commit: Commit, *, urgent: bool = False) -> None:
        """Commit a batch of commands; durable on return.

        Commits of different streams that arrive while another is being written share the next transaction; a bad one
        fails alone.

        Args:
            urgent: a person waits for it: it is written before whatever nobody waits for.

        Raises:
            WrongVersion: the stream moved, or its revision did, or a command id is known already; nothing was kept.
            LeaseLost: the lease of its epoch has ended; nothing was kept.
            StoreUnavailable: nothing is known to be kept; load again before trying again.
            ValueError: it can never be kept: it names several streams, its text is no text (half a surrogate pair), or
                it rewords a history that is not what was written.
        """

    async def reschedule(self, effect: PendingEffect) -> None:
        """Remember a failed attempt: `attempts`, `not_before` and `parked` are written to the effect in its outbox."""

    async def pending_effects(self, after: int, limit: int) -> tuple[Sequence[PendingEffect], int]:
        """The unparked effects of so many streams, stream by stream, each stream's oldest first.

        Args:
            after: a cursor; 0 at first.

        Returns:
            The effects, and the next cursor; the same one once there is nothing more.
        """

    async def due(self, before: Millis, limit: int) -> Sequence[Alarm]:
        """Alarms with ``due <= before``, soonest first."""

    async def next_due(self) -> Millis | None:
        """When the soonest of all alarms is due."""

    async def stalled(self, before: Millis, limit: int) -> Sequence[StalledStream]:
        """Streams with ``stalled_at <= before``, the one that is stalled for longest first."""

    async def events(self, tenant: Tenant, after: int, limit: int) -> Sequence[StoredEvent]:
        """One tenant's events in global order, from a position (exclusive)."""

    async def last_position(self) -> int:
        """Of the newest event of all tenants in the global order; 0 where there is none."""

    async def verify(self, key: StreamKey) -> bool:
        """Whether every digest and chain hash of the stream is what its rows say; False where there is no stream."""

    async def lagging(self, limit: int) -> Sequence[Lag]:
        """Streams with ``shown < version``, the one with the oldest unshown event first."""

    async def mark_shown(self, key: StreamKey, version: int) -> None:
        """The outside has seen this version. Never goes back, and never beyond what there is."""

    async def put_records(
        self, tenant: Tenant, kind: str, records: Mapping[str, str | None], *, member: str = ""
    ) -> None:
        """Write JSON values by key, all or none; None deletes.

        Args:
            member: who writes what only its holder may write (`Sharing.hold`): nothing is kept once its time is over.

        Raises:
            LeaseLost: it is over.
        """

    async def records(
        self,
        tenant: Tenant,
        kind: str,
        prefix: str = "",
        *,
        limit: int | None = None,
        after: str | None = None,
        reverse: bool = False,
    ) -> Mapping[str, str]:
        """Records of a kind whose key starts with ``prefix``, in the order of their keys.

        Args:
            limit: at most so many; None: all.
            after: only those that come after this key, in the order in which they are read.
            reverse: the last key comes first.
        """

    async def tenants(self) -> Sequence[Tenant]:
        """Those that have records of any kind, in order."""

    async def records_in(self, tenant: Tenant, ranges: Sequence[KeyRange]) -> Mapping[str, str]:
        """Records of the tenant in any of these ranges, by key."""

    async def touch(self) -> None:
        """Write a little that changes nothing."""

    async def purge(self, tenant: Tenant) -> None:
        """Delete every row of a tenant: its streams with all that belongs to them, its records, and what is shared.

        Killed in between, some rows are left; purging again deletes them. Nothing may be committed to its streams
        meanwhile. Positions of deleted events are not given to others.
        """

    async def standings(self, tenant: Tenant, after: str, limit: int) -> Sequence[Standing]:
        """How the tenant's streams stand, in the order of their names, from a name (exclusive)."""

    async def record_places(self, tenant: Tenant, after: RecordPlace, limit: int) -> Sequence[RecordPlace]:
        """Where the tenant's records are, in order, from a place (exclusive)."""

    async def drop(self, tenant: Tenant, streams: Mapping[str, int], records: Sequence[Record]) -> None:
        """Delete some settled streams with all that belongs to them, and write some records; all or nothing.

        What is deleted waits for a transaction to itself: of many streams, some at a time. Positions of deleted events
        are not given to others.

        Args:
            streams: with the version of each.

        Raises:
            WrongVersion: one of them is not settled, or not at its version.
        """

    async def open_streams(self, tenant: Tenant, limit: int) -> int:
        """Return how many streams of a tenant are open; at most so many are counted."""

    async def counts(self) -> Mapping[str, int]:
        """Rows by kind (streams, open_streams, events, owed, parked, alarms): for health and for tests.

        A parked effect is not among the owed. It costs no more where more streams have ended.
        """
