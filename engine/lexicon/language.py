"""Which of our two languages a text is in."""

import re
from typing import Literal

Language = Literal["zh", "en"]

_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ÿ]{2,}")


def language_of(text: str) -> Language:
    """Chinese if it has at least one character for every English word: Chinese text is full of English names.

    A text with neither (emoji, digits) counts as English.
    """
    chinese = 0 if text.isascii() else len(_CHINESE.findall(text))
    return "zh" if chinese and chinese >= len(_LATIN_WORD.findall(text)) else "en"
