"""What the files of docs/deployment say, read as plainly as those who run them read it."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docs" / "deployment"


class Instruction(NamedTuple):
    name: str
    said: str
    stage: int
    """From 0."""

    @property
    def words(self) -> list[str]:
        """Of a JSON list, or of a line without its flags."""
        if self.said.startswith("["):
            listed: list[str] = json.loads(self.said)
            return listed
        return [each for each in shlex.split(self.said) if not each.startswith("--")]


def instructions() -> Iterator[Instruction]:
    """Yield what the Containerfile says, in order."""
    lines = [line for line in (FOLDER / "Containerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    stage = -1
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, said = line.strip().partition(" ")
            stage += name == "FROM"
            yield Instruction(name, said.strip(), stage)


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
    return read


def service() -> dict[str, list[str]]:
    """Return what the systemd unit says, by name, whatever its section."""
    said: dict[str, list[str]] = {}
    for line in (FOLDER / "towow.service").read_text("utf-8").splitlines():
        name, is_said, value = line.partition("=")
        if is_said and not line.startswith("#"):
            said.setdefault(name, []).append(value)
    return said
