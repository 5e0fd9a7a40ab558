"""Where workers leave what they make, and which files say who may work."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ARTIFACTS: Final = "artifacts"
"""What was registered: of each attempt, its files."""
WORK: Final = "work"
"""Where the commands are started."""
CHECKED: Final = "checked"
"""Copies of what people have given, for the checks."""
STDERR: Final = "stderr"
"""What the command of each attempt printed to stderr, the end of it."""
FOLDERS: Final = (ARTIFACTS, WORK, CHECKED, STDERR)
"""Of a session: each has a folder for each ticket."""


@dataclass(frozen=True, slots=True)
class WorkersAccess:
    sessions: Path
    """The folder that has one for each session; made where it does not exist, for nobody else to read."""
    roles: Path | None = None
    """The role registry; None where no command may run."""
    scheduler: Path | None = None
    """``scheduler_config.json``; None where the defaults hold."""
    logs: Path | None = None
    """The folder that has the log of each session; None where none are written."""
    secret: tuple[Path, ...] = field(default=(), repr=False)
    """Files and folders that no worker may see in its sandbox, also where they lie beside its program."""
    unheard: float = 0.0
    """Seconds for which this process may be stopped until whatever works for it is ended; 0: for any time."""

    @property
    def hidden(self) -> tuple[Path, ...]:
        """What is never there in a sandbox, but for the directory of the work itself."""
        return (self.sessions, *([self.logs] if self.logs else []), *self.secret)
