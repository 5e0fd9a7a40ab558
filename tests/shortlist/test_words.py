"""Words find people in whatever script, and no script is told from another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.shortlist.keywords import COMMON, FEW, MOST_WORDS, Keywords
from engine.shortlist.words import PIECE, tokens


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("restore a database", "I keep databases running", id="English"),
        pytest.param("找人拍婚礼摄影", "活动摄影师", id="Chinese"),
        pytest.param("ドローンの撮影", "空からの撮影をします", id="Japanese"),
        pytest.param("Hochzeitsfotograf gesucht", "Ich bin Fotografin", id="German, but for the case of its words"),
        pytest.param("нужен переводчик", "переводчица с японского", id="Russian"),
        pytest.param("मुझे अनुवादक चाहिए", "मैं अनुवाद करती हूँ", id="Hindi, with its marks"),
        pytest.param("ช่างภาพงานแต่ง", "รับถ่ายภาพ", id="Thai, without spaces"),
        pytest.param("مصور حفلات", "أنا مصور", id="Arabic"),
    ],
)
def test_a_word_is_found_in_another_form_of_it(asked: str, said: str) -> None:
    assert set(tokens(asked)) & set(tokens(said))


def test_pieces_depend_on_bytes_and_not_on_the_script() -> None:
    plain = "database backups by hand"
    other = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
    assert [each.translate(other) for each in tokens(plain)] == [*tokens(plain.translate(other))]
    assert all(len(each.encode()) >= PIECE for each in tokens("数据库备份"))


def test_a_text_of_nothing_but_marks_has_no_words() -> None:
    assert tokens("?! ... -- \U0001f389") == ()


def test_rare_words_count_more_than_common_ones() -> None:
    keywords = Keywords()
    for number in range(20):
        keywords.add(("", "", f"somebody who helps {'sailing' if number == 7 else 'often'}"))
    [(row, score), *_] = keywords.best(tokens("somebody for sailing"), 3)
    assert row == 7
    assert score > 0


def test_a_tag_counts_more_than_a_word_in_passing() -> None:
    keywords = Keywords()
    keywords.add(("", "", "baker who likes chess"))
    keywords.add(("chess", "", "teacher"))
    for _ in range(8):
        keywords.add(("", "", "nobody in particular"))
    assert [row for row, _ in keywords.best(["chess"], 5)] == [1, 0]


def test_what_most_people_say_is_not_looked_for_among_many() -> None:
    keywords = Keywords()
    for number in range(FEW + 10):
        keywords.add(("", "", "people" if number < COMMON * FEW / 2 else "people people with words"))
    assert keywords.best(["people"], 5) == []
    assert keywords.best(["nobody says this"], 5) == []


def test_a_quote_in_a_query_is_no_syntax() -> None:
    keywords = Keywords()
    keywords.add(("near", "or", "not"))
    for _ in range(8):
        keywords.add(("", "", "nobody in particular"))
    assert [row for row, _ in keywords.best(tokens('NEAR("x" OR *) AND not'), 5)] == [0]


def test_a_query_of_very_many_words_is_searched_by_the_first_of_them() -> None:
    keywords = Keywords()
    for number in range(20):
        keywords.add(("", "", f"word{number} and others"))
    [(row, _), *_] = keywords.best((f"word{number}" for number in range(7, 3 * MOST_WORDS)), 3)
    assert row == 7


@given(st.text(max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    keywords = Keywords()
    keywords.add((" ".join(tokens(text)), "", ""))
    for _ in range(3):
        keywords.add(("", "", "nobody"))
    found = keywords.best(tokens(text), 5)
    assert [row for row, _ in found] == ([0] if tokens(text) and set(tokens(text)) != {"nobody"} else [])
