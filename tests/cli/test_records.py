"""``export``, ``replay`` and ``backup``: what is kept is read, and nothing of it is changed."""

import json
import sqlite3
from pathlib import Path

import pytest

from .conftest import MEETUP, Towow


@pytest.fixture
def database(towow: Towow, tmp_path: Path) -> Path:
    """After one demand."""
    path = tmp_path / "my.db"
    assert towow("ask", MEETUP, "--db", path).code == 0
    return path


def demand_id(database: Path) -> str:
    with sqlite3.connect(database) as connection:
        [(stream,)] = connection.execute("SELECT stream FROM streams WHERE protocol = 'negotiation'").fetchall()
    connection.close()
    return f"d-{stream.removeprefix('collab-')}"


def test_every_event_is_exported_a_line_each(towow: Towow, database: Path) -> None:
    done = towow("export", demand_id(database), "--db", database)

    events = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [each["seq"] for each in events] == [*range(1, len(events) + 1)]
    assert (events[0]["event_type"], events[0]["payload"]["raw_input"]) == ("towow.demand.submitted", MEETUP)
    assert events[-1]["event_type"] == "towow.gap.identified"


def test_a_negotiation_is_gone_through_event_by_event(towow: Towow, database: Path) -> None:
    done = towow("replay", demand_id(database), "--db", database)

    assert done.code == 0
    assert "towow.demand.submitted  → created" in done.out
    assert "towow.negotiation.round_started  → proposal_sent, round 1" in done.out
    assert "towow.proposal.finalized  → finalized" in done.out
    assert "every digest is what it was" in done.out
    assert '        policy: {"name": "balanced", "fail_below": null, ' in done.out, "only what is not the default"


def test_a_forged_event_is_found(towow: Towow, database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE events SET public = replace(public, '\"accept\"', '\"withdraw\"') WHERE event_type = ?",
            ("towow.proposal.feedback",),
        )
    connection.close()

    done = towow("replay", demand_id(database), "--db", database)

    assert done.code == 1
    assert "not those that were written" in done.out


def test_it_says_why_a_plan_is_as_it_is(towow: Towow, database: Path) -> None:
    done = towow("why", demand_id(database), "--db", database)
    told = json.loads(towow("why", demand_id(database), "--db", database, "--json").out)

    assert done.code == 0
    assert f"提出的需求\n  {MEETUP}" in done.out
    assert "由分身" in done.out
    assert (told["channel_status"], told["surface_demand"], told["version"]) == ("finalized", MEETUP, told["versions"])
    assert {each["hand"] for voted in told["rounds"] for each in voted["votes"]} == {"twin"}


def test_the_directory_knows_no_reasons(towow: Towow, database: Path) -> None:
    done = towow("why", "directory", "--db", database)

    assert done.code == 2
    assert done.complaints == ["towow: directory says nothing of why; `towow replay` goes through it."]


def test_the_directory_can_be_read_too(towow: Towow, database: Path) -> None:
    lines = towow("export", "directory", "--db", database).out.splitlines()

    assert {json.loads(line)["event_type"] for line in lines} == {
        "towow.profile.loaded",
        "towow.profile.reading",
        "towow.profile.read",
    }
    assert towow("replay", "directory", "--db", database).code == 0


def test_what_is_not_there_is_said_to_be_none(towow: Towow, database: Path, tmp_path: Path) -> None:
    for command in ("export", "replay", "why"):
        done = towow(command, "d-nothing0", "--db", database)
        assert done.code == 2
        assert done.complaints == ["towow: There is nothing called d-nothing0 in this store."]
    assert "There is no store" in towow("replay", "d-nothing0", "--db", tmp_path / "none.db").err


def test_a_backup_goes_on_where_it_was_made(towow: Towow, database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"

    done = towow("backup", copy, "--db", database)

    assert done.code == 0
    assert "2 streams with" in done.out
    assert towow("export", demand_id(copy), "--db", copy).out == towow("export", demand_id(copy), "--db", database).out
    assert towow("ask", MEETUP, "--db", copy).code == 0
    again = towow("backup", copy, "--db", database)
    assert again.code == 2
    assert "is there already" in again.err


def test_a_backup_says_what_is_not_in_it(towow: Towow, database: Path, tmp_path: Path) -> None:
    assert "is not in it" not in towow("backup", tmp_path / "first.db", "--db", database).out
    (tmp_path / "sessions").mkdir()

    done = towow("backup", tmp_path / "second.db", "--db", database)

    assert (done.code, f"copy {tmp_path / 'sessions'} beside it" in done.out) == (0, True)


def test_a_backup_is_brought_back_and_what_was_there_is_put_aside(towow: Towow, database: Path, tmp_path: Path) -> None:
    here, kept = tmp_path / "here.db", tmp_path / "kept.db"
    assert towow("restore", database, "--db", here).code == 0
    before = towow("export", demand_id(here), "--db", here).out
    assert towow("backup", kept, "--db", here).code == 0
    assert towow("ask", MEETUP, "--db", here).code == 0

    done = towow("restore", kept, "--db", here)

    assert done.code == 0
    restored, aside, posts = done.out.splitlines()
    assert restored.startswith(f"{here} is restored from {kept}: 1 negotiations, 0 deliberations, 0 deliveries; ")
    [folder] = tmp_path.glob("here.db.put-aside-*")
    assert str(folder) in aside
    assert "looks for posts" in posts
    assert towow("export", demand_id(here), "--db", here).out == before
    assert towow("restore", tmp_path / "none.db", "--db", here).code == 2
