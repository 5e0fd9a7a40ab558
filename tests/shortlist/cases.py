"""The hand-made sets: 300 people each, and demands that share no wording with whoever can help."""

from pathlib import Path
from typing import Final, NamedTuple

from engine.directory.profile import PublicProfile

HERE: Final = Path(__file__).parent


class Case(NamedTuple):
    demand: str
    wanted: frozenset[str]
    """Agent ids of those who can help."""


def people(name: str = "people") -> tuple[PublicProfile, ...]:
    found: list[PublicProfile] = []
    kind, number = "", 0
    for line in (HERE / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind, number = line[3:], 0
        elif not line.startswith("#"):
            number += 1
            tags, city, said = (each.strip() for each in line.split("|"))
            found.append(_person(f"user_agent_{kind}_{number}", tuple(tags.split(", ")), city, said, len(found)))
    return tuple(found)


def cases(name: str) -> tuple[Case, ...]:
    lines = (HERE / f"{name}.txt").read_text("utf-8").splitlines()
    return tuple(_case(each) for each in lines if not each.startswith("#"))


def phrases() -> dict[str, tuple[str, ...]]:
    """Return, by demand, what is needed and what somebody who fits would write of themselves."""
    lines = (HERE / "phrases.txt").read_text("utf-8").splitlines()
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        if not line.startswith("#"):
            demand, needed, said = (each.strip() for each in line.split("|"))
            found[demand] = (needed, *(each.strip() for each in said.split("/")))
    return found


def _person(agent_id: str, tags: tuple[str, ...], city: str, said: str, number: int) -> PublicProfile:
    return PublicProfile(
        agent_id=agent_id,
        user_name=f"P{number}",
        profile_summary=said,
        location=city,
        tags=tags,
        capabilities={tags[0]: said},
        interests=(),
        availability="weekends",
        languages=("English",),
    )


def _case(line: str) -> Case:
    who, demand = (each.strip() for each in line.split("|"))
    kind, numbers = who.split(":")
    return Case(demand, frozenset(f"user_agent_{kind}_{each}" for each in numbers.split(",")))
