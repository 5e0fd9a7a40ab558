"""One word for one thing, and nothing in a sentence that only the code knows."""

import re
from typing import Final

import pytest
from hypothesis import given

from bot.views.negotiation.thread import posts
from engine.negotiation.state import Negotiation
from tests.views.corpus import negotiations
from tests.views.message_contents import shown
from tests.views.test_any_negotiation import any_negotiation
from tests.views.test_texts import chinese

HOUSE_WORDS: Final = re.compile(
    r"\bseats?\b|\bstreams?\b|\bsubnets?\b|\bpayload|\bdegraded\b|\bE0\d\d\b|\bneed_\d|席位|子网|降级", re.IGNORECASE
)
"""What people call otherwise: a seat is somebody's part, a stream is a negotiation, a plan or a delivery."""
IDS: Final = re.compile(r"need_\d|collab-|\bd-\d{8}|prop_\d|\bE0\d\d\b|t05-v4|\bNone\b|\bTrue\b")


@pytest.mark.parametrize("side", ["English", "Chinese"])
def test_no_sentence_speaks_the_words_of_the_code(side: str) -> None:
    said = chinese()
    texts = list(said) if side == "English" else [text for forms in said.values() for text in forms]
    assert [each for each in texts if HOUSE_WORDS.search(re.sub(r"{[^}]*}", "", each))] == []


@any_negotiation
@given(negotiations(8))
def test_no_message_shows_an_id_or_a_code(state: Negotiation) -> None:
    for each in posts(state):
        assert not IDS.search(re.sub(r"<!date[^>]*>", "", shown(each))), each.key
