"""Whatever is done to both, the file and the dicts say the same: memory is the model that SQLite is held to."""

import asyncio
import json
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.errors import StoreError
from engine.kernel import Record, StreamKey, Tenant
from engine.store.memory import MemoryStore
from engine.store.port import Alarm, Commit, NewEvent, PendingEffect, StalledStream, Store, StoredEvent, Stream
from engine.store.sqlite import SqliteStore
from tests.examples import examples

from .words import ACME, BEES

KEYS = [StreamKey(tenant, name) for tenant in (ACME, BEES) for name in ("meetup", "picnic")]

keys = st.sampled_from(KEYS)
KINDS = ["a", "b", "c", "ab"]
names = st.sampled_from(KINDS)
kinds = st.sampled_from(["ask", "tell"])
numbers = st.integers(0, 5)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)
"""No JSON has a zero in it, and PostgreSQL keeps none."""
events = st.builds(NewEvent, names, numbers, public=texts, private=st.none() | texts)

commands = st.tuples(st.integers(0, 40).map(lambda number: f"command-{number}"), st.none() | names)
records = st.builds(Record, names, key=st.text("ab%", max_size=3), value=st.none() | names)


@st.composite
def steps(draw: st.DrawFn, key: StreamKey) -> Commit:
    """A commit whose version is how far it is off, to be corrected by the stream's."""
    return Commit(
        key,
        draw(st.sampled_from(["negotiation", "delivery"])),
        expected_version=draw(st.sampled_from([0, 0, 0, 0, 0, 0, -1, 1])),
        commands=tuple(draw(st.lists(commands, max_size=2))),
        events=tuple(draw(st.lists(events, max_size=3))),
        add_effects=tuple(
            PendingEffect(key, name, draw(kinds), draw(kinds), json.dumps({"about": draw(st.text(max_size=5))}))
            for name in draw(st.lists(names, max_size=2, unique=True))
        ),
        drop_effects=tuple(draw(st.lists(names, max_size=2))),
        set_alarms=tuple(Alarm(key, name, draw(numbers), draw(numbers)) for name in draw(st.lists(names, max_size=2))),
        clear_alarms=tuple(draw(st.lists(names, max_size=1))),
        is_open=draw(st.booleans()),
        erase=tuple(draw(st.lists(st.integers(1, 6), max_size=2))),
        records=tuple(draw(st.lists(records, max_size=3))),
        stalled_at=draw(st.none() | numbers),
    )


commits = keys.flatmap(steps)


def _unchained(answer: Any) -> Any:
    """Each store salts private texts by itself, so their chains differ."""
    return replace(answer, chain=b"") if isinstance(answer, Stream) else answer


class BothStores(RuleBasedStateMachine):
    """Does everything to both and expects the same answer."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.memory: Store = MemoryStore()
        self.other: Store = SqliteStore(Path(self.folder.name) / "towow.db")
        self.begin()
        self.both(lambda store: store.open())

    def begin(self) -> None:
        """Choose other stores, if that is wanted."""

    def teardown(self) -> None:
        self.both(lambda store: store.close())
        self.loop.close()
        self.folder.cleanup()

    def both(self, do: Callable[[Store], Awaitable[Any]]) -> Any:
        remembered, stored = self.loop.run(_each(do, self.memory, self.other))
        assert _unchained(stored) == _unchained(remembered)
        return stored

    @rule(commits=st.lists(commits, min_size=1, max_size=4))
    def commit_at_once(self, commits: list[Commit]) -> None:
        at_once = [self.corrected(commit) for commit in commits]
        self.both(lambda store: _outcomes(store, at_once))

    def corrected(self, commit: Commit) -> Commit:
        stream = self.both(lambda store: store.load(commit.key))
        return replace(commit, expected_version=(stream.version if stream else 0) + commit.expected_version)

    @rule(key=keys, name=names, attempts=numbers, not_before=numbers, parked=st.booleans())
    def reschedule(self, key: StreamKey, name: str, attempts: int, not_before: int, parked: bool) -> None:
        tried = PendingEffect(key, name, "ask", "round-1", "", attempts, not_before, parked)
        self.both(lambda store: store.reschedule(tried))

    @rule(key=keys, version=st.integers(0, 8))
    def mark_shown(self, key: StreamKey, version: int) -> None:
        self.both(lambda store: store.mark_shown(key, version))

    @rule(
        tenant=st.sampled_from([ACME, BEES]),
        kind=names,
        records=st.dictionaries(st.text("ab%", max_size=3), st.none() | names),
    )
    def put_records(self, tenant: Tenant, kind: str, records: dict[str, str | None]) -> None:
        self.both(lambda store: store.put_records(tenant, kind, records))

    @rule()
    def open_again(self) -> None:
        self.both(lambda store: store.close())
        self.both(lambda store: store.open())

    @rule(before=numbers, limit=st.integers(1, 3), tenant=st.sampled_from([ACME, BEES]), kind=names, prefix=names)
    def read_pages(self, before: int, limit: int, tenant: Tenant, kind: str, prefix: str) -> None:
        self.both(lambda store: store.due(before, limit))
        self.both(lambda store: store.lagging(limit))
        self.both(lambda store: _all_owed(store, limit))
        self.both(lambda store: store.events(tenant, before, limit))
        self.both(lambda store: store.records(tenant, kind, prefix))

    @rule(
        tenant=st.sampled_from([ACME, BEES]),
        kind=names,
        prefix=st.text("ab%", max_size=1),
        limit=st.none() | st.integers(0, 3),
        after=st.none() | st.text("ab%", max_size=3),
        reverse=st.booleans(),
    )
    def read_records(
        self, tenant: Tenant, kind: str, prefix: str, limit: int | None, after: str | None, reverse: bool
    ) -> None:
        self.both(lambda store: _in_order(store, tenant, kind, prefix, limit=limit, after=after, reverse=reverse))

    @invariant()
    def both_hold_the_same(self) -> None:
        for key in KEYS:
            self.stream_is_the_same(key)
        for tenant in (ACME, BEES):
            self.both(partial(_all_events, tenant=tenant))
            self.both(partial(_all_records, tenant=tenant))
        self.both(lambda store: store.next_due())
        self.both(_all_stuck)
        self.both(lambda store: store.counts())

    def stream_is_the_same(self, key: StreamKey) -> None:
        stream = self.both(lambda store: store.load(key))
        verified = self.both(lambda store: store.verify(key))
        assert verified is (stream is not None)


async def _each(do: Callable[[Store], Awaitable[Any]], *stores: Store) -> list[Any]:
    return [await do(store) for store in stores]


async def _outcomes(store: Store, commits: Sequence[Commit]) -> list[str]:
    """What each of those that commit at once was told."""
    outcomes = await asyncio.gather(*(store.commit(commit) for commit in commits), return_exceptions=True)
    for outcome in outcomes:
        if outcome is not None and not isinstance(outcome, StoreError):
            raise outcome
    return [repr(outcome) for outcome in outcomes]


async def _all_events(store: Store, tenant: Tenant) -> Sequence[StoredEvent]:
    return await store.events(tenant, after=0, limit=1_000)


async def _all_records(store: Store, tenant: Tenant) -> list[Mapping[str, str]]:
    return [await store.records(tenant, kind) for kind in KINDS]


async def _in_order(store: Store, tenant: Tenant, kind: str, prefix: str, **page: Any) -> list[tuple[str, str]]:
    return list((await store.records(tenant, kind, prefix, **page)).items())


async def _all_owed(store: Store, limit: int) -> list[PendingEffect]:
    """Page by page."""
    found: list[PendingEffect] = []
    page, after = await store.pending_effects(0, limit)
    while page:
        found += page
        page, after = await store.pending_effects(after, limit)
    return found


TestBothStores = BothStores.TestCase
TestBothStores.settings = settings(max_examples=examples(10), stateful_step_count=20, deadline=None)


async def _all_stuck(store: Store) -> set[StalledStream]:
    """Of several at one time, either may come first."""
    return {*await store.stalled(10, 100)}
