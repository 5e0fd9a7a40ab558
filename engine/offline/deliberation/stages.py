"""What a plan of a kind of goal usually takes (stages.yaml)."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml

FILE = Path(__file__).with_name("stages.yaml")

Words = Mapping[Language, str]


class Stage(Struct, frozen=True, kw_only=True):
    """One task of a kind of plan."""

    task_id: str
    """By its place among the stages of its kind."""
    title: Words
    output: Words
    accept: Words
    begins: float
    ends: float
    """In percent of the time there is."""
    hours: float
    share: float
    """Of the hours of study, in percent; 0 elsewhere."""
    after: tuple[str, ...]
    tags: tuple[str, ...]
    only: re.Pattern[str] | None
    """What the brief or a fact has to say for it."""


class Phase(Struct, frozen=True, kw_only=True):
    name: Words
    stages: tuple[Stage, ...]


class Kind(Struct, frozen=True, kw_only=True):
    name: str
    words: re.Pattern[str]
    weeks: int
    phases: tuple[Phase, ...]


@cache
def kinds() -> Sequence[Kind]:
    located = read_yaml(FILE, FILE.read_text("utf-8")).data
    return tuple(_kind(name, each) for name, each in located.items())


def _kind(name: str, said: Mapping[str, Any]) -> Kind:
    called = [task["id"] for phase in said["phases"] for task in phase["tasks"]]
    ids = {each: f"task-{number}" for number, each in enumerate(called, 1)}
    return Kind(
        name=name,
        words=re.compile(said["words"], re.IGNORECASE),
        weeks=said["weeks"],
        phases=tuple(
            Phase(name=phase["name"], stages=tuple(_stage(task, ids) for task in phase["tasks"]))
            for phase in said["phases"]
        ),
    )


def _stage(said: Mapping[str, Any], ids: Mapping[str, str]) -> Stage:
    return Stage(
        task_id=ids[said["id"]],
        title=said["title"],
        output=said["output"],
        accept=said["accept"],
        begins=said["from"],
        ends=said["to"],
        hours=said.get("hours", 0),
        share=said.get("share", 0),
        after=tuple(ids[each] for each in said.get("after", ())),
        tags=tuple(said.get("tags", ())),
        only=re.compile(said["only"], re.IGNORECASE) if "only" in said else None,
    )


def kind_of_goal(text: str) -> Kind:
    """The kind whose words a goal says first; the last one where it says none of them."""
    found = [(match.start(), at, kind) for at, kind in enumerate(kinds()) if (match := kind.words.search(text))]
    return min(found, key=lambda each: each[:2])[2] if found else kinds()[-1]
