"""What a plan of a kind of goal usually takes (stages.yaml)."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from engine.files.yaml_locations import read_yaml
from engine.lexicon.language import Language

FILE = Path(__file__).with_name("stages.yaml")

Words = Mapping[Language, str]


class Stage(Struct, frozen=True, kw_only=True):
    """One task of a kind of plan."""

    task_id: str
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
    return tuple(
        Kind(
            name=name,
            words=re.compile(each["words"], re.IGNORECASE),
            weeks=each["weeks"],
            phases=tuple(
                Phase(
                    name=phase["name"],
                    stages=tuple(
                        Stage(
                            task_id=task["id"],
                            title=task["title"],
                            output=task["output"],
                            accept=task["accept"],
                            begins=task["from"],
                            ends=task["to"],
                            hours=task.get("hours", 0),
                            share=task.get("share", 0),
                            after=tuple(task.get("after", ())),
                            tags=tuple(task.get("tags", ())),
                            only=re.compile(task["only"], re.IGNORECASE) if "only" in task else None,
                        )
                        for task in phase["tasks"]
                    ),
                )
                for phase in each["phases"]
            ),
        )
        for name, each in located.items()
    )


def kind_of_goal(text: str) -> Kind:
    """The kind whose words a goal says first; the last one where it says none of them."""
    found = [(match.start(), at, kind) for at, kind in enumerate(kinds()) if (match := kind.words.search(text))]
    return min(found, key=lambda each: each[:2])[2] if found else kinds()[-1]
