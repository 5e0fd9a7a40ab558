"""Where workers leave what they make, and which files say who may work."""

from dataclasses import dataclass
from pathlib import Path


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
