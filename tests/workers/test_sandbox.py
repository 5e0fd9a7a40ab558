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
    environment = {"PATH": path or os.environ["PATH"]}
    wrapped = sandbox.wrap(command, work, environment)
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


def test_of_the_machines_settings_only_what_is_looked_up_is_there(tmp_path: Path, sandbox: Sandbox | None) -> None:
    """The deployment keeps the tokens of the API in /etc/towow."""
    if sandbox is not None:
        there = seen(sandbox, tmp_path, "sh", "-c", "ls -A /etc /etc/ssl").split()
        assert {"shadow", "towow", "environment", "ssh", "gitconfig", "private"} & {*there} == set()
        assert {"resolv.conf", "hosts", "passwd", "certs"} <= {*there}


def test_names_users_and_certificates_are_found(tmp_path: Path, sandbox: Sandbox | None) -> None:
    script = (
        "import pwd, os, ssl, socket; print(pwd.getpwuid(os.getuid()).pw_name != '', "
        "len(ssl.create_default_context().get_ca_certs()) > 10, socket.gethostbyname('localhost'))"
    )
    if sandbox is not None:
        outside = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert seen(sandbox, tmp_path, sys.executable, "-c", script) == outside.stdout.strip()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, and beside it what is nobody's to read."""
    folder = tmp_path / "towow"
    (folder / "bin").mkdir(parents=True)
    (folder / "sessions" / "s-1").mkdir(parents=True)
    for name in ("tokens", "towow.db", "data.txt", "sessions/s-1/of-others"):
        (folder / name).write_text(f"words of {name}", "utf-8")
    (folder / "bin" / "tool").write_text(
        f"#!/bin/sh\ncat {folder}/tokens {folder}/data.txt; ls {folder}/sessions", "utf-8"
    )
    (folder / "bin" / "tool").chmod(0o755)
    return folder


def test_secrets_beside_a_program_are_not_there(tmp_path: Path, settings: Path, sandbox: Sandbox | None) -> None:
    if sandbox is not None:
        hidden = tuple(settings / each for each in ("tokens", "towow.db", "sessions", "no-such-file"))
        boxed = replace(sandbox, hidden=hidden)
        assert seen(boxed, tmp_path, str(settings / "bin" / "tool")) == "words of data.txt"
        work = settings / "sessions" / "s-1"
        assert seen(boxed, work, "sh", "-c", "cd ..; ls -A . ..").split() == [".:", "work", "..:", "s-1"]


def test_a_program_right_in_a_home_runs_and_the_home_is_not_there(
    tmp_path: Path, home: Path, sandbox: Sandbox | None
) -> None:
    (home / "bin").mkdir()
    (home / "bin" / "agent").write_text(f"#!/bin/sh\necho it runs; cat {home}/.netrc; true", "utf-8")
    (home / "bin" / "agent").chmod(0o755)
    if sandbox is not None:
        assert seen(sandbox, tmp_path, "agent", path=f"{home}/bin:{os.environ['PATH']}") == "it runs"


def test_what_interprets_a_script_is_there_wherever_it_is_installed(
    tmp_path: Path, home: Path, sandbox: Sandbox | None
) -> None:
    """As of Node.js that was installed in a home, and an agent elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "agent").write_text("#!/usr/bin/env -S tool\nnothing\n", "utf-8")
    (tmp_path / "elsewhere" / "agent").chmod(0o755)
    if sandbox is not None:
        path = f"{home}/tools/bin:{os.environ['PATH']}"
        assert seen(sandbox, tmp_path, str(tmp_path / "elsewhere" / "agent"), path=path) == "beside the program"


def test_certificates_that_the_environment_names_are_there(tmp_path: Path, home: Path, sandbox: Sandbox | None) -> None:
    certificate = home / "company" / "ca.pem"
    certificate.parent.mkdir()
    certificate.write_text("a certificate", "utf-8")
    if sandbox is not None:
        environment = {"PATH": os.environ["PATH"], "NODE_EXTRA_CA_CERTS": str(certificate)}
        wrapped = sandbox.wrap(("sh", "-c", 'cat "$NODE_EXTRA_CA_CERTS"'), tmp_path, environment)
        assert subprocess.check_output(wrapped, text=True, env=environment, timeout=30) == "a certificate"


def test_an_agent_makes_a_sandbox_of_its_own_within_it(tmp_path: Path, sandbox: Sandbox | None) -> None:
    """Codex runs its commands so, and asks about every one where it cannot."""
    if sandbox is not None and (sandbox.maps_root or os.geteuid()):
        own = ("bwrap", "--unshare-user", "--ro-bind", "/", "/", "--dev", "/dev")
        tried = "(echo x > inside) 2>&1 | grep -o 'Read-only.*'"
        assert seen(sandbox, tmp_path, *own, "sh", "-c", tried) == "Read-only file system"


@pytest.mark.parametrize("maps_root", [True, False])
def test_root_turns_no_switch_of_the_whole_machine(tmp_path: Path, sandbox: Sandbox | None, *, maps_root: bool) -> None:
    """What /proc/sys/kernel/core_pattern says is run by the machine's root, outside."""
    if sandbox is not None and sandbox.mounts_proc and (sandbox.maps_root or not maps_root):
        switch = "/proc/sys/kernel/core_pattern"
        turned = f"(cat {switch} > was; cat was > {switch}) 2>/dev/null && echo turned || echo kept"
        assert seen(replace(sandbox, maps_root=maps_root), tmp_path, "sh", "-c", turned) == "kept"
