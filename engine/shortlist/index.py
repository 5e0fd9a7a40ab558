"""An index of the profiles of one tenant: vectors of what they mean, and the words that they use.

Several threads may search it while one changes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Final

import numpy as np

from engine.lexicon.matching import Described
from engine.llm.encoder import Meaning
from engine.shortlist.order import Order
from engine.shortlist.postings import Postings
from engine.shortlist.rows import Rows
from engine.shortlist.situations import situations
from engine.shortlist.texts import LONGEST_TEXT, digest, embedded_texts
from engine.shortlist.trade_abilities import SURELY, trade_abilities
from engine.shortlist.trade_lines import trade_lines
from engine.shortlist.trade_rows import TradeRows
from engine.shortlist.trades import trades_of_profile, trades_said, with_families
from engine.shortlist.words import words_in, words_of

WORDS_WEIGHT: Final = 0.35
"""What the best match by words is worth beside a cosine."""
TRADE_WEIGHT: Final = 0.14
"""What a trade that is certain on both sides is worth beside a cosine, times how many trades there are: the more they
are, the smaller is the share of each in a demand that only hints."""
KIND_WEIGHT: Final = 1.0
"""What being of the same kind of help is worth beside a cosine."""
CHUNK: Final = 512
"""People whose kinds of help are worked out at a time."""
MOST_ASKED: Final = 16
"""Searches whose results are remembered: the same one is made again when its answer is read."""
MOST_DEAD: Final = 0.5
"""The share of rows of former profiles from which on the index is made anew."""


class Index:
    """
    Args:
        encoder: makes the vectors of queries; those of profiles are put in.
    """

    def __init__(self, encoder: Meaning) -> None:
        self._encoder = encoder
        self._lock = Lock()
        self._asked: dict[tuple[str, ...], list[Order]] = {}
        self._clear()

    def _clear(self) -> None:
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._profiles: dict[str, Described] = {}
        self._digests: dict[str, str] = {}
        self._postings = Postings()
        self._trades = TradeRows()
        self._unread: set[int] = set()
        self._unsure: dict[int, Mapping[str, float]] = {}
        self._numbers = Rows(situations().count)

    def __len__(self) -> int:
        return len(self._rows)

    def digest_of(self, agent_id: str) -> str | None:
        """Return the digest of what was put in of somebody; None where nothing was."""
        return self._digests.get(agent_id)

    def put(self, profile: Described, vectors: Any | None = None) -> None:
        """Add somebody, or change them.

        Args:
            vectors: shape (`VECTORS`, `DIMENSION`), each of length one; None where they are not known yet: then the
                words alone find them.
        """
        with self._lock:
            row = self._said(profile)
            self._numbers.grow(row + 1)
            if vectors is not None:
                self._mean(row, vectors)
            self._ids.append(profile.agent_id)
            self._rows[profile.agent_id] = row
            self._profiles[profile.agent_id] = profile
            self._digests[profile.agent_id] = digest(profile)
            self._asked.clear()
            self._compact()

    def know(self, agent_id: str, vectors: Any) -> None:
        """Give somebody who was put in the vectors that were not known then."""
        with self._lock:
            if agent_id in self._rows:
                self._mean(self._rows[agent_id], vectors)
                self._asked.clear()

    def keep_only(self, agent_ids: Iterable[str]) -> None:
        """Leave out everybody else."""
        with self._lock:
            kept = set(agent_ids)
            self._asked.clear()
            for agent_id in [each for each in self._rows if each not in kept]:
                del self._rows[agent_id], self._profiles[agent_id], self._digests[agent_id]
            self._compact()

    def orders(self, queries: Sequence[str]) -> list[Order]:
        """Return, for each query, the agent ids of everybody, those who fit best first.

        Raises:
            NotKnownYet: within `engine.llm.encoder.only_known`, as it takes a while.
        """
        self._encoder.may_take_a_while()
        near = self._encoder.vectors(queries, LONGEST_TEXT)
        with self._lock:
            if tuple(queries) not in self._asked:
                if len(self._asked) >= MOST_ASKED:
                    self._asked.clear()
                self._asked[tuple(queries)] = self._ordered(queries, near)
            return self._asked[tuple(queries)]

    def _ordered(self, queries: Sequence[str], near: Sequence[Sequence[float]]) -> list[Order]:
        alive = np.fromiter(self._rows.values(), dtype=np.int64, count=len(self._rows))
        vectors = np.array(near, dtype=np.float32)
        said = [trades_said(each) for each in queries]
        likely = trade_lines().likely(vectors, said) if near else said
        scores = [self._by_words(*each) for each in zip(queries, likely, strict=True)]
        if near and alive.size:
            self._read_vectors()
            kinds = situations().of_demands(queries, vectors)
            meant = self._numbers.near(vectors, kinds, KIND_WEIGHT, len(self._ids))
            scores = [one + other for one, other in zip(scores, meant, strict=True)]
        return [Order(self._ids, alive, each[alive]) for each in scores]

    def _by_words(self, query: str, likely: Mapping[str, float]) -> Any:
        """Return how well the words of each row fit, and its trades; shape (rows,).

        Args:
            likely: how likely the query is about each trade.
        """
        found = self._postings.scores(words_in(query))
        best = float(found.max(initial=0.0))
        trades = TRADE_WEIGHT * trade_lines().count * self._trades.scores(with_families(likely), len(found))
        return trades + WORDS_WEIGHT * found / best if best else trades

    def _said(self, profile: Described) -> int:
        """Take in the words of a profile. Return its row."""
        row = self._postings.add(words_of(profile))
        trades = trades_of_profile(profile)
        self._trades.add(row, trades)
        if max(trades.values(), default=0.0) < SURELY:
            self._unsure[row] = trades
        return row

    def _read_vectors(self) -> None:
        """Work out the kinds of help of those whose vectors came since the last search, and trades without a word."""
        rows = [row for row in self._rows.values() if row in self._unread]
        for start in range(0, len(rows), CHUNK):
            part = rows[start : start + CHUNK]
            profiles = [self._profiles[self._ids[row]] for row in part]
            vectors = self._numbers.meant(part)
            for row, kinds in zip(part, situations().of_profiles(profiles, vectors), strict=True):
                self._numbers.be_of(row, kinds)
        self._unread.clear()
        self._learn_trades(rows)

    def _learn_trades(self, rows: Iterable[int]) -> None:
        unsure = [row for row in rows if row in self._unsure]
        for start in range(0, len(unsure), CHUNK):
            part = unsure[start : start + CHUNK]
            for row, likely in zip(part, trade_abilities().likely(self._numbers.meant(part)), strict=True):
                said = self._unsure.pop(row)
                self._trades.add(row, {trade: share for trade, share in likely.items() if trade not in said})

    def _mean(self, row: int, vectors: Any) -> None:
        self._numbers.mean(row, vectors)
        self._unread.add(row)

    def _compact(self) -> None:
        """Make it anew where most rows are of former profiles."""
        if len(self._ids) < 64 or len(self._rows) >= (1 - MOST_DEAD) * len(self._ids):
            return
        profiles, rows, digests = self._profiles, self._rows, self._digests
        self._read_vectors()
        numbers, without = self._numbers, {*self._unsure}
        self._clear()
        self._numbers.grow(len(profiles))
        known: list[int] = []
        for agent_id, profile in profiles.items():
            row = self._said(profile)
            self._numbers.copy_from(numbers, rows[agent_id], row)
            if rows[agent_id] not in without:
                known.append(row)
            self._ids.append(agent_id)
            self._rows[agent_id] = row
        self._profiles, self._digests = profiles, digests
        self._learn_trades(known)


def vectors_of(encoder: Meaning, profile: Described) -> Any | None:
    """Return the vectors of a profile, shape (`VECTORS`, `DIMENSION`); None where there is no encoder."""
    made = encoder.computed(embedded_texts(profile), LONGEST_TEXT)
    return np.array(made, dtype=np.float32) if made else None
