"""Words that stand for trades."""

from typing import Final

import numpy as np
import pytest
from msgspec.structs import replace

from engine.directory.profile import PublicProfile
from engine.facts.language import language_of
from engine.llm.encoder import meaning
from engine.shortlist.index import Index, vectors_of
from engine.shortlist.trade_abilities import AT_MOST, trade_abilities
from engine.shortlist.trade_lines import lines, sentences, trade_lines
from engine.shortlist.trade_rows import TradeRows
from engine.shortlist.trades import (
    OF_A_NEAR_TRADE,
    cues,
    cues_in,
    families,
    stem,
    trades_of_profile,
    trades_said,
    with_families,
)


def person(*tags: str, said: str = "") -> PublicProfile:
    return PublicProfile(
        agent_id="user_agent_1",
        user_name="P",
        profile_summary=said,
        location="",
        tags=tags,
        capabilities={},
        interests=(),
        availability="",
        languages=("English",),
    )


def likeliest(text: str) -> str:
    found = trades_said(text)
    return max(found, key=lambda each: found[each])


def test_a_demand_is_about_the_trade_whose_words_it_has() -> None:
    assert likeliest("The toilets are clogged again and the sink drips") == "plumbing"
    assert likeliest("厕所的水管又漏水了") == "plumbing"
    assert trades_said("zxcvb") == {}


def test_somebody_is_most_of_what_their_tags_say() -> None:
    found = trades_of_profile(person("plumber", said="In the evenings I play the piano"))
    assert found["plumbing"] > found["music"] > 0


def test_more_words_of_a_trade_make_surer_and_never_more_than_certain() -> None:
    one, many = (trades_said(text)["plumbing"] for text in ("a leak", "a leak, a drip, a clogged sink and toilet"))
    assert 0 < one < many <= 1


def test_whoever_is_of_the_family_of_a_trade_fits_a_little() -> None:
    found = with_families(trades_said("a leak"))
    near = next(each for each in families()["plumbing"])
    assert 0 < found[near] <= OF_A_NEAR_TRADE < found["plumbing"]


def test_a_part_of_a_longer_cue_is_not_found() -> None:
    assert cues_in("今晚喝红酒", {"酒": 1, "红酒": 1}) == {"红酒"}
    assert cues_in("we fix a flat tyre", {"flat tyr": 1, "flat": 1}) == {"flat tyr"}


def test_a_sentence_without_a_word_of_a_trade_is_about_it_by_what_it_means() -> None:
    demands = ["Nobody in the back rows understood a thing", "下水特别慢，厨房一股味"]
    vectors = np.array(meaning().vectors(demands), dtype=np.float32)
    said = [trades_said(each) for each in demands]
    for found, trade in zip(trade_lines().likely(vectors, said), ("sound", "plumbing"), strict=True):
        assert found[trade] == max(found.values())


def test_words_count_beside_what_is_meant() -> None:
    vectors = np.array(meaning().vectors(["The bathroom needs somebody"]), dtype=np.float32)
    ((unsaid,), (named,)) = (trade_lines().likely(vectors, [each]) for each in ({}, {"plumbing": 1.0}))
    assert named["plumbing"] > 2 * unsaid.get("plumbing", 0.0)


LAWYER: Final = person("Rechtsanwältin", said="Verträge und Prozesse")
"""In words that the file of trades does not have."""


def test_a_profile_without_a_word_of_a_trade_is_of_one_by_what_it_means() -> None:
    assert trades_of_profile(LAWYER) == {}
    vectors = vectors_of(meaning(), LAWYER)
    assert vectors is not None
    (likely,) = trade_abilities().likely(vectors[np.newaxis])
    assert max(likely, key=lambda each: likely[each]) == "legal"
    assert max(likely.values()) <= AT_MOST


@pytest.mark.parametrize("how", ["at once", "later", "after many have gone"])
def test_such_a_profile_is_found_as_soon_as_its_vectors_are_known(how: str) -> None:
    index = Index(meaning())
    vectors = vectors_of(meaning(), LAWYER)
    index.put(LAWYER, None if how == "later" else vectors)
    cooks = [replace(person("chef", said="I cook for many"), agent_id=f"user_agent_cook_{each}") for each in range(70)]
    for each in cooks:
        index.put(each)
    if how == "later":
        index.know(LAWYER.agent_id, vectors)
    if how == "after many have gone":
        index.orders(["x"])
        index.keep_only([LAWYER.agent_id, *(each.agent_id for each in cooks[:5])])
    (order,) = index.orders(["Is it safe to agree to these clauses?"])
    assert next(iter(order)) == LAWYER.agent_id


def test_each_trade_has_sentences_in_both_languages() -> None:
    of: dict[str, set[str]] = {}
    for trade, text in sentences():
        of.setdefault(trade, set()).add(language_of(text))
    assert set(of) == {trade for trade, _ in lines()}
    assert all(each == {"en", "zh"} for each in of.values())


def test_endings_do_not_matter() -> None:
    assert stem("leaks") == stem("leaking") == stem("leaked") == stem("leak")
    assert stem("running") == stem("run") == stem("runner")


def test_each_trade_has_both_sides_and_families_are_of_trades_that_there_are() -> None:
    can, need = ({trade for of in side.values() for trade in of} for side in cues())
    assert can == need
    assert len(can) > 150
    assert families().keys() <= can


def test_each_trade_has_words_in_both_languages() -> None:
    for side in cues():
        of: dict[str, set[bool]] = {}
        for cue, trades in side.items():
            for trade in trades:
                of.setdefault(trade, set()).add(cue[0].isascii())
        assert all(found == {True, False} for found in of.values())


def test_rows_of_other_trades_score_nothing() -> None:
    rows = TradeRows()
    rows.add(0, {"plumbing": 0.5})
    rows.add(2, {"plumbing": 1.0, "music": 1.0})
    assert rows.scores({"plumbing": 0.5, "dance": 1.0}, 3).tolist() == [0.25, 0.0, 0.5]
