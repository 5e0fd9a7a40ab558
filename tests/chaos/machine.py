"""What can be done to a process from outside: its clock, its disk, and how much of the machine it holds."""

import os
import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FAKETIME: Final = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")
"""Where distributions put libfaketime."""

KIB: Final = 1024


class FakeClock:
    """The wall clock of the processes that get `environ`. Their monotonic clock stays the machine's, as it is when
    somebody sets the time."""

    def __init__(self, folder: Path) -> None:
        self._library = next((each for place in FAKETIME for each in Path("/").glob(place.lstrip("/"))), None)
        self._file = folder / "clock"
        self.ahead = 0
        """Seconds."""
        self.jump(0)

    @property
    def is_there(self) -> bool:
        return self._library is not None

    @property
    def environ(self) -> dict[str, str]:
        if self._library is None:
            return {}
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",  # seconds: reading the file each time takes half of a core
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }

    def jump(self, by: int) -> None:
        """Set the clock forward, or back, by so many seconds."""
        self.ahead += by
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{self.ahead:+d}")
        fresh.replace(self._file)


def limit_files(pid: int, size: int | None) -> None:
    """Let no file of a process grow beyond a size, as on a disk that is full; None lifts that."""
    if sys.platform == "linux":
        most = resource.RLIM_INFINITY if size is None else size
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def can_fill_disks() -> bool:
    return sys.platform == "linux"


@dataclass(frozen=True, slots=True)
class Holding:
    """What a process holds."""

    kib: int
    """Resident memory."""
    files: int
    """Open file descriptors, sockets among them."""


NOTHING: Final = Holding(0, 0)


def holding(pid: int) -> Holding | None:
    """Return what a process holds; None where it has ended or the platform does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return Holding(pages * resource.getpagesize() // KIB, len(os.listdir(f"/proc/{pid}/fd")))
    except (OSError, IndexError):
        return None
