"""Tells the language of a text by its letters and its most common words; only the stand-in asks for it."""

import re
from typing import Final

from engine.facts.language import Language, catalogue_of

UNKNOWN: Final = "und"
READ: Final = ("en", "zh")
"""The languages that the grammar reads."""
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_LATIN: Final = re.compile(r"[a-z\u00c0-\u024f]+")
_ENGLISH: Final = frozenset(
    "the a an and or of to for in on at with we i you need needs want is are our my can could who someone somebody "
    "some it this that have please help looking be by from would like should next not no there".split()
)
_OTHERS: Final = frozenset(
    "der die das und ein eine wir ich für mit nicht ist brauchen brauche le la les des un une et nous pour avec el los "
    "las y una para con necesitamos necesito il gli per non abbiamo uma os precisamos het een voor wij och att som".split()
)


def tag_of(text: str) -> str:
    """Return a BCP 47 tag: of English and Chinese, else the best guess by the script, else ``und``."""
    low = text.lower()
    letters = sum(map(str.isalpha, low)) or 1
    for tag, letter in _SCRIPTS:
        if len(letter.findall(low)) * 10 > letters:
            return tag
    words = _LATIN.findall(low)
    chinese = len(_HAN.findall(low))
    if chinese and chinese >= len(words):
        return "zh"
    english, other = sum(each in _ENGLISH for each in words), sum(each in _OTHERS for each in words)
    is_plain = len(words) <= 4 and low.isascii() and not other
    return "en" if english > other or is_plain else UNKNOWN


def is_read(tag: str) -> bool:
    """Whether the grammar reads texts of that language."""
    return tag.split("-")[0].lower() in READ


def language_of_tag(tag: str, text: str = "") -> Language:
    """Return the catalogue for a demand: by its tag, and where it has none by its text."""
    return catalogue_of(tag or tag_of(text))
