"""Encoders of sentences for tests: small ones that count, and none."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.llm.encoder import Meaning


class CountingEmbedder:
    """Makes a vector of the words of a text: the same words, the same vector."""

    def __init__(self) -> None:
        self.encoded: Counter[str] = Counter()

    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        self.encoded.update(texts)
        return [self._vector(each) for each in texts]

    def _vector(self, text: str) -> Any:
        vector = np.zeros(64)
        for word in text.split():
            vector[sum(map(ord, word)) % 64] += 1
        return vector / (np.linalg.norm(vector) or 1)


def counting() -> tuple[Meaning, CountingEmbedder]:
    embedder = CountingEmbedder()
    return Meaning(lambda: embedder), embedder


def no_encoder() -> Meaning:
    return Meaning(lambda: None)
