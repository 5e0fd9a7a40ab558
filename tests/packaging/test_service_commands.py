"""The lines that docs/operations.md gives for maintenance beside the service run as they stand there, as its user."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.local_slack import App, LocalWorkspace
from bot.slack.manifest import manifest
from engine.store.sqlite import SqliteStore
from tests.store.words import MEETUP, said, step

from .deployment import ROOT, service
from .systemd_run import UID
from .test_deployment import ANALYZE

PAGE: Final = (ROOT / "docs" / "operations.md").read_text("utf-8")
[BLOCK] = re.findall(r"^```sh\n(towow\(\) \{.*?)^```$", PAGE, re.S | re.M)
FUNCTION, LINES = BLOCK.split("\n}\n")[0] + "\n}\n", BLOCK.split("\n}\n")[1].strip().splitlines()
LONGEST: Final = 120
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What stands at the places of the page, below a folder."""

    root: Path

    @property
    def state(self) -> Path:
        return self.root / "var/lib/towow"

    def says(self, line: str) -> subprocess.CompletedProcess[str]:
        """What comes of a line of the page that root types, without a terminal."""
        path = f"{self.root}/bin{os.pathsep}{os.environ['PATH']}"
        environment = {
            "PATH": path, "ROOT": str(self.root), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        return subprocess.run(
            ["/bin/sh", "-c", f"{FUNCTION}{line}"], env=environment, cwd=self.root, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=LONGEST, check=False,
        )  # fmt: skip

    def put(self, path: str, text: str, mode: int = 0o600) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that others may enter, too, as no folder of a test."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
async def machine(folder: Path) -> Machine:
    it = Machine(folder)
    it.put("opt/towow/bin/towow", f'#!/bin/sh\nexec {sys.executable} -m bot "$@"\n', 0o755)
    it.put("bin/systemd-run", f'#!/bin/sh\nexec {sys.executable} -m tests.packaging.systemd_run "$@"\n', 0o755)
    it.put("bin/systemctl", '#!/bin/sh\necho "$@" >> "$ROOT/controlled"\n', 0o755)
    it.state.mkdir(parents=True)
    store = SqliteStore(it.state / "towow.db")
    await store.open()
    await store.commit(step(MEETUP, 0, [said()]))
    await store.close()
    return it


async def test_each_line_of_the_page_runs_and_leaves_only_files_of_the_service_s_user(machine: Machine) -> None:
    async with LocalWorkspace(app=App.described_by(manifest())) as workspace:
        machine.put("etc/towow/slack-bot-token", workspace.bot_token)
        machine.put("etc/towow/slack-app-token", workspace.app_token)
        machine.put("etc/towow/environment", f"SLACK_API_URL={workspace.api_url}\nTOWOW_LOG=json\n")
        for line in LINES:
            done = await asyncio.to_thread(machine.says, line)
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
            assert "✗" not in done.stdout

    assert [each.split()[0] for each in (machine.root / "controlled").read_text().splitlines()] == ["stop", "start"]
    assert (machine.state / "kept.db").is_file()
    assert any("put-aside" in each.name for each in machine.state.iterdir()), "what was there is restored over"
    uid = UID if os.geteuid() == 0 else os.geteuid()
    assert {each.lstat().st_uid for each in (machine.state, *machine.state.rglob("*"))} == {uid}
    assert [each.name for each in (machine.state, *machine.state.rglob("*")) if each.stat().st_mode & 0o077] == []


def test_what_is_run_beside_the_service_has_what_the_unit_gives(machine: Machine) -> None:
    machine.put("etc/towow/slack-bot-token", "xoxb-1")
    machine.put("etc/towow/slack-app-token", "xapp-1")
    assert machine.says("towow --help").returncode == 0
    given = {tuple(each.split("=", 1)) for each in json.loads((machine.root / "properties.json").read_text())}
    wanted = ("DynamicUser", "StateDirectory", "StateDirectoryMode", "UMask", "EnvironmentFile", "LoadCredential")
    assert given >= {(name, value) for name in wanted for value in service()[name]}
    unit = {(name, each) for name, values in service().items() for each in values}
    assert given - unit == {("User", "towow"), ("WorkingDirectory", "/var/lib/towow")}
    assert ("WorkingDirectory", "%S/towow") in unit


@pytest.mark.skipif(not ANALYZE, reason="systemd is not installed")
def test_systemd_knows_each_option_that_the_page_gives_to_systemd_run(machine: Machine, tmp_path: Path) -> None:
    machine.put("etc/towow/slack-bot-token", "xoxb-1")
    machine.put("etc/towow/slack-app-token", "xapp-1")
    assert machine.says("towow --help").returncode == 0
    given = "\n".join(json.loads((machine.root / "properties.json").read_text()))
    (unit := tmp_path / "beside.service").write_text(f"[Service]\nExecStart=/bin/true\n{given}\n")
    verified = subprocess.run([ANALYZE, "verify", unit], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")
    helped = subprocess.run(
        [shutil.which("systemd-run") or "systemd-run", "--help"], capture_output=True, text=True
    ).stdout
    for flag in re.findall(r"(?<= )--?[a-zE]+", FUNCTION.split("systemd-run")[1].split("/bin/sh")[0]):
        assert f"{flag} " in helped or f"{flag}=" in helped or f"{flag}\n" in helped, flag


@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
def test_the_shells_that_people_have_read_the_function(shell: str, tmp_path: Path) -> None:
    if (program := shutil.which(shell)) is None:
        return
    (file := tmp_path / "function").write_text(BLOCK)
    assert subprocess.run([program, "-n", file], capture_output=True, text=True).stderr == ""
