"""What one transaction is to write: the rows of streams as they will be, decided on before a byte is written.

All the works of a group are done in memory, on the rows that nobody else can change meanwhile. What is no use any more,
as at another version, is told here, and nothing has to be undone for it. Both databases write what comes of it, many
rows with one statement.

A stream's outbox is one cell of its row. Effects that stand side by side and are of one kind and scope are one group,
``[kind, scope, [effect, ...]]``; an effect is ``[effect_id, body]``, with its attempts behind where one has failed. So
ten questions to ten people fit on a page with the rest of the row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Protocol

import msgspec

from engine.errors import LeaseLost, StoreError
from engine.kernel import Millis, Record, StreamKey, Tenant
from engine.store.chain import SealedEvent, genesis, relinked, seal, without_words
from engine.store.checks import check_revision, check_version, handled_before
from engine.store.port import Alarm, Commit, PendingEffect


class _Entry(msgspec.Struct, array_like=True, gc=False):
    effect_id: str
    body: msgspec.Raw
    attempts: int = 0
    not_before: Millis = 0
    parked: bool = False


_DECODER = msgspec.json.Decoder(list[tuple[str, str, list[_Entry]]])
_ENCODER = msgspec.json.Encoder()
EMPTY = "[]"


class OutboxCell:
    """What a cell holds, to be changed and written back."""

    def __init__(self, text: str) -> None:
        self._entries = {
            entry.effect_id: (kind, scope, entry) for kind, scope, group in _DECODER.decode(text) for entry in group
        }

    def drop(self, effect_ids: Iterable[str]) -> None:
        for each in effect_ids:
            self._entries.pop(each, None)

    def add(self, effects: Sequence[PendingEffect]) -> None:
        self.drop(each.effect_id for each in effects)
        for each in effects:
            entry = _Entry(each.effect_id, msgspec.Raw(each.body), each.attempts, each.not_before, each.parked)
            self._entries[each.effect_id] = each.kind, each.scope, entry

    def reschedule(self, effect: PendingEffect) -> bool:
        """Whether it is still there."""
        found = self._entries.get(effect.effect_id)
        if found is None:
            return False
        entry = found[2]
        entry.attempts, entry.not_before, entry.parked = effect.attempts, effect.not_before, effect.parked
        return True

    @property
    def parked(self) -> int:
        return sum(entry.parked for _, _, entry in self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def owed(self) -> int:
        return len(self) - self.parked

    def text(self) -> str:
        groups = groupby(self._entries.values(), key=itemgetter(0, 1))
        return _ENCODER.encode([(*key, [_short(entry) for *_, entry in group]) for key, group in groups]).decode()


def _short(entry: _Entry) -> _Entry | tuple[str, msgspec.Raw]:
    return entry if entry.attempts or entry.not_before or entry.parked else (entry.effect_id, entry.body)


def _text(body: msgspec.Raw) -> str:
    return bytes(body).decode()


def effects_in(key: StreamKey, text: str) -> tuple[PendingEffect, ...]:
    return tuple(
        PendingEffect(key, each.effect_id, kind, scope, _text(each.body), each.attempts, each.not_before, each.parked)
        for kind, scope, group in _DECODER.decode(text)
        for each in group
    )


RecordPlace = tuple[str, str, str, str]
"""Enterprise, team, kind, key."""


@dataclass(slots=True)
class Row:
    """A stream as it will be."""

    id: int
    key: StreamKey
    version: int = 0
    revision: int = 0
    chain: bytes = b""
    unshown: int | None = None
    outbox: str = EMPTY
    owes: bool = False
    parked: int = 0
    cell: OutboxCell | None = None
    """What is in the outbox, once somebody has looked into it."""
    protocol: str = ""
    is_open: bool = True
    stalled_at: Millis | None = None
    is_new: bool = False
    has_advanced: bool = False
    shown: int = 0
    """To be marked as shown; 0 for nothing."""
    events: dict[int, SealedEvent] = field(default_factory=dict)
    """Those to be appended, by seq."""
    alarms: dict[str, Alarm | None] = field(default_factory=dict)
    commands: dict[str, str | None] = field(default_factory=dict)
    erased: set[int] = field(default_factory=set)
    """Seqs on disk whose private text goes."""
    reworded: dict[int, SealedEvent] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)
    """Of commands on disk, in the words in which they stay."""

    def written(self) -> "Row":
        """The same row, of which nothing is to be written any more."""
        self.is_new = self.has_advanced = False
        self.shown = 0
        for pending in (self.events, self.alarms, self.commands, self.erased, self.reworded, self.refusals):
            pending.clear()
        return self

    def opened_outbox(self) -> OutboxCell:
        if self.cell is None:
            self.cell = OutboxCell(self.outbox)
        return self.cell


class Known(Protocol):
    """What is on disk of whatever the works are about."""

    def row(self, key: StreamKey) -> Row | None: ...

    def new_id(self) -> int:
        """Return the id of a new stream."""

    def has_handled(self, stream: int, command_id: str) -> bool: ...

    def is_member(self, name: str) -> bool:
        """Return whether the time of somebody who writes is not over."""

    def history(self, key: StreamKey) -> Sequence[SealedEvent]: ...

    def refusals(self, key: StreamKey) -> Mapping[str, str]:
        """Return what commands were refused with, by their ids."""


class Transaction:
    """What works are done on."""

    def __init__(self, known: Known) -> None:
        self.rows: dict[StreamKey, Row] = {}
        """Those that works were about."""
        self.records: dict[RecordPlace, str | None] = {}
        self.commits: list[Commit] = []
        self.appended: list[tuple[Row, int]] = []
        """Streams and seqs of events, in the order in which they came."""
        self._known = known

    def attempt(self, work: "Work") -> Exception | None:
        """Do a work, or return why it is too late for it: then nothing of it was done."""
        try:
            work.do(self)
        except StoreError as error:
            return error
        return None

    def keep(self, commit: Commit) -> None:
        """Write a commit."""
        row = self._row(commit.key)
        if row is None:
            row = Row(0, commit.key, chain=genesis(commit.key), protocol=commit.protocol, is_new=True)
        check_version(commit, row.version)
        check_revision(commit, row.revision)
        commands = dict(commit.commands)
        if len(commands) < len(commit.commands) or any(self._has_handled(row, each) for each in commands):
            raise handled_before(commit)
        before = self._known.history(commit.key) if commit.reword else ()
        history = relinked(commit.key, row.chain, before, dict(commit.reword)) if commit.reword else None
        sealed = seal(history[-1].chain if history else row.chain, commit.events)
        if row.is_new and row.id == 0:
            row.id = self._known.new_id()
        self.rows[commit.key] = row
        if history:
            row.reworded = {
                seq: new for seq, (old, new) in enumerate(zip(before, history, strict=True), start=1) if old != new
            }
            row.chain = history[-1].chain
        self.appended += [(row, row.version + nth) for nth in range(1, len(sealed) + 1)]
        _advance(row, commit, sealed)
        if commit.erase:
            self._erase(row, commit.erase)
        self.put(commit.key.tenant, commit.records)
        self.commits.append(commit)

    def _erase(self, row: Row, seqs: Sequence[int]) -> None:
        wanted = set(seqs)
        row.events = {seq: each.without_private() if seq in wanted else each for seq, each in row.events.items()}
        row.erased |= wanted - row.events.keys()
        row.commands = {each: said and without_words(said) for each, said in row.commands.items()}
        refused = self._known.refusals(row.key)
        row.refusals = {each: without_words(said) for each, said in refused.items()}

    def reschedule(self, effect: PendingEffect) -> None:
        row = self._row(effect.key)
        if row is not None:
            row.opened_outbox().reschedule(effect)

    def mark_shown(self, key: StreamKey, version: int) -> None:
        row = self._row(key)
        if row is not None:
            row.shown = max(row.shown, version)

    def put_records(self, tenant: Tenant, records: Sequence[Record], member: str) -> None:
        """Write records, or delete those without a value."""
        if member and not self._known.is_member(member):
            raise LeaseLost("This process was away for too long, and others go on in its place; nothing was kept.")
        self.put(tenant, records)

    def put(self, tenant: Tenant, records: Sequence[Record]) -> None:
        for each in records:
            self.records[tenant.enterprise_id, tenant.team_id, each.kind, each.key] = each.value

    def _row(self, key: StreamKey) -> Row | None:
        row = self.rows.get(key)
        if row is None and (row := self._known.row(key)) is not None:
            self.rows[key] = row
        return row

    def _has_handled(self, row: Row, command_id: str) -> bool:
        return command_id in row.commands or (not row.is_new and self._known.has_handled(row.id, command_id))


@dataclass(frozen=True, slots=True)
class Work:
    """What a caller wants written."""

    do: Callable[[Transaction], None]
    key: StreamKey | None = None
    """The stream that is locked for it."""
    commit: Commit | None = None
    member: str = ""

    @property
    def is_alone(self) -> bool:
        """Whether it is about what is on disk already, and not about what others write in the same transaction."""
        return self.commit is not None and bool(self.commit.erase or self.commit.reword)


def _advance(row: Row, commit: Commit, sealed: Sequence[SealedEvent]) -> None:
    row.events |= enumerate(sealed, start=row.version + 1)
    row.version += len(sealed)
    row.chain = sealed[-1].chain if sealed else row.chain
    row.revision += 1
    row.is_open, row.stalled_at, row.has_advanced = commit.is_open, commit.stalled_at, True
    row.commands |= commit.commands
    if commit.add_effects or commit.drop_effects:
        cell = row.opened_outbox()
        cell.drop(commit.drop_effects)
        cell.add(commit.add_effects)
    row.alarms |= dict.fromkeys(commit.clear_alarms)
    row.alarms |= {alarm.name: alarm for alarm in commit.set_alarms}
