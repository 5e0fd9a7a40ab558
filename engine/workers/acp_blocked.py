"""The file in which an agent says what it lacks."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.facts.visible import visible
from engine.workers.acp_texts import BLOCKED

MOST_BYTES: Final = 16_384
MOST_ISSUES: Final = 20
LONGEST_ISSUE: Final = 500
"""Characters."""
UNSAID: Final = "The agent says that it lacks something, and not what."


def forget_blocked(directory: Path) -> None:
    """Remove what an earlier attempt lacked."""
    with suppress(OSError):
        (directory / BLOCKED).unlink()


def read_blocked(directory: Path) -> tuple[str, ...]:
    """What the agent lacks; nothing where it left no such file. Links are not followed."""
    try:
        file = os.open(directory / BLOCKED, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ()
    with os.fdopen(file, "rb") as opened:
        told = os.fstat(file)
        if not stat.S_ISREG(told.st_mode) or told.st_nlink != 1:
            return ()
        text = visible(opened.read(MOST_BYTES).decode("utf-8", "replace"))
    lines = [line.strip().lstrip("-*# ").strip() for line in text.splitlines()]
    issues = tuple(line[:LONGEST_ISSUE] for line in lines if line)[:MOST_ISSUES]
    return issues or (UNSAID,)
