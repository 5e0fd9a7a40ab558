"""What the stand-in says, in Chinese where the brief is Chinese, else in English."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.facts.language import Language, catalogue_of
from engine.files.yaml_locations import read_yaml
from engine.offline.reading import script


def phrase(key: str, language: Language, **values: object) -> str:
    return str(_phrases()[key][language]).format(**values)


@cache
def _phrases() -> Mapping[str, Any]:
    path = Path(__file__).with_name("phrases.yaml")
    found: Mapping[str, Any] = read_yaml(path, path.read_text("utf-8")).data
    return found


def language_of(brief: Any) -> Language:
    """As the brief says it, else by its script."""
    return catalogue_of(brief.language or tag_of(f"{brief.title}\n{brief.goal}"))


def tag_of(text: str) -> str:
    """Chinese where a text is mostly that; of any other language nothing is said."""
    return "zh" if script.tag_of(text) == "zh" else ""
