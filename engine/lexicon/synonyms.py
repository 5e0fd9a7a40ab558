"""Finds where a text says a word, or another one that means the same in either language (synonyms.yaml)."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from engine.files.yaml_locations import read_yaml

FILE = Path(__file__).with_name("synonyms.yaml")

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_REFUSED_BEFORE: Final = re.compile(
    r"(?:\b(?:no|not|never|without|non|avoid(?:s|ing)?|exclud(?:e|es|ing)|instead of|rather than|nothing)\b"
    r"(?:[\s-]+(?:an?|any|the|be|go|goes|going|run|runs|hold|held|last|stay|kind of|sort of)\b){0,3}[\s-]*"
    r"|(?:不|非|无|禁止|没有|拒绝|避免|避开|别|勿|免)(?:安排|是|搞|办|做|要|能|会|用|再|得|任何|出现|进行|涉及){0,2}\s?)$"
)
_REFUSED_AFTER: Final = re.compile(
    r"^\s?(?:(?:is|are|stays?|remains?) (?:not|never|excluded|off|out)\b|isn't|aren't|不行|不可|不允许|除外|禁止)"
)


def saying(text: str, word: str) -> str | None:
    """Return how a text says this word or one that means the same; None where it does not, or says that it is not so.

    English words are found as words, in singular and plural; Chinese ones anywhere.
    """
    low = text.lower()
    for match in _pattern(word.strip().lower()).finditer(low):
        start, end = match.span()
        if not (_REFUSED_BEFORE.search(low[max(0, start - 40) : start]) or _REFUSED_AFTER.search(low[end : end + 20])):
            return match[0]
    return None


@lru_cache(maxsize=2048)
def _pattern(word: str) -> re.Pattern[str]:
    same = dict.fromkeys((word, *_groups().get(word, ())))
    return re.compile("|".join(_form(each) for each in sorted(same, key=len, reverse=True) if each) or r"(?!)")


def _form(word: str) -> str:
    if _HAN.search(word):
        return re.escape(word)
    letters = r"[\s-]".join(re.escape(each) for each in re.split(r"[\s-]+", word))
    return rf"(?<![a-z0-9]){letters}(?:e?s)?(?![a-z0-9])"


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in read_yaml(FILE, FILE.read_text("utf-8")).data.values():
        words = tuple(str(each).lower() for each in group)
        for word in words:
            found[word] = (*found.get(word, ()), *words)
    return found
