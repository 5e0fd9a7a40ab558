"""Whatever arrives while one transaction is synced shares the next; each batch succeeds or fails by itself."""

import asyncio
import struct
from pathlib import Path

import pytest

from engine.errors import StoreUnavailable, WrongVersion
from engine.kernel import StreamKey
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.writes import AT_ONCE

from .words import ACME, MEETUP, PICNIC, alarm, effect, row, said, step

STREAMS = [StreamKey(ACME, f"demand-{number}") for number in range(100)]


async def test_commits_that_arrive_together_share_a_transaction(sqlite: SqliteStore, path: Path) -> None:
    await asyncio.gather(*(sqlite.commit(step(key, events=[said()])) for key in STREAMS))

    assert transactions(path) == 1
    assert (await sqlite.counts())["events"] == 100


async def test_commits_that_arrive_during_a_transaction_share_the_next(sqlite: SqliteStore, path: Path) -> None:
    first = asyncio.create_task(sqlite.commit(step(MEETUP, events=[said()] * 500)))
    await asyncio.wait([first], timeout=0)

    await asyncio.gather(first, *(sqlite.commit(step(key, events=[said()])) for key in STREAMS))

    assert transactions(path) == 2


async def test_all_of_many_are_changed_and_nothing_else(sqlite: SqliteStore, path: Path) -> None:
    """More than one statement takes: of each kind that is written for many at once."""
    many = [StreamKey(ACME, f"demand-{number}") for number in range(2 * AT_ONCE + 3)]
    set_before = [
        step(
            key,
            events=[said()],
            add=[effect("ask", key)],
            alarms=[alarm("close", 5, key), alarm("remind", 4, key)],
            records=[row(f"{key.stream}/stays"), row(f"{key.stream}/goes"), row(f"{key.stream}/goes", kind="agenda")],
        )
        for key in (*many, PICNIC)
    ]
    await asyncio.gather(*map(sqlite.commit, set_before))

    changed = [
        step(
            key,
            1,
            events=[said()],
            drop=["ask"],
            clear=["close"],
            records=[row(f"{key.stream}/goes", None), row(f"{key.stream}/goes", None, kind="agenda")],
            is_open=number % 2 == 0,
            stalled_at=number,
        )
        for number, key in enumerate(many)
    ]
    before = transactions(path)
    await asyncio.gather(*map(sqlite.commit, changed))

    assert transactions(path) - before <= 2
    for number, key in enumerate(many):
        stream = await sqlite.load(key)
        assert stream is not None
        assert (stream.version, stream.stalled_at, stream.outbox) == (2, number, ())
        assert [each.name for each in stream.alarms] == ["remind"]
        assert await sqlite.verify(key)
    counts = await sqlite.counts()
    assert (counts["owed"], counts["alarms"]) == (1, len(many) + 2)
    assert set(await sqlite.records(ACME, "vote")) == {
        *(f"{key.stream}/stays" for key in many), f"{PICNIC.stream}/stays", f"{PICNIC.stream}/goes",
    }  # fmt: skip
    assert set(await sqlite.records(ACME, "agenda")) == {f"{PICNIC.stream}/goes"}


async def test_a_bad_batch_among_good_ones_fails_alone(sqlite: SqliteStore, path: Path) -> None:
    bad = {
        10: step(STREAMS[10], version=7, events=[said()], records=[row("10")]),
        20: step(STREAMS[20], events=[said("half a character: \ud83d")], add=[effect("ask", STREAMS[20])]),
        30: step(STREAMS[30], events=[said(at=2**70)], alarms=[alarm("close", 5, STREAMS[30])]),
        40: step(STREAMS[40], events=[said()], records=[row("40"), row("half a character: \ud83d")]),
    }
    good = {number: step(key, events=[said()], records=[row(str(number))]) for number, key in enumerate(STREAMS)}

    outcomes = await asyncio.gather(
        *(sqlite.commit(commit) for commit in (good | bad).values()), return_exceptions=True
    )

    refused = {number: type(outcome) for number, outcome in enumerate(outcomes) if outcome is not None}
    assert refused == {10: WrongVersion, 20: UnicodeEncodeError, 30: OverflowError, 40: UnicodeEncodeError}
    assert transactions(path) == 1
    assert [await sqlite.load(STREAMS[number]) for number in bad] == [None] * 4
    counts = await sqlite.counts()
    assert (counts["streams"], counts["events"], counts["owed"], counts["alarms"]) == (96, 96, 0, 0)
    assert set(await sqlite.records(ACME, "vote")) == {str(number) for number in good.keys() - bad.keys()}


async def test_what_a_failed_transaction_had_changed_is_not_remembered(sqlite: SqliteStore) -> None:
    await sqlite.commit(step(MEETUP, events=[said()], add=[effect("ask")]))
    too_late = step(PICNIC, events=[said(at=2**70)])

    outcomes = await asyncio.gather(
        sqlite.commit(step(MEETUP, version=1, events=[said()] * 40, drop=["ask"])),
        sqlite.commit(too_late),
        return_exceptions=True,
    )
    await sqlite.commit(step(MEETUP, version=41, events=[said()]))

    assert [type(each) for each in outcomes] == [type(None), OverflowError]
    assert await sqlite.verify(MEETUP)
    stream = await sqlite.load(MEETUP)
    assert stream is not None
    assert ([each.seq for each in stream.events], stream.outbox) == ([*range(1, 43)], ())
    positions = [each.position for each in stream.events]
    assert positions == [*range(1, 43)]


async def test_a_stream_that_is_not_remembered_any_more_goes_on(path: Path) -> None:
    store = SqliteStore(path, remembered=3)
    await store.open()
    try:
        for version in range(3):
            for key in STREAMS[:10]:
                await store.commit(step(key, version=version, events=[said()], alarms=[alarm("close", version, key)]))
                await store.mark_shown(key, version)
        assert [await store.verify(key) for key in STREAMS[:10]] == [True] * 10
        assert [lag.shown for lag in await store.lagging(20)] == [2] * 10
    finally:
        await store.close()


async def test_data_that_the_tables_refuse_fails_alone(sqlite: SqliteStore) -> None:
    of_no_time = step(MEETUP, events=[said(at="yesterday")])  # type: ignore[arg-type]

    outcomes = await asyncio.gather(sqlite.commit(of_no_time), sqlite.commit(step(PICNIC)), return_exceptions=True)

    assert isinstance(outcomes[0], ValueError)
    assert "The store cannot keep this: cannot store TEXT value in INTEGER column" in str(outcomes[0])
    assert outcomes[1] is None


async def test_a_cancelled_caller_leaves_a_whole_commit_or_none_and_stops_nobody(sqlite: SqliteStore) -> None:
    long = asyncio.create_task(sqlite.commit(step(MEETUP, events=[said()] * 2_000, add=[effect("ask")])))
    other = asyncio.create_task(sqlite.commit(step(PICNIC, events=[said()])))
    await asyncio.wait([long], timeout=0)

    long.cancel()

    with pytest.raises(asyncio.CancelledError):
        await long
    await other
    await sqlite.commit(step(PICNIC, version=1, events=[said()]))
    stream = await sqlite.load(MEETUP)
    assert stream is None or (stream.version, len(stream.events), len(stream.outbox)) == (2_000, 2_000, 1)


async def test_closing_writes_what_waits(sqlite: SqliteStore) -> None:
    waiting = [asyncio.create_task(sqlite.commit(step(key, events=[said()]))) for key in STREAMS]
    await asyncio.wait(waiting, timeout=0)

    await sqlite.close()
    await sqlite.open()

    assert [task.exception() for task in waiting] == [None] * 100
    assert (await sqlite.counts())["events"] == 100


async def test_whoever_comes_after_the_close_is_told(sqlite: SqliteStore) -> None:
    waiting = asyncio.create_task(sqlite.commit(step(MEETUP, events=[said()])))
    await asyncio.wait([waiting], timeout=0)
    closing = asyncio.create_task(sqlite.close())
    await asyncio.wait([closing], timeout=0)

    with pytest.raises(StoreUnavailable, match="is closed; open it first"):
        await sqlite.commit(step(PICNIC))

    await asyncio.gather(waiting, closing)


def transactions(path: Path) -> int:
    """Commit frames in the log since it was begun anew: https://www.sqlite.org/fileformat2.html#the_write_ahead_log."""
    log = path.with_name(f"{path.name}-wal").read_bytes()
    (page,) = struct.unpack(">I", log[8:12])
    salt = log[16:24]
    frames = range(32, len(log) - 24, 24 + page)
    return sum(log[at + 4 : at + 8] != bytes(4) for at in frames if log[at + 8 : at + 16] == salt)
