"""A command that root runs on another user's database leaves nothing of root's there, and says what to type."""

import os
import shutil
from pathlib import Path

import pytest

from bot.command_line import main
from bot.commands.doctor import examine
from bot.commands.findings import Finding, Health
from bot.registry import PROTOCOLS

from .conftest import MEETUP, Towow

pytestmark = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="it takes two users")

NOBODY = 65534
WITHOUT_A_NAME = 61184
"""As systemd gives to a service with `DynamicUser`."""


def owners(folder: Path) -> set[int]:
    return {each.stat().st_uid for each in (folder, *folder.rglob("*"))}


@pytest.fixture(scope="module")
def after_a_demand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database, and what was saved of it."""
    folder = tmp_path_factory.mktemp("demand")
    path = folder / "data" / "towow.db"
    path.parent.mkdir()
    assert main(["ask", MEETUP, "--db", str(path)]) == 0
    assert main(["backup", str(folder / "kept.db"), "--db", str(path)]) == 0
    return folder


@pytest.fixture(params=[NOBODY, WITHOUT_A_NAME])
def database(request: pytest.FixtureRequest, after_a_demand: Path, tmp_path: Path) -> Path:
    """Of another user, in a folder of theirs, after one demand."""
    shutil.copytree(after_a_demand, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "data" / "towow.db"
    for each in (path.parent, *path.parent.rglob("*")):
        os.chown(each, request.param, request.param)
    return path


@pytest.fixture
def uid(database: Path) -> int:
    return database.stat().st_uid


@pytest.mark.parametrize(
    "command",
    [
        ("forget", "U_NOBODY", "--yes"),
        ("forget", "U_NOBODY", "--dry-run"),
        ("restore", "kept.db"),
        ("backup", "another.db"),
        ("costs",),
    ],
)
def test_it_is_refused_with_the_line_to_use(towow: Towow, database: Path, uid: int, command: tuple[str, ...]) -> None:
    before = sorted(database.parent.rglob("*"))

    done = towow(*command, "--db", database)

    assert done.code == 2
    assert "sudo" in done.err
    assert ("-u nobody" if uid == NOBODY else "-u '#61184' -g '#61184'") in done.err
    assert " ".join(command) in done.err
    assert owners(database.parent) == {uid}
    assert sorted(database.parent.rglob("*")) == before


def test_a_service_is_not_begun_as_root_either(towow: Towow, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWOW_DB", str(database))
    done = towow("run")
    assert done.code == 2
    assert "--preserve-env=TOWOW_DB" in done.err


def test_nor_where_the_database_is_not_there_yet(towow: Towow, database: Path) -> None:
    database.unlink()
    assert towow("restore", "kept.db", "--db", database).code == 2
    assert not database.exists()


async def accesses(database: Path) -> list[Finding]:
    environ = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "SLACK_API_URL": "http://127.0.0.1:1/"}
    found = await examine(environ | {"TOWOW_DB": str(database)}, PROTOCOLS)
    return [each for each in found if each.about == "access" and each.health is not Health.FINE]


async def test_doctor_says_that_root_sees_more_than_the_user(database: Path) -> None:
    [found] = await accesses(database)
    assert "this is root" in found.said
    assert "sudo" in found.advice


async def test_doctor_finds_what_root_has_left(database: Path, uid: int) -> None:
    left = database.with_name("towow.db-identity")
    os.chown(left, 0, 0)
    [_, found] = await accesses(database)
    assert found.health is Health.BROKEN
    assert str(left) in found.said
    assert f"chown {uid}:" in found.advice


def test_root_works_on_what_is_root_s(towow: Towow, tmp_path: Path) -> None:
    path = tmp_path / "towow.db"
    assert towow("ask", MEETUP, "--db", path).code == 0
    assert towow("costs", "--db", path).code == 0
