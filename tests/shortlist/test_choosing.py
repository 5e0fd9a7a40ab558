"""Who is chosen of many, by words and by meaning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.directory.profile import Profile, Profiles
from engine.llm.encoder import Meaning, NotKnownYet, only_known
from engine.shortlist.choosing import choose, named_in
from engine.shortlist.index import Index
from engine.shortlist.keywords import COMMON, FEW, MOST_WORDS, PIECE, Keywords, tokens
from engine.shortlist.nearest import nearest
from engine.shortlist.people import candidates
from engine.store.memory import MemoryStore
from tests.shortlist.test_keeper import ACME, WordsEmbedder, crowd, profile, shortlists


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


WELDER, SINGER = profile(901, "welding"), profile(902, "singing")
PEOPLE = crowd(WELDER, SINGER)


def anybody(_: Profile) -> bool:
    return True


def index_of(profiles: Profiles) -> Index:
    index = Index(Meaning(lambda: None))
    for each in profiles.values():
        index.put(each)
    return index


def test_each_need_has_its_candidates() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "gardening for all", (("welding",), ("a choir", "singing")), anybody, 6)
    assert {WELDER.agent_id, SINGER.agent_id} <= {each.agent_id for each in chosen}


def test_whoever_is_not_eligible_leaves_room_for_another() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "gardening", (), lambda each: each is not PEOPLE["user_agent_000"], 10)
    assert len(chosen) == 10
    assert PEOPLE["user_agent_000"] not in chosen


def test_whoever_is_named_comes_first() -> None:
    chosen = choose(index_of(PEOPLE), PEOPLE, "Gardening, and please ask person 901!", (), anybody, 3)
    assert chosen[0] == WELDER


def test_people_are_named_in_whole_words_in_either_language_or_by_slack() -> None:
    named = {
        "user_agent_ann": profile(1).model_copy(update={"user_name": "Ann Lee", "slack_user": "U_ANN"}),
        "user_agent_lin": profile(2).model_copy(update={"user_name": "林晓"}),
    }
    assert named_in("could ann  lee help", named) == ["user_agent_ann"]
    assert named_in("joann leeds", named) == []
    assert named_in("请林晓来帮忙", named) == ["user_agent_lin"]
    assert named_in("<@U_ANN> may know", named) == ["user_agent_ann"]


def test_a_changed_profile_is_found_by_what_it_says_now() -> None:
    index = index_of(PEOPLE)
    for turn in range(200):  # enough to make the index anew
        index.put(profile(901, "welding" if turn % 2 else "sailing"))
    [order] = index.orders([("welding",)])
    assert next(iter(order)) == WELDER.agent_id
    assert len(order) == len(PEOPLE)


def test_profiles_that_nobody_keeps_an_index_of_are_searched_too() -> None:
    for _ in range(2):
        found = candidates(PEOPLE, "a welding job", (), anybody)
        assert len(found) == 40
        assert found[0] == WELDER


A_WELDER, A_SINGER = profile(901, "welding"), profile(902, "singing")


def people() -> list[Profile]:
    return [*(profile(each) for each in range(8)), A_WELDER, A_SINGER]


def test_the_best_comes_first_and_so_many_as_are_asked_for() -> None:
    found = nearest(["somebody for welding", "I weld steel"], people(), 3)
    assert found[0].profile is A_WELDER
    assert len(found) == 3
    assert found[0].score > found[1].score
    assert found[0].nearness > found[2].nearness
    assert found[0].words > 0 == found[2].words


def test_everybody_is_ranked_where_few_are_there() -> None:
    assert {each.profile.agent_id for each in nearest(["nothing of the kind"], people(), 99)} == {
        each.agent_id for each in people()
    }


def test_a_phrase_of_who_would_fit_finds_whom_the_need_does_not() -> None:
    without = nearest(["the gate fell off"], people(), 10)
    with_phrases = nearest(["the gate fell off", "welding for everybody", "I do welding"], people(), 10)
    assert with_phrases[0].profile is A_WELDER
    assert without[0].score < with_phrases[0].score


def test_profiles_may_come_as_a_mapping() -> None:
    assert nearest(["singing"], {each.agent_id: each for each in people()}, 1)[0].profile is A_SINGER


@pytest.mark.parametrize("texts", [[], ["", "  "]])
def test_nothing_is_near_to_nothing(texts: list[str]) -> None:
    assert nearest(texts, people(), 3) == []


def test_nobody_is_near_where_nobody_is() -> None:
    assert nearest(["welding"], [], 3) == []


def test_who_has_changed_is_found_by_what_they_say_now() -> None:
    assert nearest(["welding"], people(), 1)[0].profile is A_WELDER
    now = [profile(901, "sailing"), *people()[:8], profile(903, "welding")]
    assert nearest(["welding"], now, 1)[0].profile.agent_id == "user_agent_903"


def test_who_serves_others_meanwhile_does_not_wait_for_the_encoder() -> None:
    with pytest.raises(NotKnownYet):
        only_known(lambda: nearest(["never said before, of anybody"], [profile(77, "glass blowing")], 1))


async def test_of_many_the_index_that_is_kept_is_searched() -> None:
    store = MemoryStore()
    await store.open()
    async with shortlists(store, embedder := WordsEmbedder()) as keeper:
        many = await keeper.of(ACME, crowd(A_WELDER))
        embedder.encoded.clear()
        assert nearest(["welding"], many, 2)[0].profile == A_WELDER
        assert embedder.encoded == ["welding"]
