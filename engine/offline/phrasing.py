"""Takes what the stand-in says from phrases.yaml, where all of it stands."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml

FILE = Path(__file__).with_name("phrases.yaml")


@cache
def phrases() -> Mapping[str, Mapping[Language, str]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


def phrase(key: str, language: Language, **values: object) -> str:
    return phrases()[key][language].format(**values)


def join_list(items: Sequence[str], language: Language) -> str:
    """``a, b and c``; with semicolons where an item has commas of its own."""
    if language == "zh":
        return ("；" if any("，" in each or "、" in each for each in items) else "、").join(items)
    if any("," in each for each in items):
        return "; ".join(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""
