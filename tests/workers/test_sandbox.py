"""What is seen in a sandbox: what programs need, and nothing of anybody's."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.workers.sandbox import Sandbox, available

from ..equipment import SANDBOX


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a secret in it, and with a program that was installed there."""
    programs = tmp_path / "home" / "tools" / "bin"
    programs.mkdir(parents=True)
    (tmp_path / "home" / ".netrc").write_text("password", "utf-8")
    (tmp_path / "home" / "tools" / "data.txt").write_text("beside the program", "utf-8")
    (programs / "tool").write_text('#!/bin/sh\ncat "$(dirname "$0")/../data.txt"\n', "utf-8")
    (programs / "tool").chmod(0o755)
    (programs / "link").symlink_to("tool")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def sandbox() -> Sandbox | None:
    """The machine's; None where Bubblewrap is installed and the container does not let it work, which is told."""
    SANDBOX.needed()
    if (found := available()) is None:
        print("Bubblewrap does not work in this container: nothing is tried in a sandbox.")
    return found


def seen(sandbox: Sandbox, folder: Path, *command: str, path: str | None = None) -> str:
    """What a command prints in a sandbox; nothing where it fails."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    wrapped = sandbox.wrap(command, work, path)
    environment = {"PATH": path or os.environ["PATH"]}
    done = subprocess.run(wrapped, capture_output=True, text=True, env=environment, timeout=30, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def test_a_home_is_not_there(tmp_path: Path, home: Path, sandbox: Sandbox | None) -> None:
    if sandbox is not None:
        assert seen(sandbox, tmp_path, "sh", "-c", f"cat {home}/.netrc || echo not there") == "not there"


@pytest.mark.parametrize("name", ["tool", "link"])
def test_a_program_of_a_home_runs_with_what_lies_beside_it(
    tmp_path: Path, home: Path, sandbox: Sandbox | None, name: str
) -> None:
    if sandbox is not None:
        path = f"{home}/tools/bin:{os.environ['PATH']}"
        assert seen(sandbox, tmp_path, name, path=path) == "beside the program"
        assert seen(sandbox, tmp_path, str(home / "tools" / "bin" / name)) == "beside the program"


def test_this_python_and_a_script_that_is_named_run(tmp_path: Path, sandbox: Sandbox | None) -> None:
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text("import msgspec; print(msgspec.__name__)", "utf-8")
    if sandbox is not None:
        assert seen(sandbox, tmp_path, sys.executable, str(script)) == "msgspec"


def test_more_can_be_read_and_not_written(tmp_path: Path, home: Path, sandbox: Sandbox | None) -> None:
    command = ("sh", "-c", f"cat {home}/.netrc; (echo x > {home}/.netrc) || echo , kept")
    if sandbox is not None:
        assert seen(replace(sandbox, readable=(home / ".netrc",)), tmp_path, *command) == "password, kept"


def test_processes_of_others_are_not_seen(tmp_path: Path, sandbox: Sandbox | None) -> None:
    if sandbox is not None:
        said = seen(sandbox, tmp_path, "sh", "-c", "ls /proc | grep -c '^[0-9]' || true")
        assert int(said) <= (5 if sandbox.mounts_proc else 0)


def test_nothing_outside_is_written(tmp_path: Path, sandbox: Sandbox | None) -> None:
    command = ("sh", "-c", f"echo x > {tmp_path}/x; echo x > inside; (echo x > /usr/x || echo no) 2>&1 | tail -1")
    if sandbox is not None:
        assert seen(sandbox, tmp_path, *command) == "no"
        assert (tmp_path / "work" / "inside").read_text() == "x\n"
        assert not (tmp_path / "x").exists()
