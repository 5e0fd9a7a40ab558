"""What agents are told around a ticket's own words: the files of ``prompts/workers/``."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Final

import yaml

from engine.errors import Misconfigured
from engine.files import folders
from engine.workers.port import WantedOutput, WorkOrder

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

    Raises:
        Misconfigured
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
    folder = folder or folders.folder("prompts") / "workers"
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
