"""What the stand-in says, in Chinese where the brief is Chinese, else in English."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.facts.language import Language, catalogue_of
from engine.files.yaml_locations import read_yaml

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_OTHERS: Final = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_WORDS: Final = re.compile(r"[A-Za-zÀ-ÿ]{2,}")


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
    han = len(_HAN.findall(text))
    return "zh" if han and not _OTHERS.search(text) and han >= len(_WORDS.findall(text)) else ""
