"""kill -9 and a full disk: what was acknowledged is kept; what was not is there as a whole, or not at all."""

import sqlite3
import subprocess
import sys
from pathlib import Path

from engine.errors import StoreFull
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.database import explain

from .busy_process import STREAMS

HERE = Path(__file__).parent
ROUNDS = [1, 40, 300, 300, 1_000]
"""After how many acknowledgements each process is killed; each goes on where the one before was killed."""


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(sqlite: SqliteStore, path: Path) -> None:
    acknowledged: list[str] = []
    for enough in ROUNDS:
        await sqlite.close()
        acknowledged += killed_after(enough, path)
        await sqlite.open()

        assert set(acknowledged) <= await handled_in(sqlite)
    assert len(acknowledged) >= sum(ROUNDS)


async def handled_in(store: Store) -> set[str]:
    """Which commands of the busy process the store knows; each of its streams is whole."""
    handled = set()
    for key in STREAMS:
        stream = await store.load(key)
        if stream is not None:
            handled |= {f"{key.stream} {command_id}" for command_id in stream.commands}
            assert len(stream.commands) == len(stream.events) == stream.version
            assert [owed.effect_id for owed in stream.outbox] == [f"effect-{stream.version}"]
            assert len(await store.records(key.tenant, "vote", f"{key.stream}/")) == stream.version
            assert await store.verify(key)
    return handled


def killed_after(enough: int, where: str | Path) -> list[str]:
    """What the process had acknowledged."""
    with subprocess.Popen([sys.executable, HERE / "busy_process.py", where], stdout=subprocess.PIPE, text=True) as busy:
        assert busy.stdout is not None
        lines = [busy.stdout.readline() for _ in range(enough)]
        busy.kill()
        lines += busy.stdout.readlines()
    return [line.strip() for line in lines if line.endswith("\n")]


def test_a_full_disk_is_reported_and_survived(path: Path) -> None:
    cramped = subprocess.run(
        [sys.executable, HERE / "cramped_process.py", path], capture_output=True, text=True, timeout=60, check=True
    )

    full = f"The store {path} met an error of its disk; it goes on by itself when the disk does (disk I/O error)."
    assert cramped.stdout.splitlines() == [
        f"first {full}",
        f"second {full}",
        f"third {full}",
        "unwritten unavailable",
        "goes on True None",
    ]


def test_no_room_is_called_no_room(path: Path) -> None:
    full = sqlite3.connect(path)
    full.execute("CREATE TABLE room (text)")
    full.execute("PRAGMA max_page_count = 10")
    try:
        full.execute("INSERT INTO room VALUES (?)", ("x" * 1_000_000,))
    except sqlite3.Error as error:
        answer = explain(error, path)
    finally:
        full.close()

    assert isinstance(answer, StoreFull)
    assert "found no room on its disk; free some, and it goes on by itself" in str(answer)
