"""No regular expression of ours takes long: for each, texts are made that begin to match again and again."""

import importlib
import pkgutil
import re
import sys
import time
from collections.abc import Iterator
from functools import cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, Final

import pytest

import bot
import engine
from bot.listeners.written import in_words, without_mention

LENGTH: Final = 8_000
"""Characters. Slack cuts a message after 40,000."""
SECONDS: Final = 0.05
"""Of CPU: what takes less for a text of that length is quick."""
GROWTH: Final = 8.0
"""What a text four times as long may take; a pattern that is tried from each character on takes sixteen times as long.
"""
CHARACTERS: Final = "a1 A,-/.:<>@|#_é一\n"


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """Return every pattern of our modules, by where it is."""
    found = {}
    for package in (bot, engine):
        for module in _modules(package):
            for name, value in vars(module).items():
                if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                    found[f"{module.__name__}.{name}"] = value
    return found


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
    yield from (module for name, module in [*sys.modules.items()] if name.partition(".")[0] == package.__name__)


def beginnings(pattern: re.Pattern[str]) -> Iterator[str]:
    """Yield texts that match ever more of the pattern, one for each of its parts."""
    yield from _grown(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), "")


def _grown(parts: Any, before: str) -> Iterator[str]:
    for code, of in parts:
        for each in _inside(code, of):
            yield from _grown(each, before)
        before += _sample([(code, of)])
        if before:
            yield before


def _inside(code: Any, of: Any) -> list[Any]:
    match code:
        case codes.SUBPATTERN:
            return [of[3]]
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            return [of[2]]
        case codes.BRANCH:
            return [*of[1][:6]]
        case codes.ATOMIC_GROUP:
            return [of]
        case _:
            return []


def _sample(parts: Any) -> str:
    """Return a short text that these parts match, as far as it can be told."""
    said = ""
    for code, of in parts:
        match code:
            case codes.LITERAL:
                said += chr(of)
            case codes.NOT_LITERAL:
                said += next(each for each in CHARACTERS if ord(each) != of)
            case codes.ANY:
                said += "a"
            case codes.IN:
                said += _one_of(of)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                said += _sample(of[2]) * max(1, of[0])
            case codes.SUBPATTERN:
                said += _sample(of[3])
            case codes.BRANCH:
                said += _sample(of[1][0])
            case codes.ATOMIC_GROUP:
                said += _sample(of)
            case _:
                pass  # a place or a reference, which has no characters of its own
    return said


def _one_of(of: Any) -> str:
    inside = re.compile("[" + "".join(_written(code, each) for code, each in of) + "]")
    named = [
        chr(each if code is codes.LITERAL else each[0]) for code, each in of if code in (codes.LITERAL, codes.RANGE)
    ]
    return next((each for each in [*CHARACTERS, *named] if inside.match(each)), "")


def _written(code: Any, of: Any) -> str:
    match code:
        case codes.NEGATE:
            return "^"
        case codes.LITERAL:
            return re.escape(chr(of))
        case codes.RANGE:
            return f"{re.escape(chr(of[0]))}-{re.escape(chr(of[1]))}"
        case codes.CATEGORY:
            names = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
            kind = str(of).removeprefix("CATEGORY_").removeprefix("UNI_").removeprefix("LOC_")
            return names[kind.removeprefix("NOT_")].swapcase() if kind.startswith("NOT_") else names[kind]
        case _:
            return ""


def test_the_texts_that_are_made_begin_to_match() -> None:
    assert [*beginnings(re.compile(r"<@(U\w+)(?:\|([^>]*))?>"))][-2:] == ["<@Ua|a", "<@Ua|a>"]
    assert "aab" in [*beginnings(re.compile("(a+)+b"))] or "ab" in [*beginnings(re.compile("(a+)+b"))]


def seconds(pattern: re.Pattern[str], beginning: str, length: int) -> float:
    """Return how long the pattern takes for a text that is made of this beginning, over and over."""
    text = (beginning * (length // len(beginning) + 1))[:length]
    began = time.thread_time()
    for _ in pattern.finditer(text):
        pass
    pattern.fullmatch(text)
    return time.thread_time() - began


def is_slow(pattern: re.Pattern[str], beginning: str) -> bool:
    if seconds(pattern, beginning, LENGTH) < SECONDS:
        return False
    growth = (seconds(pattern, beginning, LENGTH) / seconds(pattern, beginning, LENGTH // 4) for _ in range(3))
    return min(growth) > GROWTH


@pytest.mark.parametrize("slow", [r"<@(U\w*)(?:\|([^>]*))?>", r"\s+(?:for|to)\b"])
def test_what_takes_long_is_found(slow: str) -> None:
    assert any(is_slow(re.compile(slow), each) for each in beginnings(re.compile(slow)))


@pytest.mark.exhaustive
def test_no_pattern_of_ours_takes_long() -> None:
    slow = [
        f"{where}: {beginning!r}"
        for where, pattern in sorted(patterns().items())
        for beginning in {*beginnings(pattern)}
        if is_slow(pattern, beginning)
    ]

    assert slow == []


@pytest.mark.parametrize("beginning", ["<@U|", "<@U_TOWOW|", "<#C|", "<http://a|", "<mailto:a|", "<", ":a", "&lt;"])
def test_a_message_as_long_as_slack_takes_is_read_at_once(beginning: str) -> None:
    text = (beginning * 40_000)[:40_000]
    began = time.thread_time()
    in_words(without_mention(text, "U"))
    assert time.thread_time() - began < 1
