"""``--profiles`` and ``--db``: what is read and kept, and every fault of it."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.kernel import Tenant
from engine.store.sqlite import SqliteStore
from engine.store.sqlite.claim import Claim

from .conftest import MEETUP, WITH_PHOTOS, Towow


def test_only_the_people_of_the_folder_are_asked(towow: Towow, two: Path) -> None:
    done = towow("ask", MEETUP, "--profiles", two, "--json")

    assert set(done.report["confirmed_participants"]) <= {"user_agent_lin_xiao", "user_agent_chen_mo"}


def test_every_fault_of_every_profile_is_named_with_file_and_line(towow: Towow, two: Path) -> None:
    (two / "eve.yaml").write_text("agent_id: user_agent_eve\nuser_nam: Eve\n", "utf-8")
    (two / "bo.yaml").write_text("agent_id: [\n", "utf-8")
    (two / "lin_xiao.yaml").write_bytes(b"\xff\xfe")

    done = towow("ask", MEETUP, "--profiles", two, "--json")

    assert (done.code, done.out) == (2, "")
    assert all(each.startswith(f"towow: {two}") for each in done.complaints)
    named = {Path(each.removeprefix("towow: ").split(":")[0]).name for each in done.complaints}
    assert named == {"eve.yaml", "bo.yaml", "lin_xiao.yaml"}
    assert (
        f"towow: {two / 'eve.yaml'}:2:1: `user_nam` is not a field here; did you mean `user_name`?" in done.complaints
    )


@pytest.mark.parametrize("name", ["nobody", "nowhere/at/all"])
def test_a_folder_without_people_is_bad_input(towow: Towow, tmp_path: Path, name: str) -> None:
    (tmp_path / "nobody").mkdir()

    done = towow("ask", MEETUP, "--profiles", name)

    assert done.code == 2
    assert done.complaints == [f"towow: {name}:1:1: there is no profile (*.yaml) in this folder"]


def test_two_demands_on_one_file_are_two_negotiations_in_it(towow: Towow, two: Path, tmp_path: Path) -> None:
    arguments = ("ask", WITH_PHOTOS, "--profiles", two, "--json", "--db", "kept.db")

    first, second = towow(*arguments), towow(*arguments)

    assert (first.code, second.code) == (0, 0)
    assert first.report["channel_id"] != second.report["channel_id"]
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "kept.db",
        "kept.db-identity",
        "kept.db-lock",
        "kept.db.workspace",
    ]
    with sqlite3.connect(tmp_path / "kept.db") as kept:
        assert kept.execute("SELECT count(*) FROM streams WHERE protocol = 'negotiation'").fetchone() == (4,)
        # Neither of the two takes photos, so each plan has looked for somebody who does, in a subnet.


def test_without_a_file_nothing_is_kept(towow: Towow, two: Path, tmp_path: Path) -> None:
    towow("ask", MEETUP, "--profiles", two)

    assert list(tmp_path.iterdir()) == []


def _a_folder(folder: Path) -> str:
    return str(folder)


def _here(_: Path) -> str:
    return "."


def _nothing(_: Path) -> str:
    return ""


def _a_text(folder: Path) -> str:
    (folder / "diary.db").write_text("Dear diary, " * 1_000, "utf-8")
    return "diary.db"


def _below_a_file(folder: Path) -> str:
    (folder / "diary").write_text("Dear diary", "utf-8")
    return "diary/towow.db"


def _kept(path: Path) -> None:
    """A store of ours with something in it."""

    async def write() -> None:
        store = SqliteStore(path)
        await store.open()
        await store.put_records(Tenant("T_LOCAL"), "post", {f"collab-a/{number}": "{}" for number in range(500)})
        await store.close()

    asyncio.run(write())


def _damaged_at_its_head(folder: Path) -> str:
    _kept(folder / "towow.db")
    with (folder / "towow.db").open("r+b") as file:
        file.write(b"SQLite??")
    return "towow.db"


def _damaged_in_a_page(folder: Path) -> str:
    path = folder / "towow.db"
    _kept(path)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * (path.stat().st_size // 4))
    return "towow.db"


def _of_a_newer_towow(folder: Path) -> str:
    _kept(folder / "towow.db")
    with sqlite3.connect(folder / "towow.db") as store:
        store.execute("PRAGMA user_version = 99")
    store.close()
    return "towow.db"


def _beside_a_journal_that_is_none(folder: Path) -> str:
    (folder / "towow.db.workspace").write_bytes(b"\xff\xfe]\n")
    return "towow.db"


def _beside_a_journal_that_is_a_folder(folder: Path) -> str:
    (folder / "towow.db.workspace").mkdir()
    return "towow.db"


@pytest.mark.parametrize(
    "spoilt",
    [
        _a_folder, _here, _nothing, _a_text, _below_a_file, _damaged_at_its_head, _damaged_in_a_page,
        _of_a_newer_towow, _beside_a_journal_that_is_none,
        _beside_a_journal_that_is_a_folder,
    ],
    ids=lambda each: each.__name__.strip("_").replace("_", " "),
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_bad_input_and_gets_no_messages_beside_it(
    towow: Towow, tmp_path: Path, spoilt: Callable[[Path], str]
) -> None:
    path = spoilt(tmp_path)
    before = {each.name for each in tmp_path.iterdir()}

    done = towow("ask", MEETUP, "--db", path, "--json")

    assert (done.code, done.out) == (2, "")
    [sentence] = done.complaints
    assert sentence.startswith("towow: The ")
    assert any(advice in sentence for advice in ("choose", "restore", "run the ToWow that wrote it"))
    assert {each.name for each in tmp_path.iterdir() if each.suffix == ".workspace"} <= before


@pytest.mark.parametrize("command", ["ask", "demo"])
def test_a_file_that_somebody_else_has_is_told_in_one_sentence(towow: Towow, tmp_path: Path, command: str) -> None:
    _kept(tmp_path / "towow.db")
    other = sqlite3.connect(tmp_path / "towow.db", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")

    locked = towow(command, MEETUP, "--db", "towow.db")

    other.close()
    assert (locked.code, locked.out) == (75, "")
    [sentence] = locked.complaints
    assert sentence.startswith("towow: The store towow.db is locked by another program")
    second = Claim.take(tmp_path / "towow.db")
    used = towow(command, MEETUP, "--db", "towow.db")
    second.release()
    assert (used.code, used.out) == (75, "")
    assert used.complaints == [
        "towow: The store towow.db is used by another ToWow; stop that one, or choose another path."
    ]
