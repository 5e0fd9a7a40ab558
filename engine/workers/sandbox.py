"""A sandbox by bubblewrap, where the machine has it: only one directory is writable, and there may be no network.

What programs need is there to be read: the system's folders, and where the command itself is installed. Homes, the
database, the sessions of others and the sockets of the machine's services are not there at all.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

BUBBLEWRAP: Final = "bwrap"
PATIENCE: Final = 10
"""Seconds in which a try has to end."""
SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/nix", "/run/systemd/resolve")
"""What is there to be read, where the machine has it."""
NAME_SERVERS: Final = "/etc/resolv.conf"
"""Often a link to elsewhere."""
PROGRAM_FOLDERS: Final = ("bin", ".bin", "shims", "sbin")
"""A program in one of these uses what lies beside the folder."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    has_network: bool
    readable: tuple[Path, ...] = ()
    """What it may read besides: files and folders."""
    mounts_proc: bool = True
    """Whether a /proc of its own can be mounted, which some containers forbid; it has none then."""

    def wrap(self, command: Sequence[str], directory: Path, path: str | None = None) -> tuple[str, ...]:
        """Return the command that runs another one in the sandbox; only the directory is writable.

        Args:
            path: where programs are looked for, like ``PATH``; our own where none is given.
        """
        wrapped = [BUBBLEWRAP, "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        wrapped += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        wrapped += [] if self.has_network else ["--unshare-net"]
        for each in SYSTEM:
            wrapped += ["--ro-bind-try", each, each]
        wrapped += ["--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"]  # noqa: S108 - of its own
        wrapped += ["--proc", "/proc"] if self.mounts_proc else []
        for each in sorted({*map(str, self.readable), *map(str, _needed(command, path))}):
            wrapped += ["--ro-bind-try", each, each]
        place = str(directory)
        # Bubblewrap makes the folders above what is shown: they are its own, and are not to be written to either.
        return (*wrapped, "--bind", place, place, "--remount-ro", "/", "--chdir", place, "--", *command)


def _needed(command: Sequence[str], path: str | None) -> Iterator[Path]:
    """The folders of a program, as it is named and as its links lead to it; those of this Python; and whatever it is
    told of by its whole path."""
    named = (Path(each) for each in (sys.prefix, sys.base_prefix, os.path.realpath(NAME_SERVERS), *command[1:]))
    yield from (each for each in named if each.is_absolute() and _is_elsewhere(each))
    found = shutil.which(command[0], path=path)
    while found is not None:
        program = Path(found)
        folder = program.parent.parent if program.parent.name in PROGRAM_FOLDERS else program.parent
        if _is_elsewhere(folder):
            yield folder
        found = os.path.join(program.parent, os.readlink(program)) if program.is_symlink() else None
        found = found and os.path.normpath(found)


def _is_elsewhere(folder: Path) -> bool:
    """Whether a folder is not among the system's; a whole home, or everything, is never shown."""
    unwelcome = (Path("/"), Path.home(), *Path.home().parents)
    return folder not in unwelcome and not any(folder.is_relative_to(each) for each in SYSTEM)


@cache
def available() -> Sandbox | None:
    """Return what sandbox there is on this machine, without a network, by trying it; None where there is none.

    It waits for a program that is tried: not to be called where others wait.
    """
    if shutil.which(BUBBLEWRAP) is None:
        return None
    return next(filter(_works, (Sandbox(has_network=False, mounts_proc=each) for each in (True, False))), None)


def _works(sandbox: Sandbox) -> bool:
    with TemporaryDirectory() as directory:
        try:
            tried = subprocess.run(  # noqa: S603 - a fixed command
                sandbox.wrap(("true",), Path(directory)), capture_output=True, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return tried.returncode == 0
