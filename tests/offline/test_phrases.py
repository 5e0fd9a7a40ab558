"""What the offline model says, as a table."""

from string import Formatter

import pytest

from engine.facts.language import Language, language_of
from engine.facts.shortening import shorten
from engine.lexicon.topics import lexicon
from engine.offline.negotiation.phrasing import join_list, phrase, phrases
from engine.offline.negotiation.timelines import steps

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def names(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


@pytest.mark.parametrize("key", sorted(phrases()))
def test_every_phrase_exists_in_both_languages_and_nothing_else(key: str) -> None:
    assert set(phrases()[key]) == set(LANGUAGES)
    assert all(phrases()[key].values())


@pytest.mark.parametrize("key", sorted(phrases()))
def test_a_phrase_fills_in_the_same_in_both_languages(key: str) -> None:
    used = [{name for each in phrases()[key][language] for name in names(each)} for language in LANGUAGES]
    assert used[0] == used[1]


@pytest.mark.parametrize("key", sorted(phrases()))
def test_each_phrasing_is_in_its_language(key: str) -> None:
    for language in LANGUAGES:
        for each in phrases()[key][language]:
            words = "".join(text for text, _, _, _ in Formatter().parse(each)).replace("[TBD]", "")
            assert not words.strip(' "():.,「」（）。') or language_of(words) == language


def test_a_person_always_says_the_same_thing_the_same_way_and_people_differ() -> None:
    said = [phrase("offer.participate", "en", f"user_agent_{name}") for name in "abcdefghijkl"]
    assert said == [phrase("offer.participate", "en", f"user_agent_{name}") for name in "abcdefghijkl"]
    assert len(set(said)) == len(phrases()["offer.participate"]["en"])


@pytest.mark.parametrize("kind", ["event", "product"])
def test_every_step_of_a_plan_is_told_in_both_languages_and_about_known_topics(kind: str) -> None:
    for step in steps()[kind]:
        assert set(step["name"]) == set(step["deliverable"]) == set(LANGUAGES)
        assert set(step["topics"]) <= set(lexicon().topics)


def test_lists_read_as_people_say_them() -> None:
    assert join_list(["a", "b", "c"], "en") == "a, b and c"
    assert join_list(["甲", "乙"], "zh") == "甲、乙"
    assert join_list(["a"], "en") == "a"
    assert join_list([], "en") == ""


def test_a_text_that_is_cut_keeps_its_last_word_whole() -> None:
    assert shorten("one two three four", 12) == "one two…"
    assert shorten("一二三四五六", 4) == "一二三…"
    assert shorten("short", 12) == "short"
