"""Finds what a prompt shows as an example in an answer, where small models give it as a fact."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any, Final

from engine.facts.language import language_of
from engine.kernel import plain
from engine.lexicon.reading.numbers import CHINESE, ENGLISH, number
from engine.llm.repairing import letters_of, texts_in

FEWEST_LETTERS: Final = 9
"""Of an example; shorter ones are words that anybody uses."""

STEM: Final = 5
"""Letters of a word of an example that are looked for, whatever its ending."""

_QUOTED: Final = re.compile(r"\"([^\"\n]+)\"|“([^“”\n]+)”")
_HEADING: Final = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
_WORD: Final = re.compile(r"[a-z]{4,}")
_NUMBER: Final = re.compile(f"{CHINESE}|{ENGLISH}", re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=128)
def examples_in(body: str) -> tuple[str, ...]:
    """Return what stands in double quotes in a prompt's text, without the names of its own headings."""
    headings = {letters_of(each) for each in _HEADING.findall(body)}
    quoted = dict.fromkeys(one or other for one, other in _QUOTED.findall(body))
    return tuple(each for each in quoted if len(said := letters_of(each)) >= FEWEST_LETTERS and said not in headings)


def repeated_example(body: str, given: Mapping[str, Any], answer: Any) -> str:
    """Return an example of the prompt that stands in an answer and that nobody has said; empty where there is none.

    An example counts as said where one text has all of its numbers, and a word of it or another language: "a 30-minute
    talk" may be what somebody offers in other words.

    Args:
        answer: as JSON values.
    """
    said = [letters_of(each) for each in texts_in(answer)]
    for example in examples_in(body):
        if any(letters_of(example) in each for each in said) and not _was_said(example, given):
            return example
    return ""


def _was_said(example: str, given: Mapping[str, Any]) -> bool:
    numbers, words = {*_numbers(example)}, [each[:STEM] for each in _WORD.findall(example.casefold())]
    return any(_says(text, example, numbers, words) for text in texts_in(plain(given)))


def _says(text: str, example: str, numbers: Set[int], words: Sequence[str]) -> bool:
    if letters_of(example) in letters_of(text):
        return True
    if not numbers or not numbers <= {*_numbers(text)}:
        return False
    said = text.casefold()
    return language_of(text) != language_of(example) or any(each in said for each in words)


def _numbers(text: str) -> Iterator[int]:
    for each in _NUMBER.findall(text):
        if (value := number(each)) is not None:
            yield value
