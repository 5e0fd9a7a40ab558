"""Finds rows by words: BM25 by SQLite's full text search, in memory, which grows without being made anew.

Rows are ranked by the words that they share with a query, the rarer the better. A row is never changed: whoever changes
a text adds a row, and leaves the old one out. One thread at a time may use it.
"""

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cache
from typing import Final
from weakref import finalize

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
