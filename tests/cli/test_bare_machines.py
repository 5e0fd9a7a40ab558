"""Machines that know little of who runs ToWow, and where."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.commands.doctor import examine
from bot.commands.findings import Health
from bot.commands.subcommand import BAD_INPUT, FAILED
from bot.registry import PROTOCOLS
from bot.time_zones import machine_time_zone, zone_named

from .conftest import PROTOTYPE, Towow, ended, process

NOBODY_KNOWS = ("--user", "--map-user=54321", "--map-group=54321")
AT = datetime(2026, 3, 1, 20, tzinfo=UTC)


def test_a_user_whom_the_machine_does_not_know_needs_no_home(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    without = (str(shutil.which("unshare")), *NOBODY_KNOWS, "env", "--unset=HOME")
    tried = ended(process("manifest", cwd=tmp_path, through=without))
    if "unshare" in tried.err:
        pytest.skip("this machine lets nobody be somebody else")
    assert tried.code == 0, tried.err


@pytest.mark.parametrize(
    ("said", "zone", "day"),
    [
        ("CST-8", "Etc/GMT-8", 2),
        ("<+08>-8", "Etc/GMT-8", 2),
        ("EST5", "Etc/GMT+5", 1),
        ("UTC0", "UTC", 1),
        (":Asia/Tokyo", "Asia/Tokyo", 2),
        ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 2),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "", 0),
        ("IST-5:30", "", 0),
        ("nowhere", "", 0),
    ],
)
def test_a_zone_is_read_as_posix_says_it(said: str, zone: str, day: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", said)
    assert zone_named(said) == zone
    assert machine_time_zone() == (zone or "UTC")
    assert not zone or AT.astimezone(ZoneInfo(zone)).day == day


@pytest.mark.parametrize("said", ["UTC+25", pytest.param("/etc/passwd", marks=pytest.mark.exhaustive)])
def test_a_zone_that_no_library_bears_ends_nothing(tmp_path: Path, said: str) -> None:
    done = ended(process("ask", PROTOTYPE, "--json", cwd=tmp_path, TZ=said))
    assert (done.code, done.err) == (0, "")
    refused = ended(process("run", cwd=tmp_path, TZ=said, SLACK_BOT_TOKEN="xoxb-1", SLACK_APP_TOKEN="xapp-1"))
    assert (refused.code, f"TZ is {said!r}" in refused.err) == (2, True)


def test_who_can_be_told_nothing_more_is_spared_a_traceback(tmp_path: Path) -> None:
    full = ("sh", "-c", 'exec "$@" >/dev/full', "sh")
    done = ended(process("ask", PROTOTYPE, cwd=tmp_path, through=full))
    assert (done.code, done.err) == (75, "towow: No space left on device\n")


def test_what_the_system_refuses_is_told_in_a_line(tmp_path: Path, towow: Towow) -> None:
    assert towow("ask", PROTOTYPE, "--json", "--db", tmp_path / "towow.db").code == 0
    (tmp_path / "other.db.moving").mkdir()
    refused = towow("move", tmp_path / "towow.db", tmp_path / "other.db")
    assert refused.code == FAILED
    assert refused.complaints == [f"towow: {tmp_path / 'other.db.moving'}: Is a directory"]


@pytest.mark.parametrize("said", [".", "/", "/dev/null", "{folder}"])
def test_what_is_no_file_is_no_database(
    tmp_path: Path, towow: Towow, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv("TOWOW_DB", said.format(folder=tmp_path))
    for command in (["run"], ["doctor"], ["ask", PROTOTYPE, "--db", said.format(folder=tmp_path)]):
        monkeypatch.setenv("SLACK_BOT_TOKEN", "" if "ask" in command else "xoxb-1")
        monkeypatch.setenv("SLACK_APP_TOKEN", "" if "ask" in command else "xapp-1")
        tried = towow(*command)
        assert any(
            each in tried.err + tried.out for each in ("folder; choose a file", "no file of this machine's disk")
        )
        assert tried.code == (FAILED if "doctor" in command else BAD_INPUT)


async def test_doctor_says_what_to_set_where_a_zone_names_no_place() -> None:
    environ = {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}
    told = [each.said for each in await examine(environ, PROTOCOLS) if each.health is Health.BROKEN]
    assert any("set TOWOW_TIME_ZONE" in each for each in told)
    told = [each.said for each in await examine({**environ, "TOWOW_TIME_ZONE": "Europe/Berlin"}, PROTOCOLS)]
    assert not any("TZ is" in each for each in told)
