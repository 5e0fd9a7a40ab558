"""Written in a cipher, the same people are found in the same order: nothing here knows a word."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from engine.directory.profile import PublicProfile
from engine.llm.encoder import Meaning, instead
from engine.shortlist.choosing import choose
from engine.shortlist.described import DIMENSION
from engine.shortlist.index import Index, vectors_of
from tests.shortlist.cases import cases, people, phrases

LATIN = "abcdefghijklmnopqrstuvwxyz"
TURNED = {ord(one): ord(other) for one, other in zip(LATIN, LATIN[7:] + LATIN[:7], strict=True)}
TURNED |= {ord(one.upper()): ord(chr(other).upper()) for one, other in ((chr(k), v) for k, v in TURNED.items())}
TURNED |= {code: 0x4E00 + (code - 0x4E00 + 777) % 0x5000 for code in range(0x4E00, 0x9E00)}
BACK = {value: key for key, value in TURNED.items()}


class ClearVectors:
    """Makes the vectors of the clear texts, whichever it is given."""

    def __init__(self, is_turned: bool) -> None:
        self._is_turned = is_turned

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        clear = [each.translate(BACK) if self._is_turned else each for each in texts]
        return [self._vector(each) for each in clear]

    def _vector(self, text: str) -> Any:
        vector = np.zeros(DIMENSION)
        for start in range(len(text) - 1):
            vector[sum(ord(each) * 31**place for place, each in enumerate(text[start : start + 2])) % DIMENSION] += 1
        return vector / (np.linalg.norm(vector) or 1)


def turned(profile: PublicProfile) -> PublicProfile:
    return replace(
        profile,
        profile_summary=profile.profile_summary.translate(TURNED),
        location=profile.location.translate(TURNED),
        tags=tuple(each.translate(TURNED) for each in profile.tags),
        capabilities={one.translate(TURNED): other.translate(TURNED) for one, other in profile.capabilities.items()},
    )


def orders(everybody: Sequence[PublicProfile], queries: Sequence[Sequence[str]], encoder: Meaning) -> list[list[str]]:
    index = Index(encoder)
    for each in everybody:
        index.put(each, vectors_of(encoder, each))
    return [[*order] for order in index.orders(queries)]


@pytest.mark.parametrize("has_encoder", [False, True])
def test_in_a_cipher_the_same_people_are_found_in_the_same_order(has_encoder: bool) -> None:
    everybody = people("people_fresh")
    queries = [[each.demand, *phrases().get(each.demand, ())] for each in cases("demands_fresh")[:20]]
    clear = orders(everybody, queries, Meaning(lambda: ClearVectors(False) if has_encoder else None))
    secret = orders(
        [turned(each) for each in everybody],
        [[text.translate(TURNED) for text in each] for each in queries],
        Meaning(lambda: ClearVectors(True) if has_encoder else None),
    )
    assert clear == secret
    assert len({order[0] for order in clear}) > 5


class Recorder(ClearVectors):
    """Remembers the clear texts of what it was given."""

    def __init__(self, is_turned: bool) -> None:
        super().__init__(is_turned)
        self.given: set[str] = set()

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        self.given |= {(each.translate(BACK) if self._is_turned else each).casefold() for each in texts}
        return super().encode(texts)


def chosen(is_turned: bool) -> tuple[list[list[str]], set[str]]:
    """Whom the demands find, and what was compared in meaning for it."""
    said = (lambda text: text.translate(TURNED)) if is_turned else str
    everybody = [turned(each) if is_turned else each for each in people("people_fresh")]
    profiles: Any = {each.agent_id: each for each in everybody}
    recorder = Recorder(is_turned)
    meaning = Meaning(lambda: recorder)
    with instead(meaning):
        index = Index(meaning)
        for each in everybody:
            index.put(each, vectors_of(meaning, each))
        found = [
            choose(index, profiles, said(each.demand), [[said(each.demand)]], lambda _: True, 10)
            for each in cases("demands_fresh")[:20]
        ]
    return [[each.agent_id for each in one] for one in found], recorder.given


def test_in_a_cipher_the_same_people_are_chosen_and_nothing_is_compared_but_what_was_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.shortlist.choosing.named_in", lambda *_: [])
    (clear, given), (secret, given_in_secret) = chosen(False), chosen(True)

    assert clear == secret
    assert given == given_in_secret
    assert given
