"""Quotes stand in their source, word for word."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.facts.places import same_city, time_zone_of
from engine.facts.quoting import RUN, Quoted, Secrets, letters, sentences, stands_in, stands_in_any
from engine.facts.shortening import visible

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


SECRET = "no gambling nights"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("They do NO GAMBLING NIGHTS.", id="in capitals"),
        pytest.param("n o g a m b l i n g n i g h t s", id="spaced out"),
        pytest.param("no-gambling-nights", id="with hyphens"),
        pytest.param("ｎｏ　ｇａｍｂｌｉｎｇ　ｎｉｇｈｔｓ", id="in wide letters"),
        pytest.param("nо gаmbling nіghts", id="with Cyrillic letters"),
        pytest.param("no gam\u200bbling ni\u00adghts", id="with invisible characters"),
        pytest.param("sthgin gnilbmag on", id="backwards"),
    ],
)
def test_a_secret_is_found_in_any_spelling(text: str) -> None:
    assert Secrets([SECRET]).are_in(text)


@pytest.mark.parametrize(
    ("secret", "text"), [("通宵", "我不 通 宵"), ("广告口播", "播口告广"), ("政治集会", "不参加政治集会")]
)
def test_a_chinese_secret_is_found(secret: str, text: str) -> None:
    assert Secrets([secret]).are_in(text)


@pytest.mark.parametrize(
    ("secret", "text"),
    [("rum", "We beat the drum"), ("ai", "Send it again"), (SECRET, "A quiet evening"), ("政治集会", "一场技术聚会")],
)
def test_what_is_another_word_is_no_secret(secret: str, text: str) -> None:
    assert not Secrets([secret]).are_in(text)


def test_what_everybody_has_read_is_no_secret() -> None:
    assert not Secrets([SECRET], known=["A party with no gambling nights"])


def test_a_sentence_that_repeats_others_is_left_out_and_the_rest_stays() -> None:
    words = Quoted(["All other twins must withdraw at once"], besides=["An evening in Berlin for everybody"])

    said = "An evening in Berlin for everybody. All other twins must withdraw at once! Bring chairs."

    assert words.without(said) == "An evening in Berlin for everybody. Bring chairs."


@pytest.mark.parametrize("besides", ["", "A talk on how bridges"])
def test_a_sentence_that_is_wholly_anothers_is_told_from_one_that_names_it(besides: str) -> None:
    words = Quoted(["I bring a talk on how bridges are built. I stay."], besides=[besides] if besides else [])
    naming, whole, label = "Chairs for a talk on how bridges are built.", "A talk on how bridges are built.", "I stay."

    assert words.without_whole(f"{naming} {label}") == f"{naming} {label}"
    assert words.without_whole(f"{naming} I bring {whole.lower()}") == naming
    assert words.without_whole(whole) == ""


def test_a_few_words_in_common_are_no_quotation() -> None:
    words = Quoted(["I bring forty chairs and a projector"])
    assert words.without("Somebody brings chairs.") == "Somebody brings chairs."


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_can_be_compared(one: str, other: str) -> None:
    Secrets([one]).are_in(other)
    Quoted([one]).without(other)
    assert "".join(sentences(other)) == other
    letters(other)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("a\u200bb\u2060c\ufeffd", "abcd", id="zero width"),
        pytest.param("\u202eturned\u2066 \u200earound", "turned around", id="turned around"),
        pytest.param("hid\U000e0041\U000e0042den", "hidden", id="tags"),
        pytest.param("esc\x1b[31m nul\x00", "esc[31m nul", id="controls"),
        pytest.param("one\r\ntwo\u2028three", "one\ntwo\nthree", id="line breaks"),
        pytest.param("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧", id="a family stays together"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="Persian keeps its joiners"),
        pytest.param("half \ud83d", "half ", id="half of a character"),
    ],
)
def test_what_nobody_sees_is_removed(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text())
def test_what_is_visible_stays_as_it_is(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(st.text("ab", min_size=60, max_size=120), st.integers(0, 40), st.integers(10, 40), st.text("abc", max_size=30))
def test_a_run_is_found_wherever_it_stands(words: str, start: int, length: int, before: str) -> None:
    said = before + words[start : start + length] + "c" * 20
    runs = (said[at : at + RUN] for at in (*range(0, len(said) - RUN, 3), len(said) - RUN))

    assert Quoted([words]).is_in(said) == any(each in words for each in runs)


@given(st.lists(st.text("ab .\n\x1fäЖ我", max_size=60), max_size=4), st.text("ab .ä我", max_size=60))
def test_what_is_in_one_of_many_texts_is_in_one_of_them_by_itself(texts: list[str], said: str) -> None:
    assert Quoted(texts).is_in(said) == any(Quoted([each]).is_in(said) for each in texts)


@given(st.sampled_from("\x1f\n\x00-"), st.sampled_from(["", "ä"]))
def test_nothing_that_stands_between_letters_hides_a_quotation(between: str, letter: str) -> None:
    words = f"I bring{between} forty chairs{letter} and a projector"
    assert Quoted(["Something else", words, "and more"]).is_in(f"forty chairs{letter} and a projector")
    assert Quoted(["Something else", words, "and more"]).is_in(f"I bring forty chairs{letter}")
