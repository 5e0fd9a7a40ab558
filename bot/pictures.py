"""Has SVG drawn as PNG, with the fonts of this machine. A picture whose letters it cannot draw is not made."""

import json
import subprocess
import sys
from typing import Final

from bot import drawing
from bot.views.kit.story.schedule import FONTS

LONGEST: Final = 30
"""Seconds that a picture may take."""


class NoFont(Exception):
    """No font here has the letters of a text.

    Args:
        script: as Unicode names it, such as ``CJK``.
    """

    def __init__(self, script: str) -> None:
        super().__init__(f"No font here has letters of the script {script}; install one, such as Noto Sans.")
        self.script = script


def png(svg: str, text: str) -> bytes:
    """Wait for a process that draws it: for a thread, since meanwhile the loop goes on.

    Args:
        text: what is written in the picture.

    Raises:
        NoFont: boxes, or nothing, would stand for some of it.
        ValueError: it is no SVG.
        OSError, subprocess.SubprocessError: it cannot be drawn here, or takes too long.
    """
    command = [sys.executable, "-I", drawing.__file__]
    given = json.dumps([svg, text, FONTS]).encode()
    done = subprocess.run(command, input=given, capture_output=True, timeout=LONGEST)  # noqa: S603 - our own file
    if done.returncode == drawing.NO_FONT:
        raise NoFont(done.stdout.decode())
    if done.returncode == drawing.NO_SVG:
        raise ValueError(done.stdout.decode())
    done.check_returncode()
    return done.stdout
