"""Reads profiles from a table of comma-separated values: a row is a person."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from pydantic import ValidationError

from engine.directory.profile import Profile, mismatches
from engine.errors import Misconfigured
from engine.facts.quoting import folded

COLUMNS: Final = (
    *("agent_id", "user_name", "profile_summary", "location", "tags"),
    *("capabilities", "interests", "availability", "languages", "twin", "slack_user"),
)
"""What is a list has its parts between semicolons; capabilities are ``tag: what exactly``."""
LISTS: Final = ("tags", "interests", "languages")
OPTIONAL: Final = frozenset({"interests", "twin", "slack_user"})


def read_table(path: Path, text: str) -> tuple[Profile, ...]:
    """Read people from a table, a row each."""
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        head = reader.fieldnames or ()
        if wrong := _wrong_columns(head):
            raise Misconfigured([f"{path}:1: {wrong}"])
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise Misconfigured([f"{path}: this is no table: {error}"]) from error
    faults: list[str] = []
    found: dict[str, Profile] = {}
    for line, row in rows:
        at = f"{path}:{line}"
        if None in row or None in row.values():
            faults.append(f"{at}: the row has other columns than the first one; put texts with commas between quotes")
            continue
        try:
            profile = Profile.model_validate(_said(row))
        except ValidationError as error:
            faults += [f"{at}: `{_field(each['loc'])}`: {each['msg']}" for each in error.errors()]
            continue
        except ValueError as error:
            faults.append(f"{at}: {error}")
            continue
        faults += [f"{at}: `{_field(where)}`: {what}" for where, what in mismatches(profile)]
        if profile.agent_id in found:
            faults.append(f"{at}: `agent_id`: {profile.agent_id!r} is there twice")
        found[profile.agent_id] = profile
    if not rows:
        faults.append(f"{path}: there is nobody in this table")
    if faults:
        raise Misconfigured(faults)
    return tuple(found.values())


def to_yaml(profile: Profile) -> str:
    said = profile.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=160)


def _wrong_columns(head: Any) -> str:
    missing = [each for each in COLUMNS if each not in head and each not in OPTIONAL]
    strange = [str(each) for each in head if each not in COLUMNS]
    said = [f"the column {each} is missing" for each in missing] + [f"no column is called {each!r}" for each in strange]
    return "; ".join(said)


def _said(row: dict[str, str]) -> dict[str, Any]:
    """Return what a row says, as fields of a profile."""
    said: dict[str, Any] = {name: text.strip() for name, text in row.items() if text.strip()}
    for name in LISTS:
        if name in said:
            said[name] = _parts(said[name])
    able = {}
    for each in _parts(said.get("capabilities", "")):
        tag, colon, what = each.partition(":" if ":" in each else "：")
        if not colon:
            raise ValueError(f"`capabilities`: {each!r} has no colon; write `tag: what exactly`")
        able[tag.strip()] = what.strip()
    return {**said, "capabilities": able}


def _parts(text: str) -> list[str]:
    return [each.strip() for each in text.replace("；", ";").split(";") if each.strip()]


def _field(location: tuple[str | int, ...]) -> str:
    return ".".join(map(str, location))


ALIKE: Final = 0.2
"""The share of the shorter introduction's phrases from which on two are alike; people share next to none."""
LONG: Final = 18
"""Bytes in a row that make a phrase, in UTF-8: three or four words of English, six characters of Chinese."""


class Alike(NamedTuple):
    one: str
    other: str
    """Agent ids, in order."""
    share: float


def alike(profiles: Iterable[Profile]) -> Iterator[Alike]:
    """Yield every pair whose introductions are near duplicates."""
    phrases = {each.agent_id: _phrases(each.profile_summary) for each in profiles}
    having: defaultdict[bytes, list[str]] = defaultdict(list)
    for agent_id in sorted(phrases):
        for phrase in phrases[agent_id]:
            having[phrase].append(agent_id)
    pairs = {pair for people in having.values() if len(people) > 1 for pair in combinations(people, 2)}
    for one, other in sorted(pairs):
        fewest = min(len(phrases[one]), len(phrases[other]))
        share = len(phrases[one] & phrases[other]) / fewest
        if share >= ALIKE:
            yield Alike(one, other, share)


def _phrases(text: str) -> frozenset[bytes]:
    """Every phrase that begins with a character, whatever the language."""
    said = folded(text)
    ends = [0]
    for each in said:
        ends.append(ends[-1] + len(each.encode(errors="replace")))
    written = said.encode(errors="replace")
    return frozenset(written[start : start + LONG] for start in ends if start + LONG <= len(written)) or frozenset(
        (written,)
    )
