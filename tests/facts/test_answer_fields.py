"""What models write is bounded before anything else is done with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.facts.answer_fields import LONGEST_ITEM, LONGEST_TEXT, MOST_TEXTS
from engine.negotiation.answers import OfferAnswer

GOOD = {"decision": "conditional", "contribution": "A room.", "conditions": ["a key"]}


def offer(**fields: object) -> OfferAnswer:
    return OfferAnswer.checked(GOOD | fields)


@pytest.mark.parametrize("word", ["word ", "字", "🙂"])
def test_a_text_without_an_end_is_cut_and_shows_it(word: str) -> None:
    said = offer(contribution=word * 100_000).contribution
    assert len(said) <= LONGEST_TEXT
    assert said.endswith("…")
    assert set(said.removesuffix("…").split(" ")) <= {word.strip(), said.removesuffix("…")}


def test_a_list_without_an_end_is_cut_and_so_is_each_text_in_it() -> None:
    conditions = offer(conditions=["a very long wish " * 1_000] * 1_000).conditions
    assert len(conditions) == MOST_TEXTS
    assert all(len(each.text) <= LONGEST_ITEM and each.text.endswith("…") for each in conditions)


@given(st.text(max_size=200))
def test_what_is_short_enough_stays_as_it_is(text: str) -> None:
    said = offer(contribution=text).contribution
    assert offer(contribution=said).contribution == said
    assert "…" in text or "…" not in said
