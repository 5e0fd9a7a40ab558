"""The two languages that the interface has a catalogue for, and which of them goes with a language tag."""

import re
from typing import Literal

Language = Literal["zh", "en"]

_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ÿ]{2,}")


def catalogue_of(tag: str) -> Language:
    """Return the catalogue for a BCP 47 tag or a locale: Chinese for any Chinese, else English."""
    return "zh" if tag.strip().lower().replace("_", "-").split("-")[0] == "zh" else "en"


def language_of(text: str) -> Language:
    """Chinese if it has at least one character for every English word: Chinese text is full of English names.

    A text with neither (emoji, digits) counts as English.
    """
    chinese = 0 if text.isascii() else len(_CHINESE.findall(text))
    return "zh" if chinese and chinese >= len(_LATIN_WORD.findall(text)) else "en"
