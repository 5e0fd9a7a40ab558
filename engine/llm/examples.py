"""Finds what a prompt shows as an example in an answer, where small models give it as a fact.

Strings are compared, and nothing is read: a text of an answer that is an example, letter by letter.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from engine.kernel import plain, plain_texts
from engine.llm.repairing import letters_of

FEWEST_LETTERS: Final = 9
"""Of an example; shorter ones are words that anybody uses."""

_QUOTED: Final = re.compile(r"\"([^\"\n]+)\"|“([^“”\n]+)”")
_HEADING: Final = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


@lru_cache(maxsize=128)
def examples_in(body: str) -> tuple[str, ...]:
    """Return what stands in double quotes in a prompt's text, without the names of its own headings."""
    headings = {letters_of(each) for each in _HEADING.findall(body)}
    quoted = dict.fromkeys(one or other for one, other in _QUOTED.findall(body))
    return tuple(each for each in quoted if len(said := letters_of(each)) >= FEWEST_LETTERS and said not in headings)


def repeated_example(body: str, given: Mapping[str, Any], answer: Any) -> str:
    """Return an example of the prompt that is a text of an answer and that nobody has said; empty where there is none.

    Args:
        answer: as JSON values.
    """
    said = {letters_of(each) for each in plain_texts(answer)}
    repeated = [each for each in examples_in(body) if letters_of(each) in said]
    if not repeated:
        return ""
    told = [letters_of(each) for each in plain_texts(plain(given))]
    return next((each for each in repeated if not any(letters_of(each) in text for text in told)), "")
