"""What is old is ended with all that belongs to it, whenever the process is killed; the rest stays byte for byte.

The expectation is made from the history that was drawn: which notes have ended, when, and what they belong to.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.sql import SQL, Identifier

from engine.kernel import (
    PRIVATE,
    Command,
    Decision,
    Event,
    Forgetter,
    Link,
    Millis,
    Record,
    Rulebook,
    StreamKey,
    Tenant,
    decode,
)
from engine.runtime.retention import KIND, Retained, end, over
from engine.runtime.streams import sealed
from engine.store.memory import MemoryStore
from engine.store.port import Alarm, Commit, PendingEffect, Store, Stream
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore
from tests.examples import examples

HERE, THERE = Tenant("T_HERE"), Tenant("T_THERE")
BEFORE: Final[Millis] = 1_000
OLD, YOUNG = BEFORE - 1, BEFORE
OTHERS: Final = 9
"""The number of the note that another tenant has."""
RULES: Final = "notes"


class Noted(Event):
    """Somebody's words begin a note, which may belong to another one, and be needed for longer."""

    event_type: ClassVar[str] = "note.noted"
    text: Annotated[str, PRIVATE]
    belongs_to: str = ""
    is_later: bool = False
    needed_until: Millis = 0


def evolve(state: Noted | None, event: Event) -> Noted | None:
    return event if isinstance(event, Noted) else state


def links(state: Noted) -> Sequence[Link]:
    return (Link(state.belongs_to, state.is_later, is_part=False),) if state.belongs_to else ()


def no_commands(state: Any, part: Any, whose: Any, *, command_id: str, at: Millis) -> Sequence[Command]:
    return ()


def rules(protocol: str, *, is_kept: bool = False) -> Rulebook[Any]:
    return Rulebook(
        protocol=protocol,
        initial=None,
        decide=lambda state, command: Decision(),
        evolve=evolve,
        events={Noted.event_type: Noted},
        is_open=lambda state: False,
        is_kept=is_kept,
        forgetter=Forgetter(
            twins_of=lambda state, user_id: frozenset(),
            part_of=lambda state, whose: None,
            links=links,
            quotes=lambda state, whose: True,
            leave=no_commands,
            quoting=lambda history, part, whose: frozenset(),
            erase=no_commands,
            needed_until=lambda state: state.needed_until,
        ),
    )


RULEBOOKS: Final = {RULES: rules(RULES), "kept": rules("kept", is_kept=True)}


class Note(NamedTuple):
    """What is drawn of a stream."""

    at: tuple[Millis, ...] = (OLD,)
    """Of each event."""
    protocol: str = RULES
    waits_for: str = ""
    """For an alarm (``time``), an effect (``work``), for ``readers`` who have not seen it, or for a ``person``."""
    belongs_to: int | None = None
    """The number of another note."""
    is_later: bool = False
    needed_until: Millis = 0
    records: int = 0

    @property
    def may_end(self) -> bool:
        """Whether it is old by itself."""
        is_over = not self.waits_for and self.protocol == RULES
        return is_over and self.at[-1] < BEFORE and self.needed_until < BEFORE


def name(number: int) -> str:
    return f"note-{number}"


def words(number: int) -> str:
    return f"quokka-{number}-quokka"


def gone(notes: Sequence[Note]) -> set[int]:
    """Return the notes that are to be ended: those of which no note that they are tied to has to stay."""
    ties = [{number} for number in range(len(notes))]
    for number, note in enumerate(notes):
        is_read = note.protocol != "unknown"
        if is_read and note.belongs_to is not None and note.belongs_to < len(notes):
            ties[number].add(note.belongs_to)
            ties[note.belongs_to].add(number)
    for _ in notes:
        ties = [set().union(*(ties[other] for other in each)) for each in ties]
    return {number for number, tied in enumerate(ties) if all(notes[other].may_end for other in tied)}


NOTES: Final = st.lists(
    st.builds(
        Note,
        at=st.lists(st.sampled_from((1, OLD, YOUNG)), min_size=1, max_size=3).map(lambda at: tuple(sorted(at))),
        protocol=st.sampled_from((RULES, RULES, RULES, "kept", "unknown")),
        waits_for=st.sampled_from(("", "", "", "", "person", "time", "work", "readers")),
        belongs_to=st.none() | st.integers(0, 5),
        is_later=st.booleans(),
        needed_until=st.sampled_from((0, 0, OLD, YOUNG)),
        records=st.integers(0, 3),
    ),
    min_size=1,
    max_size=6,
)


async def write(store: Store, number: int, note: Note, tenant: Tenant = HERE) -> None:
    key = StreamKey(tenant, name(number))
    told = None if note.belongs_to is None else note.belongs_to
    first = Noted(
        text=words(number),
        belongs_to="" if told is None else name(told),
        is_later=note.is_later,
        needed_until=note.needed_until,
    )
    records = [Record("act", f"U_ANN/{at}/{key.stream}", f'"{words(number)}"') for at in range(note.records)]
    body = f'{{"about":"{words(number)}"}}'
    waits_for_work = (PendingEffect(key, "ask", "ask", "", body),) if note.waits_for == "work" else ()
    await store.commit(
        Commit(
            key,
            note.protocol,
            0,
            (("begin", f"NotAllowed: {words(number)}"),),
            tuple(sealed(first, at) for at in note.at),
            waits_for_work,
            set_alarms=(Alarm(key, "close", 1, 5),) if note.waits_for == "time" else (),
            is_open=note.waits_for == "person",
            records=(*records, Record("thread", f"C_HERE/1.2/{key.stream}", '{"since":1}')),
        )
    )
    if note.waits_for != "readers":
        await store.mark_shown(key, len(note.at))
    await store.put_records(tenant, "post", {f"{key.stream}/root": '{"ts":"1.2"}'})


Everything = dict[str, tuple[Stream | None, dict[tuple[str, str], str]]]
"""By stream."""


async def everything(store: Store, tenant: Tenant = HERE) -> Everything:
    """Return each stream with its records, and under no name what belongs to none."""
    standings = await store.standings(tenant, "", 100)
    found = {each.stream: (await store.load(StreamKey(tenant, each.stream)), dict[Any, str]()) for each in standings}
    found[""] = (None, {})
    for kind, key in await store.record_places(tenant, ("", ""), 1_000):
        owner = next((part for part in key.split("/") if part.startswith("note-")), "")
        if kind != KIND:
            found.setdefault(owner, (None, {}))[1][kind, key] = (await store.records(tenant, kind, key))[key]
    return found


class Killed(Exception):
    """The process has ended here."""


async def ends(store: Store, files: set[str], kill_at: int = -1) -> int:
    """End what is old, and return after how many steps; stop in the middle of one of them where that is said."""
    steps = 0

    async def delete(key: StreamKey) -> None:
        nonlocal steps
        if steps == kill_at:
            raise Killed
        files.discard(key.stream)
        steps += 1

    async for _ in end(store, HERE, await over(store, RULEBOOKS, HERE, BEFORE), delete):
        if steps == kill_at:
            raise Killed
        steps += 1
    return steps


@asynccontextmanager
async def in_memory() -> AsyncIterator[tuple[Store, Callable[[], bytes]]]:
    store = MemoryStore()
    await store.open()
    yield store, lambda: repr((store._streams, store._records)).encode()


@asynccontextmanager
async def in_a_file() -> AsyncIterator[tuple[Store, Callable[[], bytes]]]:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "towow.db", group_seconds=5)
        await store.open()
        try:
            yield store, lambda: b"".join(each.read_bytes() for each in sorted(Path(folder).iterdir()))
        finally:
            await store.close()


TABLES: Final = ("streams", "events", "inbox", "alarms", "records")


@asynccontextmanager
async def on_postgresql(url: str) -> AsyncIterator[tuple[Store, Callable[[], bytes]]]:
    def rows() -> bytes:
        with psycopg.connect(url) as connection:
            statements = [SQL("SELECT * FROM {}").format(Identifier(each)) for each in TABLES]
            return repr([connection.execute(each).fetchall() for each in statements]).encode()

    store = PostgresStore(url)
    await store.open()
    try:
        yield store, rows
    finally:
        await store.close()


async def check(opens: Any, notes: Sequence[Note], kill_at: int) -> None:
    async with opens() as (store, bytes_of):
        for number, note in enumerate(notes):
            await write(store, number, note)
        await write(store, OTHERS, Note(records=1), THERE)
        await store.put_records(HERE, "locale", {"U_ANN": '"en"'})
        before, theirs = await everything(store), await everything(store, THERE)
        files = {*before} - {""}
        expected = {name(each) for each in gone(notes)}

        try:
            await ends(store, files, kill_at)
        except Killed:
            left = await everything(store)
            assert {each: left[each] for each in left} == {each: before[each] for each in left}, "all of it or nothing"
            await ends(store, files)

        after = await everything(store)
        assert after == {each: told for each, told in before.items() if each not in expected}
        assert files == {*after} - {""}
        assert await everything(store, THERE) == theirs
        assert all([await store.verify(StreamKey(HERE, each)) for each in files])
        await store.put_records(HERE, "locale", {"U_ANN": '"zh"'})
        held = bytes_of()
        assert [number for number in gone(notes) if words(number).encode() in held] == []
        told = [decode(row, Retained) for row in (await store.records(HERE, KIND)).values()]
        events = sum(len(notes[each].at) for each in gone(notes))
        assert told == ([Retained(protocol=RULES, streams=len(expected), events=events)] if expected else [])


@settings(max_examples=examples(60))
@given(notes=NOTES, kill_at=st.integers(-1, 8))
def test_what_is_old_goes_in_memory(notes: list[Note], kill_at: int) -> None:
    asyncio.run(check(in_memory, notes, kill_at))


@settings(max_examples=examples(25))
@given(notes=NOTES, kill_at=st.integers(-1, 8))
def test_what_is_old_goes_from_a_file(notes: list[Note], kill_at: int) -> None:
    asyncio.run(check(in_a_file, notes, kill_at))


FAMILY: Final = [
    Note(at=(1, OLD), records=3),
    Note(belongs_to=0, is_later=True),
    Note(at=(1,), waits_for="time"),
    Note(belongs_to=2),
    Note(needed_until=YOUNG),
    Note(protocol="kept"),
    Note(waits_for="readers"),
    Note(waits_for="work", records=1),
    Note(at=(OLD, YOUNG)),
]
"""The first two go, and all others stay."""


@pytest.mark.parametrize("kill_at", range(-1, 4))
async def test_what_is_old_goes_from_postgresql(kill_at: int, postgres_url: str) -> None:
    assert gone(FAMILY) == {0, 1}
    await check(partial(on_postgresql, postgres_url), FAMILY, kill_at)


async def test_however_much_there_is(tmp_path: Path) -> None:
    notes = [Note(records=1)] * 45
    async with in_a_file() as (store, _):
        for number, note in enumerate(notes):
            await write(store, number, note)
        await store.put_records(HERE, "llm_call", {f"{number:015}-sum-none": "{}" for number in range(1_200)})

        await ends(store, set())

        assert await store.standings(HERE, "", 10) == []
        assert [kind for kind, _ in await store.record_places(HERE, ("", ""), 5)] == ["llm_call"] * 5
        assert await store.records(HERE, "thread") == {}
