"""The Chinese interface says everything that the English one says."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from bot.texts import catalogue, texts_in
from engine.facts.language import Language
from engine.negotiation.actions import ACTIONS

BOT = Path(__file__).parents[2] / "bot"

Message = str | tuple[str, ...]


@cache
def extracted() -> dict[Message, str]:
    """Message -> the file that says it, or has the row whose button it is on."""
    labels = {each.label: "engine/negotiation/actions.py" for each in ACTIONS if each.label}
    found = extract_from_dir(
        str(BOT), method_map=[("**.py", "python")], keywords={"say": None, "count": (1, 2)}, comment_tags=()
    )
    return labels | {message: filename for filename, _, message, _, _ in found}


def spoken() -> Iterator[str]:
    """The English of every call that says something, as Python itself reads it, and of every button of an action."""
    yield from (each.label for each in ACTIONS if each.label)
    for path in BOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("say", "count")
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("texts", "words")
            ):
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno} cannot be translated"
                yield str(node.args[0].value)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def chinese() -> dict[str, tuple[str, ...]]:
    """English -> Chinese, in as many forms as there are."""
    with catalogue("zh").open("rb") as file:
        found = read_po(file, locale="zh", abort_invalid=True)
    return {
        (entry.id[0] if isinstance(entry.id, tuple) else str(entry.id)): (
            tuple(entry.string) if isinstance(entry.string, list | tuple) else (str(entry.string),)
        )
        for entry in found
        if entry.id
    }


def first(message: Message) -> str:
    return message if isinstance(message, str) else message[0]


def test_babel_finds_all_that_is_said() -> None:
    """It does not look into f-strings, for one."""
    assert set(spoken()) == {first(message) for message in extracted()}


def test_nothing_is_missing_in_chinese_and_nothing_is_left_over() -> None:
    assert set(chinese()) == {first(message) for message in extracted()}


def test_nothing_is_empty_in_chinese() -> None:
    assert [english for english, forms in chinese().items() if not all(form.strip() for form in forms)] == []


def test_both_languages_have_the_same_placeholders() -> None:
    for message in extracted():
        english = {message} if isinstance(message, str) else set(message)
        wanted = {name for form in english for name in placeholders(form)}
        for form in chinese()[first(message)]:
            assert placeholders(form) == wanted, form


def test_chinese_knows_one_and_many_as_the_same() -> None:
    assert texts_in("zh").count("{n} round", "{n} rounds", 1) == "1 轮"
    assert texts_in("zh").count("{n} round", "{n} rounds", 3) == "3 轮"
    assert texts_in("en").count("{n} round", "{n} rounds", 1) == "1 round"


@pytest.mark.parametrize(
    ("locale", "language"), [("zh-CN", "zh"), ("zh_TW", "zh"), ("en-GB", "en"), ("de-DE", "en"), ("", "en")]
)
def test_a_person_is_spoken_to_in_their_own_language(locale: str, language: str) -> None:
    assert texts_in(locale).language == language


@pytest.mark.parametrize(
    ("locale", "written"), [("de-DE", "de_DE"), ("zh-CN", "zh_Hans_CN"), ("", "en"), ("xx-XX", "en"), ("en", "en")]
)
def test_dates_and_numbers_are_in_the_form_of_the_whole_locale(locale: str, written: str) -> None:
    assert texts_in(locale).locale == written


def test_what_people_say_is_never_read_as_a_placeholder() -> None:
    assert texts_in("en").say("Reason: {reason}", reason="{who} {0} {") == "Reason: {who} {0} {"


DOUBLED = re.compile(r"[.。!！?？]\s?[.。]")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("sentence", ["It rains.", "下雨了。", "Does it rain?", "It rains…"])
def test_a_sentence_within_a_text_ends_once(language: Language, sentence: str) -> None:
    texts = texts_in(language)
    filled = [
        texts.say(each, **dict.fromkeys(placeholders(each), sentence))
        for each in map(first, extracted())
        if "{" in each
    ]
    assert [each for each in filled if DOUBLED.search(each)] == []
    assert texts.say("The reason: {why}. Nothing is expected of you.", why=sentence).count(sentence) == 1


def test_no_label_says_itself_what_its_field_says_of_being_optional() -> None:
    said = [*chinese(), *(form for forms in chinese().values() for form in forms)]
    assert [each for each in said if re.search(r"\(optional\)|可不填|（选填）", each)] == []
