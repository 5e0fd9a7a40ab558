"""The command in this process, and as a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from bot.command_line import main

from ..equipment import WITHOUT_ENCODER

ROOT: Final = Path(__file__).parents[2]
LONGEST: Final = 60
"""Seconds."""

MEETUP: Final = "我想在北京办一场50人的AI主题聚会，需要场地和嘉宾"
WITH_PHOTOS: Final = "我想在北京办一场50人的AI主题聚会，需要场地、嘉宾和摄影师"
"""More than `two` can do."""
PROTOTYPE: Final = "A prototype of a mobile app in six weeks; we need UX design, mobile development and QA"


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        report: dict[str, Any] = json.loads(self.out)
        return report

    @property
    def complaints(self) -> list[str]:
        return self.err.splitlines()


Towow = Callable[..., Done]


@pytest.fixture
def towow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Towow:
    """``towow`` with these arguments, in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> Done:
        try:
            code = main([str(each) for each in arguments])
        except SystemExit as ended:  # argparse
            code = int(ended.code or 0)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call


@pytest.fixture
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two people: one has a room, one gives talks."""
    folder = tmp_path_factory.mktemp("two")
    for name in ("lin_xiao", "chen_mo"):
        shutil.copy(ROOT / "profiles" / f"{name}.yaml", folder)
    return folder


def process(
    *arguments: str | Path, cwd: Path, through: Sequence[str] = (), screen: int = subprocess.PIPE, **variables: str
) -> "subprocess.Popen[str]":
    """``python -m bot`` with these arguments.

    Args:
        through: a command that starts it.
        screen: the terminal that somebody looks at; nobody does when left out.
    """
    return _started([*through, *_command(arguments)], cwd, variables, subprocess.DEVNULL, screen)


def typed_into(*arguments: str | Path, cwd: Path) -> "subprocess.Popen[str]":
    """``python -m bot`` with these arguments, and somebody who types."""
    return _started(_command(arguments), cwd, {"PYTHONUNBUFFERED": "1"}, subprocess.PIPE, subprocess.PIPE)


def _command(arguments: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-m", "bot", *map(str, arguments)]


def _started(
    command: list[str], cwd: Path, variables: Mapping[str, str], keys: int, screen: int
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": WITHOUT_ENCODER, **variables},
        stdin=keys,
        stdout=screen,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )


def ended(running: "subprocess.Popen[str]") -> Done:
    with running:
        try:
            out, err = running.communicate(timeout=LONGEST)
        finally:
            running.kill()
    return Done(running.returncode, out, err)
