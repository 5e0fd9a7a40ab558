"""What ``towow doctor`` says of workers: who is there, in which version, in a sandbox or not, and their folder."""

import os
from collections.abc import Iterator
from pathlib import Path

from bot.commands.findings import Finding, Health
from engine.files.private import is_changeable_by_others, is_open_to_others
from engine.workers.access import WorkersAccess
from engine.workers.doctor import has_sandbox, look_at
from engine.workers.registry_file import RegistryFile


def workers(access: WorkersAccess) -> Iterator[Finding]:
    """Look at the folders, and try each role, without asking its model anything."""
    yield _folder("sessions", access.sessions)
    if access.logs is not None and (logs := _folder("logs", access.logs)).health is not Health.FINE:
        yield logs
    registry = RegistryFile(access.roles).current()
    if access.roles is None:
        yield Finding("workers", Health.FINE, "no role registry: no command runs")
        return
    if any(each.cli_command for each in registry.roles):
        yield _sandbox()
    for each in look_at(registry, access):
        about = f"{each.role_id} ({each.protocol})"
        if each.fault:
            advice = "mend that, or its entry in TOWOW_ROLES (docs/delivery.md, Agents); its tickets fail until then"
            yield Finding("workers", Health.BROKEN, f"{about}: {each.fault}", advice)
            continue
        said = [about, each.version, "in a sandbox" if each.is_sandboxed else ""]
        yield Finding("workers", Health.FINE, ", ".join(part for part in said if part))


def _sandbox() -> Finding:
    if has_sandbox():
        return Finding("sandbox", Health.FINE, "bubblewrap: a command writes in its own folder alone")
    advice = (
        "on Linux, install bubblewrap and let this user make namespaces; elsewhere run agents as a user of their own"
    )
    return Finding("sandbox", Health.DOUBTFUL, "none: a command may do what ToWow's user may", advice)


def _folder(about: str, path: Path) -> Finding:
    if not path.exists():
        there = next(each for each in path.absolute().parents if each.exists())
        if there.is_dir() and os.access(there, os.W_OK):
            return Finding(about, Health.FINE, f"{path} is not there yet; it is made when something is delivered")
        return Finding(about, Health.BROKEN, f"{path} cannot be made", f"let this user write to {there}")
    if not os.access(path, os.W_OK | os.X_OK):
        return Finding(about, Health.BROKEN, f"{path} cannot be written", "let this user write to it")
    if is_open_to_others(path) or is_changeable_by_others(path):
        said = f"others on this machine may look into {path}"
        return Finding(about, Health.DOUBTFUL, said, f"chmod 700 {path}, unless you want that")
    return Finding(about, Health.FINE, f"{path} can be written")
