"""Says which roles can work on this machine, in which version, and whether there is a sandbox. It changes nothing."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine.workers.environment import environment_of
from engine.workers.registry import Registry, RoleEntry
from engine.workers.sandbox import available

PATIENCE: Final = 20
"""Seconds that a version may take: agents are slow to start."""
LONGEST: Final = 200
"""Characters of a version that are told."""


@dataclass(frozen=True, slots=True)
class RoleFound:
    """A role, and whether it can work here."""

    role_id: str
    protocol: str
    version: str = ""
    """As it says; empty where nobody can be asked."""
    fault: str = ""
    """Why it cannot work; empty where it can."""
    is_sandboxed: bool = False


def has_sandbox() -> bool:
    """Whether a command can be kept in its own directory. It may run a program, and waits for that."""
    return available() is not None


def isolation_faults(registry: Registry) -> Iterator[str]:
    """Yield a sentence for each role that would have to be isolated and cannot be. It may run a program."""
    strict = [each for each in registry.roles if each.cli_command and _must_be_isolated(each)]
    if not strict or has_sandbox():
        return
    for each in strict:
        yield f"{each.role_id} has to be isolated, and bubblewrap is not there or does not work on this machine"


def look_at(registry: Registry) -> Iterator[RoleFound]:
    """Yield what there is of each role; each is asked for its version, one after the other."""
    sandbox = has_sandbox() if any(each.cli_command for each in registry.roles) else False
    for role in registry.roles:
        metadata = role.metadata
        if not role.cli_command:
            yield RoleFound(role.role_id, metadata.protocol)
            continue
        if _must_be_isolated(role) and not sandbox:
            yield RoleFound(role.role_id, metadata.protocol, fault="it has to be isolated, and there is no sandbox")
            continue
        if shutil.which(role.cli_command[0]) is None:
            yield RoleFound(role.role_id, metadata.protocol, fault=f"there is no program {role.cli_command[0]}")
            continue
        version, fault = _version(role, registry)
        yield RoleFound(role.role_id, metadata.protocol, version, fault, sandbox and metadata.sandbox != "off")


def _must_be_isolated(role: RoleEntry) -> bool:
    return role.metadata.network == "isolated" or role.metadata.sandbox == "required"


def _version(role: RoleEntry, registry: Registry) -> tuple[str, str]:
    """Return the first line that its version command prints, and why there is none."""
    if not (command := role.metadata.version_command):
        return "", ""
    with TemporaryDirectory(prefix="towow-") as folder:
        directory = Path(folder)
        for each in (".home", ".tmp"):
            (directory / each).mkdir()
        try:
            process = subprocess.Popen(  # noqa: S603 - stands in the registry, word for word
                command, cwd=directory, env=dict(environment_of(role, registry, directory)), start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as error:
            return "", f"{command[0]} cannot be started: {error.strerror}"
        try:
            out, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "", f"{command[0]} did not say its version within {PATIENCE} s"
        finally:
            _end(process)
    if process.returncode != 0:
        return "", f"{command[0]} ended with {process.returncode} when it was asked for its version"
    lines = out.decode("utf-8", "replace").split("\n")
    return next((line.strip()[:LONGEST] for line in lines if line.strip()), ""), ""


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End whatever it has left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
