"""Takes phrases from phrases.yaml; the same person always gets the same phrasing."""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.files.yaml_locations import read_yaml
from engine.lexicon.language import Language

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


def shorten(text: str, most: int) -> str:
    """At most this many characters, with an ellipsis where text is missing; no English word is cut in two."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    if text[most - 1].isascii() and text[most - 1].isalnum() and " " in kept[most // 2 :]:
        kept = kept[: kept.rindex(" ")]
    return kept.rstrip(" ,，、;；") + "…"
