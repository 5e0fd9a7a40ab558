"""Tells the language of a text by its letters and its most common words; only the stand-in asks for it."""

import re
from typing import Final

from engine.facts.language import Language, catalogue_of
from engine.offline.reading.grammar import listed, words

READ: Final = ("en", "zh")  # the languages that the grammar reads
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN: Final = re.compile(r"[a-z\u00c0-\u024f]+")


def tag_of(text: str) -> str:
    """Return a BCP 47 tag: of English and Chinese, else the best guess by the script, else ``und``."""
    low = text.lower()
    letters = sum(map(str.isalpha, low)) or 1
    for tag, letter in (each.split("=") for each in listed("scripts")):
        if len(re.findall(f"[{letter}]", low)) * 10 > letters:
            return tag
    said = _LATIN.findall(low)
    chinese = len(_HAN.findall(low))
    if chinese and chinese >= len(said):
        return "zh"
    common, foreign = words("words_english"), words("words_others")
    english, other = sum(each in common for each in said), sum(each in foreign for each in said)
    is_plain = len(said) <= 4 and low.isascii() and not other
    return "en" if english > other or is_plain else "und"


def chinese_tag(text: str) -> str:
    """Return ``zh`` where a text is mostly that; of any other language nothing is said."""
    return "zh" if tag_of(text) == "zh" else ""


def is_read(tag: str) -> bool:
    """Whether the grammar reads texts of that language."""
    return tag.split("-")[0].lower() in READ


def language_of_tag(tag: str, text: str = "") -> Language:
    """Return the catalogue for a demand: by its tag, and where it has none by its text."""
    return catalogue_of(tag or tag_of(text))
