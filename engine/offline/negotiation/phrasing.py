"""Takes phrases from phrases.yaml; the same person always gets the same phrasing."""

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.facts.language import Language
from engine.files.yaml_locations import read_yaml

FILE = Path(__file__).with_name("phrases.yaml")


@cache
def phrases() -> Mapping[str, Mapping[Language, Sequence[str]]]:
    return read_yaml(FILE, FILE.read_text("utf-8")).data


def phrase(key: str, language: Language, who: str = "", /, **values: object) -> str:
    """
    Args:
        who: people with different names may be given different phrasings.
    """
    options = phrases()[key][language]
    return options[zlib.crc32(f"{key} {who}".encode()) % len(options)].format(**values)


def join_list(items: Sequence[str], language: Language) -> str:
    """``a, b and c``."""
    if language == "zh":
        return "、".join(items)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1] if items else ""


_CLAUSE = re.compile(r"[^，,；;。.\n]+(?:[，,；;。.](?=\d)[^，,；;。.\n]*)*[，,；;。.\n]*")
_FIRST_PERSON = re.compile(r"[我咱]|\b(?:I|I'm|I've|I'd|I'll|me|my|mine|myself|we|we've|our|ours|us)\b", re.IGNORECASE)


def is_first_person(text: str) -> bool:
    return bool(_FIRST_PERSON.search(text))


def in_third_person(text: str) -> str:
    """A text without the clauses in which somebody speaks of themselves; it may be empty."""
    kept = "".join(clause for clause in _CLAUSE.findall(text) if not is_first_person(clause))
    return kept.strip(" ，,；;。.\n")
