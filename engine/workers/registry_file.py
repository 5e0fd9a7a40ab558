"""The file of the role registry, read anew when it changes (seed 002, section 4)."""

from pathlib import Path

from engine.files.validated_file import ValidatedFile
from engine.workers.registry import NOBODY_WORKS, Registry


class RegistryFile(ValidatedFile[Registry]):
    """
    Args:
        path: None where no command may run.
    """

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, Registry, NOBODY_WORKS)
