"""A refusal says what whoever is refused can do: held against a table of all of them."""

import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

from bot.texts import texts_in
from bot.views.deliberation import notices as deliberation
from bot.views.delivery import notices as delivery
from bot.views.delivery import owners_refusals
from bot.views.directory import notices as directory
from bot.views.kit import notices
from bot.views.kit.export import form as exports
from bot.views.negotiation import notices as negotiation

from .refusals import BY_REFUSAL, BY_SENTENCE, OF_OTHERS, Words

MODULES = (notices, exports, negotiation, deliberation, delivery, owners_refusals, directory)
ENGLISH = texts_in("en")


def sentences_of(module: ModuleType) -> Iterator[Words]:
    for each in vars(module).values():
        is_of_it = inspect.isfunction(each) and each.__module__ == module.__name__
        if is_of_it and [*inspect.signature(each).parameters] == ["texts"]:
            yield each


@pytest.mark.parametrize(("words", "part"), BY_SENTENCE.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_a_sentence_says_what_can_be_done(words: Words, part: str) -> None:
    assert part in words(ENGLISH)
    assert words(texts_in("zh")) != words(ENGLISH)


@pytest.mark.parametrize("row", BY_REFUSAL, ids=lambda row: f"{row[0].__module__}.{type(row[1]).__name__}")
def test_a_refusal_that_is_worded_by_its_kind_says_what_can_be_done(row: tuple[Words, object, str]) -> None:
    worded, refusal, part = row
    assert part in worded(refusal, ENGLISH)  # type: ignore[call-arg]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_no_sentence_is_missing_in_the_table(module: ModuleType) -> None:
    assert {*sentences_of(module)} <= BY_SENTENCE.keys() | OF_OTHERS
