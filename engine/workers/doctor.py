"""Says which roles can work on this machine, in which version, and whether there is a sandbox. It changes nothing."""

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine.facts.visible import visible
from engine.workers.environment import HOME, TEMPORARY, environment_of
from engine.workers.process import Launch, ProcessTrouble, started
from engine.workers.registry import Registry, RoleEntry
from engine.workers.sandbox import available

PATIENCE: Final = 20
"""Seconds that a version may take: agents are slow to start."""
MOST_PRINTED: Final = 100_000
"""Bytes that it may print meanwhile."""
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
        if refusal := registry.refusal(role):
            yield RoleFound(role.role_id, metadata.protocol, fault=refusal)
            continue
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
    if not role.metadata.version_command:
        return "", ""
    # Whoever asks may be in an event loop, which is not to be entered twice.
    with ThreadPoolExecutor(1) as thread, TemporaryDirectory(prefix="towow-") as folder:
        return thread.submit(asyncio.run, _said(role, registry, Path(folder))).result()


async def _said(role: RoleEntry, registry: Registry, directory: Path) -> tuple[str, str]:
    command = role.metadata.version_command
    for each in (HOME, TEMPORARY):
        (directory / each).mkdir()
    environment = environment_of(role, registry, directory)
    launch = Launch(command, directory, environment, total=PATIENCE, silence=PATIENCE, output_bytes=MOST_PRINTED)
    try:
        async with started(launch) as process:
            await process.write(b"", close=True)
            lines = [line async for line in process.lines()]
            code = await process.ended()
    except ProcessTrouble as trouble:
        return "", f"asked for its version by {command[0]}: {trouble}"
    if code != 0:
        return "", f"{command[0]} ended with {code} when it was asked for its version"
    texts = (visible(each.decode("utf-8", "replace")).strip() for each in lines)
    return next(filter(None, texts), "")[:LONGEST], ""
