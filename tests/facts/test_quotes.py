"""A quote stands in its source as it is written there, and nothing else does."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.facts.places import same_city, time_zone_of
from engine.facts.quotes import stands_in, stands_in_any

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60)


@given(WORDS, WORDS, WORDS)
def test_what_was_cut_out_of_a_text_stands_in_it(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    assume(unicodedata.normalize("NFKC", quote).split())

    assert stands_in(quote, text)
    assert stands_in(f"  {quote}\n", "something else", text)


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        pytest.param("point-in-time recovery", "Backups, Point-in-Time\n  Recovery", True, id="case and white space"),
        pytest.param("ＡＢＣ　５０", "abc 50 people", True, id="full-width letters"),
        pytest.param("court interpreter", "Court-interpreter", False, id="another sign"),
        pytest.param("", "anything", False, id="nothing"),
        pytest.param(" \n", "anything", False, id="only blanks"),
        pytest.param("الأربعاء", "يوم الأربعاء مساءً", True, id="Arabic"),
        pytest.param("no alcohol", "we have no  ALCOHOL here", True, id="spaces"),
    ],
)
def test_a_quote_is_compared_and_never_understood(quote: str, text: str, stands: bool) -> None:
    assert stands_in(quote, text) is stands


def test_of_several_words_the_first_that_stands_there_is_told() -> None:
    assert stands_in_any(["overnight", "alcohol"], "An alcohol-free event") == "alcohol"
    assert stands_in_any(["overnight"], "An alcohol-free event") == ""


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Beijing", "北京", True),
        ("München", "Munich", True),
        ("berlin", "Berlin", True),
        ("Berlin", "Hamburg", False),
        ("Berlin", "Atlantis", None),
        ("Atlantis", "atlantis", True),
        ("", "", None),
    ],
)
def test_cities_are_compared_by_a_table_of_their_names(one: str, other: str, same: bool | None) -> None:
    assert same_city(one, other) is same
    assert same_city(other, one) is same


def test_a_city_has_its_time_zone() -> None:
    assert time_zone_of("上海") == "Asia/Shanghai"
    assert time_zone_of("Atlantis") == ""
