"""Takes phrases from phrases.yaml."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml

FILE = Path(__file__).with_name("phrases.yaml")


@cache
def phrases() -> Mapping[str, Mapping[Language, str]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


def phrase(key: str, language: Language, /, **values: object) -> str:
    return phrases()[key][language].format(**values)


def sentence(key: str, language: Language, /, **values: object) -> str:
    """The phrase as a sentence that may begin with somebody's own words."""
    said = phrase(key, language, **values)
    return said[:1].upper() + said[1:]


def listed(items: Sequence[str], language: Language) -> str:
    """``a, b and c``."""
    if language == "zh":
        return "、".join(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""


def paragraph(sentences: Sequence[str], language: Language) -> str:
    return ("" if language == "zh" else " ").join(ended(each, language) for each in sentences if each.strip())


def ended(sentence: str, language: Language) -> str:
    """A sentence with its full stop."""
    sentence = sentence.strip()
    if sentence.endswith((".", "!", "?", "。", "！", "？", "…", "”")):
        return sentence
    return f"{sentence}。" if language == "zh" else f"{sentence}."
