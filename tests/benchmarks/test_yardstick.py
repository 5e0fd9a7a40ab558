"""The yardstick does what the engine does, but for thinking."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks import engine, yardstick
from benchmarks.flow import CALLS
from benchmarks.journal import Journal
from benchmarks.latency import STAGGERED, Latency


@dataclass(frozen=True, slots=True)
class Noted(Latency):
    """Keeps the calls that were asked for; they take no time."""

    calls: list[tuple[str, str]] = field(default_factory=list)

    def of(self, stream: str, call: str) -> float:
        self.calls.append((stream, call))
        return 0.0


async def test_both_make_the_same_calls(tmp_path: Path) -> None:
    by_engine, by_yardstick = Noted(), Noted()

    async with engine.engine(tmp_path / "towow.db", by_engine) as runtime:
        await engine.negotiate(runtime, range(2))
    with closing(Journal(tmp_path / "journal.db")) as journal:
        await yardstick.negotiate(journal, range(2), by_yardstick)

    assert len(by_yardstick.calls) == 2 * CALLS
    assert Counter(by_engine.calls) == Counter(by_yardstick.calls)


async def test_both_keep_the_same_events(tmp_path: Path) -> None:
    async with engine.engine(tmp_path / "towow.db") as runtime:
        await engine.negotiate(runtime, [0])
    with closing(Journal(tmp_path / "journal.db")) as journal:
        await yardstick.negotiate(journal, [0])

    assert _types(tmp_path / "towow.db", "SELECT event_type FROM events") == _types(
        tmp_path / "journal.db", "SELECT type FROM events"
    )


async def test_the_yardstick_receives_every_command_and_owes_nothing_in_the_end(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db")) as journal:
        await yardstick.negotiate(journal, range(3))

    with closing(sqlite3.connect(tmp_path / "journal.db")) as connection:
        rows = connection.execute(
            "SELECT (SELECT count(*) FROM streams), (SELECT count(*) FROM inbox), (SELECT count(*) FROM events), "
            "(SELECT count(*) FROM outbox), (SELECT count(*) FROM alarms)"
        ).fetchone()
        assert rows == (3, 3 * (1 + CALLS), 3 * 60, 0, 0)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_who_shares_a_transaction_that_fails_is_told_so(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.db")) as journal:
        await journal.write((1, "once"), [])
        outcomes = await asyncio.gather(
            journal.write((1, "once"), []), journal.write((1, "another"), []), return_exceptions=True
        )
        await journal.write((1, "another"), [])

    assert [type(each) for each in outcomes] == [sqlite3.IntegrityError] * 2


@pytest.mark.parametrize("stream", ["collab-00000000", "collab-00000199"])
def test_staggered_calls_take_as_long_in_every_run(stream: str) -> None:
    seconds = [STAGGERED.of(stream, f"feedback/{number}/somebody") for number in range(200)]

    assert seconds == [STAGGERED.of(stream, f"feedback/{number}/somebody") for number in range(200)]
    assert min(seconds) < 0.6
    assert max(seconds) > 1.4
    assert all(0.5 <= each <= 1.5 for each in seconds)


def _types(path: Path, query: str) -> Counter[str]:
    with closing(sqlite3.connect(path)) as connection:
        return Counter(kind for (kind,) in connection.execute(query))
