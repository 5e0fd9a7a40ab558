"""An agent's lines, as the messages that they are: whatever is none is a fault, and moves nothing."""

import asyncio
import json
import os
import re
import stat
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, Final, Protocol

import yaml

from engine.errors import Misconfigured
from engine.facts.shortening import visible
from engine.files import kept_folder
from engine.workers.port import Fault, WantedOutput, WorkOrder

# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


MOST_FAULTS: Final = 10
"""Faults that are told; whatever comes after them is left out."""


class Stdin(Protocol):
    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


class AgentLines:
    """The library's transport (`acp.Connection`) over a process whose lines are bounded and watched.

    The library takes what comes for granted; so only messages of the right form get there.

    Args:
        faults: takes what is said of lines that were no message.

    Attributes:
        has_spoken: whether there was a message among the lines.
        ended: done once nothing comes any more; its result is what ended it, None where the agent closed its side.
    """

    def __init__(self, stdin: Stdin, lines: AsyncIterator[bytes], faults: list[Fault]) -> None:
        self._stdin = stdin
        self._lines = lines
        self._faults = faults
        self.has_spoken = False
        self.ended: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    async def send(self, message: dict[str, Any]) -> None:
        self._stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        await self._stdin.drain()

    async def receive(self) -> dict[str, Any] | None:
        """The next message; None once there is none any more."""
        try:
            async for line in self._lines:
                if (message := self._read(line)) is not None:
                    return message
            self._end(None)
        except Exception as error:  # noqa: BLE001 - whatever ended it, the conversation is over, and `ended` tells why
            self._end(error)
        return None

    async def close(self) -> None:
        """Whoever started the process ends it."""

    def _end(self, error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(error)

    def _read(self, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        message: Any = None
        with suppress(ValueError, RecursionError):
            message = json.loads(line)
        if fault := _fault(message):
            note(self._faults, Fault(message=fault))
            return None
        self.has_spoken = True
        return dict(message)


def _fault(message: Any) -> str:
    """Why this is no message; nothing where it is one."""
    if not isinstance(message, dict):
        return "a line has to be a JSON-RPC message, which is an object on one line"
    if not isinstance(message.get("id"), int | str | None):
        return "id: has to be a number or a text"
    if not isinstance(message.get("method"), str | None):
        return "method: has to be a text"
    if not isinstance(message.get("error"), dict | None):
        return "error: has to be an object"
    return ""


def note(faults: list[Fault], fault: Fault) -> None:
    """Keep a fault, unless the same was kept before, or enough are."""
    if len(faults) < MOST_FAULTS and fault not in faults:
        faults.append(fault)


# ── texts ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
# What agents are told around a ticket's own words: the files of ``prompts/workers/``.


BLOCKED: Final = "BLOCKED.md"
"""The file in which an agent says what it lacks, a line for each thing."""

_GIVEN: Final[Mapping[str, frozenset[str]]] = {
    "work": frozenset({"task", "outputs"}),
    "discuss": frozenset({"task"}),
    "answered": frozenset({"task"}),
    "again": frozenset({"task"}),
}
_FRAME: Final = re.compile(r"\A---\n(?P<header>.*?\n)---\n(?P<body>.*)\Z", re.DOTALL)


def told(order: WorkOrder, *, is_resumed: bool) -> str:
    """The whole of what an agent is told of this attempt.

    Args:
        is_resumed: the agent knows what it did before.
    """
    texts = load_texts()
    if order.purpose == "discuss":
        return _filled(texts["discuss"], task=order.text)
    task = _filled(texts["work"], task=order.text, outputs=_listed(order.outputs))
    if is_resumed and order.permissions:
        return _filled(texts["answered"], task=task)
    if not is_resumed and (order.agent_session or order.attempt > 1):
        return _filled(texts["again"], task=task)
    return task


def _listed(outputs: Iterable[WantedOutput]) -> str:
    return "\n".join(f"- `{each.path}`: {each.label}" for each in outputs) or "(none)"


def _filled(template: Template, **values: str) -> str:
    return template.substitute(values).strip() + "\n"


@cache
def load_texts(folder: Path | None = None) -> Mapping[str, Template]:
    """Read what agents are told, by the file's name.

    Args:
        folder: the one that came with the code, unless told otherwise.

    Raises:
        Misconfigured: every file that is not there, has no header, or does not use exactly what it is given.
    """
    folder = folder or kept_folder.folder("prompts") / "workers"
    texts: dict[str, Template] = {}
    faults: list[str] = []
    for name, given in _GIVEN.items():
        path = folder / f"{name}.md"
        frame = _FRAME.match(path.read_text("utf-8")) if path.is_file() else None
        if frame is None:
            faults.append(f"{path} needs a header between two `---` lines, and a text below it.")
            continue
        texts[name] = Template(frame["body"])
        header = yaml.safe_load(frame["header"])
        named = header.get("given") if isinstance(header, dict) else None
        if not texts[name].is_valid() or not (named and {*named} == given == {*texts[name].get_identifiers()}):
            faults.append(f"{path} has to be given, and to use, exactly: {', '.join(sorted(given))}.")
    if faults:
        raise Misconfigured(faults)
    return texts


# ── what is blocked ───────────────────────────────────────────────────────────────────────────────────────────────────
# The file in which an agent says what it lacks.


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
