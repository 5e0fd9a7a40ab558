"""A sandbox by bubblewrap, where the machine has it: only one directory is writable, and there may be no network.

What programs need is there to be read: the system's folders, what names and certificates are looked up in, and where
the command itself is installed. Homes, the rest of ``/etc``, the database, the sessions of others and the sockets of
the machine's services are not there at all.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

BUBBLEWRAP: Final = "bwrap"
PATIENCE: Final = 10
"""Seconds in which a try has to end."""
SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix", "/run/systemd/resolve")
"""What is there to be read, where the machine has it."""
LOOKED_UP: Final = tuple(
    f"/etc/{each}"
    for each in (
        *("resolv.conf", "hosts", "host.conf", "gai.conf", "nsswitch.conf", "services", "protocols"),
        *("passwd", "group", "localtime", "timezone", "os-release", "mime.types"),
        *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts"),
        *("ssl/certs", "ssl/openssl.cnf", "ssl/cert.pem", "ca-certificates", "crypto-policies"),
        *("pki/tls/certs", "pki/tls/cert.pem", "pki/tls/openssl.cnf", "pki/ca-trust/extracted"),
    )
)
"""What programs look up of a machine, and no more of its settings: secrets may stand beside them."""
CERTIFICATES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS")
"""Variables that say where certificates lie."""
SWITCHES: Final = tuple(
    f"/proc/{each}" for each in ("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr")
)
"""By which root changes the whole machine, without any capability: what runs where a program crashes, for one."""
NOBODY: Final = 65534
"""Who root is in a sandbox."""
LONGEST_INTERPRETER: Final = 256
"""Bytes of the first line of a script that are read."""
NAME_SERVERS: Final = "/etc/resolv.conf"
"""Often a link to elsewhere."""
PROGRAM_FOLDERS: Final = ("bin", ".bin", "shims", "sbin")
"""A program in one of these uses what lies beside the folder."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    has_network: bool
    readable: tuple[Path, ...] = ()
    """What it may read besides: files and folders."""
    hidden: tuple[Path, ...] = ()
    """What is never there, also where it lies within something that is."""
    mounts_proc: bool = True
    """Whether a /proc of its own can be mounted, which some containers forbid; it has none then."""

    maps_root: bool = False
    """Whether root is an ordinary user in it: only such a one may make a sandbox within this one, as Codex does."""

    def wrap(
        self, command: Sequence[str], directory: Path, environment: Mapping[str, str] | None = None
    ) -> tuple[str, ...]:
        """Return the command that runs another one in the sandbox; only the directory is writable.

        Args:
            environment: of the command; it says where programs and certificates are. Our own where none is given.
        """
        wrapped = [BUBBLEWRAP, "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        wrapped += ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)] if self.maps_root else []
        wrapped += ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        wrapped += [] if self.has_network else ["--unshare-net"]
        for each in (*SYSTEM, *LOOKED_UP):
            wrapped += ["--ro-bind-try", each, each]
        wrapped += ["--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"]  # noqa: S108 - of its own
        if self.mounts_proc:
            wrapped += ["--proc", "/proc"]
            for each in SWITCHES if _is_root() else ():
                wrapped += ["--ro-bind-try", each, each]
        seen = {*self.readable, *_needed(command, os.environ if environment is None else environment)}
        for each in sorted(map(str, seen)):
            wrapped += ["--ro-bind-try", each, each]
        wrapped += self._covers(seen)
        place = str(directory)
        # Bubblewrap makes the folders above what is shown: they are its own, and are not to be written to either.
        return (*wrapped, "--bind", place, place, "--remount-ro", "/", "--chdir", place, "--", *command)

    def _covers(self, seen: set[Path]) -> Iterator[str]:
        """Lay something empty over whatever is hidden and lies within what is seen."""
        shown = [os.path.realpath(each) for each in [*map(Path, (*SYSTEM, *LOOKED_UP)), *seen]]
        for each in sorted(map(os.path.realpath, self.hidden)):
            if os.path.exists(each) and any(Path(each).is_relative_to(within) for within in shown):
                yield from ("--tmpfs", each) if os.path.isdir(each) else ("--ro-bind", os.devnull, each)


def _needed(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Path]:
    """What a command needs: its program as it is named and as its links lead to it, with what interprets it; this
    Python; whatever it is told of by its whole path; the certificates of its environment."""
    told = (*command[1:], *(environment.get(each, "") for each in CERTIFICATES))
    named = (Path(each) for each in (sys.prefix, sys.base_prefix, os.path.realpath(NAME_SERVERS), *told))
    yield from (each for each in named if each.is_absolute() and _may_be_shown(each))
    path, program, known = environment.get("PATH"), command[0], set[str]()
    while program and program not in known:
        known.add(program)
        found = shutil.which(program, path=path)
        while found is not None:
            yield from _installed(Path(found))
            program = found
            found = _link(found)
        program = _interpreter(program)


def _installed(program: Path) -> Iterator[Path]:
    """The folder that a program is installed in; where that cannot be shown, the program alone."""
    folder = program.parent.parent if program.parent.name in PROGRAM_FOLDERS else program.parent
    for each in (folder, program):
        if _may_be_shown(each):
            yield each
            return


def _link(program: str) -> str | None:
    if not os.path.islink(program):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(program), os.readlink(program)))


def _interpreter(program: str) -> str:
    """Return the program that the first line of a script names; nothing where it is no script."""
    try:
        with open(program, "rb") as file:
            line = file.readline(LONGEST_INTERPRETER)
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    named = os.fsdecode(line[2:]).split()
    if named and os.path.basename(named[0]) == "env":
        named = [each for each in named[1:] if not each.startswith("-") and "=" not in each]
    return named[0] if named else ""


def _may_be_shown(place: Path) -> bool:
    """Whether it is not among the system's folders, and no whole home, settings' folder, or everything."""
    unwelcome = (Path("/"), Path("/etc"), Path.home(), *Path.home().parents)
    return place not in unwelcome and not any(place.is_relative_to(each) for each in SYSTEM)


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


@cache
def available() -> Sandbox | None:
    """Return what sandbox there is on this machine, without a network, by trying it; None where there is none.

    It waits for a program that is tried: not to be called where others wait.
    """
    if shutil.which(BUBBLEWRAP) is None:
        return None
    users = (True, False) if _is_root() else (False,)  # root may be kept from making users
    tried = (Sandbox(False, mounts_proc=proc, maps_root=user) for user in users for proc in (True, False))
    return next(filter(_works, tried), None)


def _works(sandbox: Sandbox) -> bool:
    with TemporaryDirectory() as directory:
        try:
            tried = subprocess.run(  # noqa: S603 - a fixed command
                sandbox.wrap(("true",), Path(directory)), capture_output=True, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return tried.returncode == 0
