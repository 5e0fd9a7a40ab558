"""Two positions are as near as their slots agree and their texts mean the same; opposites are no consensus."""

import time
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deliberation.agreement import agreement
from engine.deliberation.calibration import Calibration, calibration
from engine.deliberation.consensus import compare, similarity
from engine.deliberation.nearness import nearness
from engine.deliberation.slots import NamedValue, Slots
from engine.facts.language import language_of
from engine.llm.encoder import meaning
from tests.deliberation.calibrate import FITTED, HELD_OUT, PairOfTexts, fitted, pairs

SAME, APART = 0.90, 0.70
"""What the Host converges above, and what it forces opposition at or below (seed 001, section 5)."""


def is_right(pair: PairOfTexts, cosine: float | None, calibrated: Calibration | None = None) -> bool:
    level = similarity(pair.one, pair.other, cosine, calibrated).level
    return level > SAME if pair.kind == "paraphrase" else level < APART


def shares(of: Iterable[tuple[PairOfTexts, bool]]) -> dict[str, float]:
    """The share of pairs that are right, by their kind."""
    found = [*of]
    total, right = Counter(pair.kind for pair, _ in found), Counter(pair.kind for pair, is_so in found if is_so)
    return {kind: right[kind] / total[kind] for kind in total}


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_enough_pairs_of_each_kind_in_each_language() -> None:
    def languages(pair: PairOfTexts) -> str:
        return "across" if pair.is_across else language_of(pair.one)

    first = pairs("fitted")
    assert all(count >= 60 for count in Counter(each.kind for each in first).values())
    assert all(count >= 15 for count in Counter((each.kind, languages(each)) for each in first).values())
    everything = [(each.one, each.other) for each in pairs(*FITTED, *HELD_OUT)]
    assert len(set(everything)) == len(everything)


@cache
def calibration_without(pair: PairOfTexts) -> Calibration:
    return fitted([each for each in pairs(*FITTED) if each != pair])


@pytest.mark.exhaustive
def test_the_pairs_are_told_apart_where_each_is_left_out_of_the_fit() -> None:
    found = shares((pair, is_right(pair, pair.cosine, calibration_without(pair))) for pair in pairs("fitted"))
    assert found["paraphrase"] >= 0.95
    assert found["opposite"] >= 0.95
    assert found["unrelated"] >= 0.95


def test_pairs_that_took_no_part_in_the_fit_are_told_apart() -> None:
    """When they were new, 0.85 of the paraphrases, 0.89 of the opposites and 0.90 of the unrelated pairs of the rounds
    6 to 9 were right; 0.83, 0.80 and 0.99 of the rounds 10 to 18. The words and rules that were missing then were
    added, so they taught words, but not what a cosine says.
    """
    found = shares((pair, is_right(pair, pair.cosine)) for pair in pairs(*HELD_OUT))
    assert found["paraphrase"] >= 0.95
    assert found["opposite"] >= 0.95
    assert found["unrelated"] >= 0.95


def test_words_alone_never_take_opposites_for_the_same_and_miss_some_paraphrases() -> None:
    found = shares((pair, is_right(pair, None)) for pair in pairs(*FITTED, *HELD_OUT))
    assert found["paraphrase"] >= 0.85
    assert found["opposite"] >= 0.95
    assert found["unrelated"] >= 0.90


def test_the_calibration_is_what_the_pairs_give() -> None:
    for ours, again in zip(calibration(), fitted(pairs(*FITTED)), strict=True):
        assert ours == pytest.approx(again, abs=0.01)


@pytest.mark.exhaustive
def test_the_cosines_are_the_encoders() -> None:
    for pair in pairs(*FITTED, *HELD_OUT):
        assert meaning().nearness(pair.one, [pair.other]) == pytest.approx([pair.cosine], abs=0.01)


def test_nearness_rises_with_the_cosine() -> None:
    one, other = "Rent the smaller hall.", "Book the small room."
    levels = [nearness(one, other, cosine / 20) for cosine in range(-20, 21)]
    assert levels == sorted(levels)
    assert levels[0] < 0.1
    assert levels[-1] > 0.99


# ── slots ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def values(**of: str) -> tuple[NamedValue, ...]:
    return tuple(NamedValue(name=name, value=value) for name, value in of.items())


def plan(days: Iterable[int], owner: str = "U_AYA") -> Slots:
    """A plan with a task a day."""
    return Slots(
        conclusion="Hold the course in May.",
        decision="yes",
        dates=tuple(NamedValue(name=f"task {at}", value=f"2027-05-{day:02}") for at, day in enumerate(days, 1)),
        owners=values(venue=owner),
    )


def test_one_date_of_twenty_leaves_a_consensus_and_five_do_not() -> None:
    ours = plan(range(1, 21))
    one, five = plan([31, *range(2, 21)]), plan([*range(24, 29), *range(6, 21)])
    assert similarity(ours, one, 1.0).level > SAME
    assert APART < similarity(ours, five, 1.0).level < SAME


def test_who_does_it_contradicts_more_than_not_saying_who() -> None:
    ours, theirs = plan(range(1, 4)), plan(range(1, 4), owner="U_BO")
    silent = Slots(conclusion=ours.conclusion, decision="yes", dates=ours.dates)
    assert agreement(ours, theirs).level <= 0.5
    assert agreement(ours, theirs).level < agreement(ours, silent).level < 1
    assert agreement(ours, theirs).differences[0].is_contradiction
    assert not agreement(ours, silent).differences[0].is_contradiction


def test_a_difference_says_what_each_has() -> None:
    (difference,) = agreement(
        Slots(dates=values(venue="2027-05-03")), Slots(dates=values(venue="2027-05-10"))
    ).differences
    assert (difference.slot, difference.name) == ("dates", "venue")
    assert (difference.one, difference.other) == ("2027-05-03", "2027-05-10")


def test_slots_that_both_leave_empty_do_not_count() -> None:
    assert [each.slot for each in agreement(Slots(decision="yes"), Slots(decision="yes")).by_slot] == ["decision"]
    assert agreement(Slots(), Slots()).level == 1
    assert agreement(Slots(), Slots(decision="yes")).level < 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("Book the venue", "book venue"), ("场地预订", "venue booking"), ("T1", "t1")],
    ids=["in other words", "in the other language", "in another case"],
)
def test_a_task_is_found_by_another_name_for_it(one: str, other: str) -> None:
    found = agreement(
        Slots(dates=(NamedValue(name=one, value="2027-05-03"),)),
        Slots(dates=(NamedValue(name=other, value="2027-05-03"),)),
    )
    assert found.differences == ()


def test_the_same_dates_of_other_tasks_are_no_agreement() -> None:
    crossed = agreement(
        Slots(dates=values(catering="2027-05-03", insurance="2027-05-10")),
        Slots(dates=values(catering="2027-05-10", insurance="2027-05-03")),
    )
    assert crossed.level < 0.1


@pytest.mark.parametrize(
    ("one", "other"),
    [("2 weeks", "14 days"), ("两周", "2 weeks"), ("12 months", "1 year"), ("42", "42.0")],
)
def test_a_quantity_may_be_said_in_another_unit(one: str, other: str) -> None:
    assert agreement(Slots(quantities=values(training=one)), Slots(quantities=values(training=other))).level == 1


def test_a_condition_contradicts_what_has_none() -> None:
    assert agreement(Slots(decision="conditional"), Slots(decision="yes")).level <= 0.5
    assert agreement(Slots(decision="yes: Lisbon"), Slots(decision="yes: Vienna")).level <= 0.5


# ── positions ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_position_is_compared_with_every_other_one() -> None:
    texts = ["The plan is feasible.", "The plan can work.", "The plan is not feasible."]
    found = compare(texts, [(1.0, 0.0), (0.8, 0.6), (0.96, 0.28)])
    assert [len(row) for row in found.similarity_matrix] == [3, 3, 3]
    assert [found.similarity_matrix[at][at] for at in range(3)] == [1, 1, 1]
    assert found.embeddings[1] == (0.8, 0.6)
    upper = [found.similarity_matrix[one][other] for one, other in ((0, 1), (0, 2), (1, 2))]
    assert found.mean_similarity == pytest.approx(sum(upper) / 3)
    assert found.most_different_pair in ((0, 2), (1, 2))
    assert found.most_different_similarity == min(upper) < APART
    assert not found.by_keywords


def test_without_an_encoder_words_stand_in_and_it_is_said() -> None:
    found = compare(["推迟两周", "提前两周"])
    assert found.by_keywords
    assert found.embeddings == ()
    assert similarity("推迟两周", "延后两个星期", None).by_keywords
    assert similarity("推迟两周", "延后两个星期", None).meaning is None


def test_one_position_agrees_with_itself() -> None:
    assert compare(["Rent the hall."]).mean_similarity == 1
    assert compare(["Rent the hall."]).most_different_pair is None


def test_vectors_are_given_for_all_or_for_none() -> None:
    with pytest.raises(ValueError, match="2 positions take as many vectors, not 1"):
        compare(["a", "b"], [(1.0,)])


PIECES = """
    feasible not only if unless 不可行 只有 推迟 提前 before after 之前 之后 先 再 2 weeks 3月5日 20% Maria 王芳 负责
    all 全部 only 只 without until 才能 . ， ; too expensive to rather than 而不是 the venue 场地 should $500
"""
WORDS = PIECES.split()
TEXTS = st.text(max_size=120) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


@given(TEXTS, TEXTS, st.none() | st.floats(-1, 1))
def test_any_two_texts_are_as_near_as_the_other_way_round(one: str, other: str, cosine: float | None) -> None:
    level = similarity(one, other, cosine).level
    assert 0 <= level <= 1
    assert similarity(other, one, cosine).level == pytest.approx(level)


@given(TEXTS, st.none() | st.floats(-1, 1))
def test_any_text_is_the_same_as_itself(text: str, cosine: float | None) -> None:
    assert similarity(text, text, cosine).level == pytest.approx(1)


NAMED = st.builds(NamedValue, name=st.sampled_from(["", "venue", "场地", "T1", "things"]), value=st.text(max_size=12))
SLOTS = st.builds(
    Slots,
    conclusion=TEXTS,
    decision=st.sampled_from(["", "yes", "no", "conditional", "yes: Lisbon", ":", "a/b"]),
    dates=st.lists(NAMED, max_size=4).map(tuple),
    quantities=st.lists(NAMED, max_size=4).map(tuple),
    owners=st.lists(NAMED, max_size=4).map(tuple),
)


@given(SLOTS, SLOTS)
def test_any_slots_are_compared(one: Slots, other: Slots) -> None:
    found, turned = agreement(one, other), agreement(other, one)
    assert 0 <= found.level <= 1
    assert turned.level == pytest.approx(found.level)
    assert {(each.one, each.other) for each in turned.differences} == {
        (each.other, each.one) for each in found.differences
    }
    assert agreement(one, one).level == 1


def test_two_positions_are_compared_in_five_milliseconds() -> None:
    one = (
        "Postpone the launch by two weeks, because only half of the 12 testers are available before 3 February; Maria"
        " owns the regression run. 只有法务在周五之前审完合同，预算五万元才够用。第{}版"
    )
    other = (
        "We should launch on 3 February as planned: the budget of 50,000 yuan is enough, and Tom leads the tests. {}"
    )
    similarity(one, other, 0.6)
    took = []
    for at in range(20):  # each text is new
        began = time.process_time()
        similarity(one.format(at), other.format(at), 0.6)
        took.append(time.process_time() - began)
    assert min(took) < 0.005


@pytest.mark.parametrize(
    "word", ["不要", "if ", "before ", "没有就", "才能", "not ", "3个 ", "王芳负责", "too ", "5 May ", "，"]
)
def test_a_long_text_takes_bounded_time(word: str) -> None:
    one, other = (word * 4000)[:8000], (word * 4000)[1:8000]
    similarity(one, other, 0.5)
    began = time.process_time()
    similarity(one + ".", other + ".", 0.5)
    assert time.process_time() - began < 2


def test_the_kinds_of_opposites_are_many() -> None:
    kinds = {kind for kind, _ in groupby(sorted(each.how for each in pairs("fitted") if each.kind == "opposite"))}
    assert kinds >= {"negation", "antonym", "quantifier", "condition", "date", "number", "owner", "option", "scope"}


def test_nobody_without_it_is_read_though_more_is_denied() -> None:
    one = "the buy leaves trail risky the from"
    other = "buy must not The unrelated better 只有安全审计通过，六月才能上线。 we"
    for pair in ((one, other), (other, one), ("Nobody must not go without it.", "Go.")):
        assert 0 <= similarity(*pair, None).level <= 1
