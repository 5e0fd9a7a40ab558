"""What agents are told around a ticket's own words: the files of ``prompts/workers/``."""

import re
from collections.abc import Iterable
from functools import cache
from string import Template
from typing import Final, Literal

import yaml

from engine.errors import Misconfigured
from engine.files import folders
from engine.workers.port import WantedOutput, WorkOrder

BLOCKED: Final = "BLOCKED.md"
"""The file in which an agent says what it lacks, a line for each thing."""

Name = Literal["work", "discuss", "answered", "again"]
_GIVEN: Final[dict[Name, set[str]]] = {
    "work": {"task", "outputs"},
    "discuss": {"task"},
    "answered": {"task"},
    "again": {"task"},
}
_FRAME: Final = re.compile(r"\A---\n(?P<header>.*?\n)---\n(?P<body>.*)\Z", re.DOTALL)


def told(order: WorkOrder, *, is_resumed: bool) -> str:
    """The whole of what an agent is told of this attempt.

    Args:
        is_resumed: the agent knows what it did before.
    """
    if order.purpose == "discuss":
        return _filled("discuss", task=order.text)
    task = _filled("work", task=order.text, outputs=_listed(order.outputs))
    if is_resumed and order.permissions:
        return _filled("answered", task=task)
    if not is_resumed and (order.agent_session or order.attempt > 1):
        return _filled("again", task=task)
    return task


def _listed(outputs: Iterable[WantedOutput]) -> str:
    return "\n".join(f"- `{each.path}`: {each.label}" for each in outputs) or "(none)"


def _filled(name: Name, **values: str) -> str:
    return _template(name).substitute(values).strip() + "\n"


@cache
def _template(name: Name) -> Template:
    """
    Raises:
        Misconfigured: the file is not there, has no header, or names what it is not given.
    """
    path = folders.folder("prompts") / "workers" / f"{name}.md"
    frame = _FRAME.match(path.read_text("utf-8")) if path.is_file() else None
    if frame is None:
        raise Misconfigured([f"{path} needs a header between two `---` lines, and a text."])
    header, template = yaml.safe_load(frame["header"]), Template(frame["body"])
    named = [{*header.get("given", ())}, {*template.get_identifiers()}]
    if not template.is_valid() or named != [_GIVEN[name]] * 2:
        raise Misconfigured([f"{path} has to use exactly: {', '.join(sorted(_GIVEN[name]))}."])
    return template
