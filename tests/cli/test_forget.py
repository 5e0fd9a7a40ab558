"""``towow forget``: what is said before it, what is asked, and what is left."""

from pathlib import Path

import pytest

from engine.kernel import StreamKey
from engine.store.sqlite.archive import Archive
from engine.store.sqlite.claim import Claim

from .conftest import MEETUP, Towow


@pytest.fixture
def database(towow: Towow, tmp_path: Path) -> Path:
    """After one demand."""
    path = tmp_path / "my.db"
    assert towow("ask", MEETUP, "--db", path).code == 0
    return path


def negotiation(database: Path) -> StreamKey:
    return next(key for key in Archive(database).streams() if key.stream != "directory")


def test_a_dry_run_says_what_would_be_erased_and_erases_nothing(towow: Towow, database: Path) -> None:
    key = negotiation(database)

    done = towow("forget", "--negotiation", key.stream, "--dry-run", "--db", database)

    assert done.code == 0
    assert done.out.startswith(f"{key.stream} of {key.tenant.team_id}: all of it is erased (")
    assert MEETUP in towow("export", key.stream, "--db", database).out


def test_without_anybody_to_ask_nothing_is_erased(towow: Towow, database: Path) -> None:
    key = negotiation(database)

    done = towow("forget", "--negotiation", key.stream, "--db", database)

    assert done.code == 2
    assert "say --yes" in done.err
    assert MEETUP in towow("export", key.stream, "--db", database).out


def test_it_is_erased_and_what_is_out_of_reach_is_named(towow: Towow, database: Path) -> None:
    key = negotiation(database)

    done = towow("forget", "--negotiation", key.stream, "--yes", "--db", database)

    assert done.code == 0
    assert "every digest is what it has to be" in done.out
    assert "backups of this database" in done.out
    assert MEETUP not in towow("export", key.stream, "--db", database).out
    assert towow("replay", key.stream, "--db", database).code == 0
    again = towow("forget", "--negotiation", key.stream, "--yes", "--db", database)
    assert (again.code, again.out.strip()) == (0, "There are no such words here, or they are erased already.")


def test_a_towow_that_runs_has_to_be_stopped_first(towow: Towow, database: Path) -> None:
    claim = Claim.take(database)
    try:
        done = towow("forget", "U_ADA", "--yes", "--db", database)
    finally:
        claim.release()

    assert done.code == 75
    assert "is used by another ToWow; stop that one" in done.err


def test_what_is_not_there_is_said_to_be_none(towow: Towow, database: Path, tmp_path: Path) -> None:
    assert "There is nothing called d-nothing0" in towow("forget", "--negotiation", "d-nothing0", "--db", database).err
    missing = tmp_path / "none.db"
    assert towow("forget", "U_ADA", "--yes", "--db", missing).code == 2
    assert not missing.exists()


def test_an_id_that_nothing_names_is_refused(towow: Towow, database: Path) -> None:
    for more in ("--yes", "--dry-run"):
        done = towow("forget", "U_NOBODY", more, "--db", database)
        assert done.code == 2
        assert "Nothing here names U_NOBODY" in done.err


def test_what_was_saved_of_a_deleted_database_is_gone_through_as_well(towow: Towow, database: Path) -> None:
    key = negotiation(database)
    rescued = database.with_name("my.db.rescued-20261127T120000Z")
    assert towow("backup", rescued, "--db", database).code == 0

    said = towow("forget", "--negotiation", key.stream, "--dry-run", "--db", database).out
    done = towow("forget", "--negotiation", key.stream, "--yes", "--db", database)

    assert str(rescued) in said
    assert done.code == 0
    for each in (database, rescued):
        assert MEETUP not in towow("export", key.stream, "--db", each).out
        assert MEETUP.encode() not in each.read_bytes()
