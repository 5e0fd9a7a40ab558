"""Finds rows by words: BM25 by SQLite's full text search, in memory, which grows without being made anew.

Rows are ranked by the words that they share with a query, the rarer the better. A row is never changed: whoever changes
a text adds a row, and leaves the old one out. One thread at a time may use it.
"""

import logging
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache, lru_cache
from typing import Any, Final
from weakref import finalize

import numpy as np

from engine.shortlist.described import Described

log = logging.getLogger(__name__)

WEIGHTS: Final = (4.0, 2.0, 1.0)
"""What a word counts in a tag, in a capability, and anywhere else."""
MOST_WORDS: Final = 400
"""Different words, and pieces of words, of a query that are looked for."""
COMMON: Final = 0.5
"""The share of rows from which on a word tells nobody from anybody: it would count as nothing."""
FEW: Final = 2_000
"""Up to so many rows, common words are looked for too: it takes no time, and changes nothing."""

TELLING: Final = 0.01
"""A score below counts as none: it is what words add that most people use, where they are few."""

_TABLE: Final = "CREATE VIRTUAL TABLE said USING fts5(tags, can, rest, content='', tokenize='ascii')"
_SPREAD: Final = "CREATE VIRTUAL TABLE spread USING fts5vocab(said, row)"
_FOUND: Final = "SELECT rowid, -bm25(said, ?, ?, ?) AS score FROM said WHERE said MATCH ? ORDER BY score DESC LIMIT ?"


class Keywords:
    """Rows of words; without full text search in this SQLite, it finds nothing."""

    def __init__(self) -> None:
        self._rows = 0
        self._common: dict[str, bool] = {}
        self._tables: sqlite3.Connection | None = None
        if _is_there():
            # Whoever holds the index's lock uses it, in whatever thread.
            self._tables = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
            finalize(self, self._tables.close)
            self._tables.execute(_TABLE)
            self._tables.execute(_SPREAD)

    def __len__(self) -> int:
        return self._rows

    def add(self, fields: Sequence[str]) -> int:
        """Return the number of the new row.

        Args:
            fields: words with spaces between, one text for each of `WEIGHTS`.
        """
        row = self._rows
        self._rows += 1
        if self._tables is not None:
            self._tables.execute("INSERT INTO said(rowid, tags, can, rest) VALUES (?, ?, ?, ?)", (row, *fields))
            self._common.clear()
        return row

    def best(self, words: Iterable[str], most: int) -> list[tuple[int, float]]:
        """Return the rows that share words with a query, the best first, equal ones by their number; with scores."""
        query = " OR ".join(f'"{each}"' for each in [*dict.fromkeys(words)][:MOST_WORDS] if not self._is_common(each))
        if self._tables is None or not query:
            return []
        found = self._tables.execute(_FOUND, (*WEIGHTS, query, most)).fetchall()
        telling = ((int(row), float(score)) for row, score in found if score >= TELLING)
        return sorted(telling, key=lambda each: (-each[1], each[0]))

    def _is_common(self, word: str) -> bool:
        if self._rows <= FEW or self._tables is None:
            return False
        if word not in self._common:
            row = self._tables.execute("SELECT doc FROM spread WHERE term = ?", (word,)).fetchone()
            self._common[word] = row is not None and row[0] > COMMON * self._rows
        return self._common[word]


@cache
def _is_there() -> bool:
    try:
        with closing(sqlite3.connect(":memory:")) as tables:
            tables.execute(_TABLE)
    except sqlite3.OperationalError as error:
        log.warning("people are found by meaning alone, as this SQLite has no full text search: %s", error)
        return False
    return True


PIECE: Final = 5
"""Bytes of a piece, in UTF-8, at the least."""
LONGEST_WORD: Final = 200
"""Letters of a word that are read."""


class _Letters(dict[int, str]):
    """Keeps letters, their marks and digits; anything else is a space."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        self[code] = letter if unicodedata.category(letter)[0] in "LMN" else " "
        return self[code]


_LETTERS: Final = _Letters()


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text and their pieces, each as often as it is there."""
    words = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS).split()
    return tuple(each for word in words for each in _pieces(word[:LONGEST_WORD]))


def _pieces(word: str) -> Iterator[str]:
    yield word
    sizes = [len(letter.encode(errors="replace")) for letter in word]
    for start in range(len(word)):
        length, end = 0, start
        while end < len(word) and length < PIECE:
            length += sizes[end]
            end += 1
        if length < PIECE:
            return
        if end - start < len(word):
            yield word[start:end]


def fields_of(profile: Described) -> tuple[str, str, str]:
    """Return the words of somebody's tags, of their capabilities, and of all else that everybody may read of them."""
    parts = (
        profile.tags,
        (*profile.capabilities, *profile.capabilities.values()),
        (profile.profile_summary, *profile.interests, profile.location),
    )
    tags, capabilities, rest = (" ".join(tokens("\n".join(each))) for each in parts)
    return tags, capabilities, rest


FIRST: Final = 256
"""So many are sorted at first. The others are only when somebody goes on reading."""


class Order:
    """The agent ids of everybody, those who fit best first, equal ones by id. Read it as often as you like.

    Args:
        ids: by row.
        rows: those of people who are still there, whole numbers.
        scores: of these rows, in the same order.
        nearness: by row, the cosine that stands behind a score.
        words: by row, what the shared words count that stand behind it.
    """

    def __init__(self, ids: Sequence[str], rows: Any, scores: Any, nearness: Any, words: Any) -> None:
        self._ids = ids
        self._rows = rows
        self._scores = scores
        self._nearness = nearness
        self._words = words

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        return (self._ids[self._rows[place]] for place in self._places())

    def scored(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield each agent id with its score, its nearness and what its words count."""
        for place in self._places():
            row = self._rows[place]
            yield self._ids[row], float(self._scores[place]), float(self._nearness[row]), float(self._words[row])

    def _places(self) -> Iterator[int]:
        if len(self) <= FIRST:
            yield from self._sorted(np.arange(len(self)))
            return
        least = np.partition(self._scores, -FIRST)[-FIRST]
        yield from self._sorted(np.flatnonzero(self._scores >= least))
        yield from self._sorted(np.flatnonzero(self._scores < least))

    def _sorted(self, places: Any) -> list[int]:
        scored = zip(self._scores[places].tolist(), self._rows[places].tolist(), places.tolist(), strict=True)
        return [place for *_, place in sorted((-score, self._ids[row], place) for score, row, place in scored)]
