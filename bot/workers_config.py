"""Which variables say where workers work and who may; `bot.config` reads them with all others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from engine.files.validated_file import ValidatedFile
from engine.kernel import Validated
from engine.workers.access import WorkersAccess
from engine.workers.doctor import isolation_faults
from engine.workers.registry_file import RegistryFile

SESSIONS: Final = "sessions"
LOGS: Final = "logs"
"""Folders beside the database."""


def workers_access(environ: Mapping[str, str], beside: Path, faults: list[str]) -> WorkersAccess:
    """
    Args:
        beside: the folder of the database.
        faults: what is wrong is added to these.
    """
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
    return WorkersAccess(sessions, found["TOWOW_ROLES"], found["TOWOW_SCHEDULER"], found["TOWOW_LOGS"])


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
