"""Which variables say where workers work and who may; `bot.config` reads them with all others."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bot.databases import Database, folder_beside
from bot.environment import IN_FILE
from engine.files.validated_file import ValidatedFile
from engine.kernel import Validated
from engine.workers.doctor import isolation_faults
from engine.workers.registry import RegistryFile, WorkersAccess

SESSIONS: Final = "sessions"
LOGS: Final = "logs"
"""Folders beside the database."""
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""Where a service manager lays a service's secrets."""


def workers_access(environ: Mapping[str, str], database: Database, faults: list[str]) -> WorkersAccess:
    """
    Args:
        database: beside which things lie that nobody named another place for.
        faults: what is wrong is added to these.
    """
    beside = folder_beside(database)
    found: dict[str, Path | None] = {}
    for name in ("TOWOW_ROLES", "TOWOW_SCHEDULER"):
        found[name] = path = Path(environ[name]) if environ.get(name) else None
        if path is not None and not path.is_file():
            faults.append(f"{name} is {str(path)!r}, which is no file; leave it out, or create it")
            found[name] = None
    for name, usual in (("TOWOW_SESSIONS", SESSIONS), ("TOWOW_LOGS", LOGS)):
        found[name] = folder = Path(environ.get(name) or beside / usual)
        if folder.exists() and not folder.is_dir():
            faults.append(f"{name} is {str(folder)!r}, which is no folder; choose another place")
    sessions = found["TOWOW_SESSIONS"] or beside / SESSIONS
    secret = tuple(_ours(environ, database))
    return WorkersAccess(sessions, found["TOWOW_ROLES"], found["TOWOW_SCHEDULER"], found["TOWOW_LOGS"], secret)


def _ours(environ: Mapping[str, str], database: Database) -> Iterator[Path]:
    """Yield the database's files, and whatever file or folder a setting names: tokens, keys, profiles."""
    if isinstance(database, Path):
        yield from (database.with_name(f"{database.name}{end}") for end in ("", "-wal", "-shm"))
    for name, value in environ.items():
        is_value_s = name.endswith(IN_FILE) and name.removesuffix(IN_FILE) in environ
        is_ours = name.startswith("TOWOW_") or name == CREDENTIALS or is_value_s
        if is_ours and os.path.isabs(value) and os.path.exists(value):
            yield Path(value)


def check_files(access: WorkersAccess, scheduling: Sequence[type[Validated]], faults: list[str]) -> None:
    """Add every fault of the registry and of the scheduler's figures, each with its line, and what cannot be had here.

    Args:
        scheduling: what the figures have to be, for each protocol whose work is scheduled.
    """
    roles = RegistryFile(access.roles)
    files: list[tuple[str, ValidatedFile[Any]]] = [("TOWOW_ROLES", roles)]
    files += [("TOWOW_SCHEDULER", ValidatedFile(access.scheduler, each, each())) for each in scheduling]
    for name, file in files:
        file.current()
        faults += [f"{name}: {each}" for each in file.faults]
    faults += [f"TOWOW_ROLES: {access.roles}: {each}" for each in isolation_faults(roles.current())]
