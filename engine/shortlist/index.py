"""An index of profiles: vectors of what they mean, and the words that they use, joined by their ranks.

Several threads may search it while one changes it.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final

import numpy as np

from engine.directory.profile import Profile, Profiles
from engine.errors import StoreError
from engine.kernel import Tenant
from engine.llm.encoder import Meaning
from engine.llm.threads import left_behind
from engine.shortlist import KIND
from engine.shortlist.described import DIMENSION, LONGEST_TEXT, VECTORS, Described, digest, embedded_texts
from engine.shortlist.keywords import Keywords, Order, fields_of, tokens
from engine.shortlist.vector_text import read, shrunk, written
from engine.store.port import Store

# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────────
# The numbers by which an index compares people: a byte each, in blocks, so that growing copies nothing.
#
# They are turned into floats a block at a time while they are compared, which takes no longer than reading four times
# as many bytes would.


BLOCK: Final = 512
"""Rows of a block. As floats they fit into the cache of a processor."""


class Rows:
    def __init__(self) -> None:
        self._blocks: list[Any] = []
        self._scales: list[Any] = []

    def grow(self, rows: int) -> None:
        """Make room for so many rows, of zeros: a row of zeros is near nothing."""
        while rows > len(self._blocks) * BLOCK:
            self._blocks.append(np.zeros((BLOCK, VECTORS * DIMENSION), dtype=np.int8))
            self._scales.append(np.zeros((BLOCK, VECTORS), dtype=np.float32))

    def mean(self, row: int, vectors: Any) -> None:
        """Keep what somebody means: shape (`VECTORS`, `DIMENSION`), each of length one."""
        small = shrunk(vectors)
        lengths = np.linalg.norm(small.astype(np.float32), axis=1)
        self._blocks[row // BLOCK][row % BLOCK] = small.reshape(-1)
        self._scales[row // BLOCK][row % BLOCK] = 1 / np.maximum(lengths, 1e-9)

    def copy_from(self, other: "Rows", row: int, to: int) -> None:
        """Keep what others keep in a row of theirs."""
        self._blocks[to // BLOCK][to % BLOCK] = other._blocks[row // BLOCK][row % BLOCK]
        self._scales[to // BLOCK][to % BLOCK] = other._scales[row // BLOCK][row % BLOCK]

    def near(self, queries: Any, total: int) -> Any:
        """Return how near each of the first `total` rows is to each query: shape (queries, total).

        Args:
            queries: shape (queries, `DIMENSION`), each of length one.
        """
        found = np.empty((len(queries), len(self._blocks) * BLOCK), dtype=np.float32)
        ways = np.ascontiguousarray(queries.T)
        meant = np.empty((BLOCK * VECTORS, DIMENSION), dtype=np.float32)  # in the same place of memory every time
        for number, (small, scales) in enumerate(zip(self._blocks, self._scales, strict=True)):
            np.copyto(meant.reshape(BLOCK, -1), small)
            near = (meant @ ways).reshape(BLOCK, VECTORS, -1)
            near *= scales[..., np.newaxis]
            start = number * BLOCK
            found[:, start : start + BLOCK] = ((near.max(axis=1) + near.mean(axis=1)) / 2).T
        return found[:, :total]


# ── the index ─────────────────────────────────────────────────────────────────────────────────────────────────────────


RANKED: Final = 1_000
"""So many have a rank by each text, and by their words. Whoever comes later is told apart by the cosine alone."""
SMOOTH: Final = 10
"""Reciprocal rank fusion: a rank r counts as 1 / (SMOOTH + r) (Cormack, Clarke and Buettcher, SIGIR 2009). So low that
whoever is among the first by words alone is among the forty that are put to a model.
"""
WORDS_SHARE: Final = 1 / 3
"""What a rank by words counts beside a rank by meaning: of those who fit, most use other words."""
LEAST: Final = 1e-6
"""What a cosine of one counts beside ranks: it only orders those who have none."""
MOST_ASKED: Final = 16
"""Searches whose results are remembered: the same one is made again when its answer is read."""
MOST_DEAD: Final = 0.5
"""The share of rows of former profiles from which on the index is made anew."""

Texts = tuple[str, ...]
"""Of one query: several ways to say what is looked for."""


class Index:
    """
    Args:
        encoder: makes the vectors of queries; those of profiles are put in.
    """

    def __init__(self, encoder: Meaning) -> None:
        self._encoder = encoder
        self._lock = Lock()
        self._asked: dict[tuple[Texts, ...], list[Order]] = {}
        self._clear()

    def _clear(self) -> None:
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._profiles: dict[str, Described] = {}
        self._digests: dict[str, str] = {}
        self._keywords = Keywords()
        self._numbers = Rows()

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
            row = self._keywords.add(fields_of(profile))
            self._numbers.grow(row + 1)
            if vectors is not None:
                self._numbers.mean(row, vectors)
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
                self._numbers.mean(self._rows[agent_id], vectors)
                self._asked.clear()

    def keep_only(self, agent_ids: Iterable[str]) -> None:
        """Leave out everybody else."""
        with self._lock:
            kept = set(agent_ids)
            self._asked.clear()
            for agent_id in [each for each in self._rows if each not in kept]:
                del self._rows[agent_id], self._profiles[agent_id], self._digests[agent_id]
            self._compact()

    def orders(self, queries: Iterable[Sequence[str]]) -> list[Order]:
        """Return, for each query, the agent ids of everybody, those who fit best first.

        Args:
            queries: each is one thing that is looked for, said in one text or several.
        """
        self._encoder.may_take_a_while()
        return self.known_orders(queries)

    def known_orders(self, queries: Iterable[Sequence[str]]) -> list[Order]:
        """Return what `orders` does, of an index that is small enough to be searched at once."""
        asked = tuple(tuple(dict.fromkeys(text for text in each if text.strip())) for each in queries)
        every = [*dict.fromkeys(text for each in asked for text in each)]
        near = self._encoder.vectors(every, LONGEST_TEXT) if every else ()
        known = dict(zip(every, near, strict=True)) if near else {}
        with self._lock:
            if asked not in self._asked:
                if len(self._asked) >= MOST_ASKED:
                    self._asked.clear()
                self._asked[asked] = self._ordered(asked, known)
            return self._asked[asked]

    def _ordered(self, queries: Sequence[Texts], known: Mapping[str, Sequence[float]]) -> list[Order]:
        alive = np.fromiter(self._rows.values(), dtype=np.int64, count=len(self._rows))
        total = len(self._ids)
        cosines: dict[str, Any] = {}
        if known and total:
            near = self._numbers.near(np.array([*known.values()], dtype=np.float32), total)
            cosines = dict(zip(known, near, strict=True))
        return [self._order([cosines[text] for text in each if text in cosines], each, alive) for each in queries]

    def _order(self, cosines: Sequence[Any], texts: Texts, alive: Any) -> Order:
        """Return who fits best by their ranks: those by meaning, the mean over all texts, and that by words."""
        scores = np.zeros(len(self._ids), dtype=np.float64)
        nearness = np.zeros(len(self._ids), dtype=np.float64)
        words = np.zeros(len(self._ids), dtype=np.float64)
        for each in cosines:
            best = _best(each[alive])
            scores[alive[best]] += 1 / (SMOOTH + np.arange(1, len(best) + 1)) / len(cosines)
            nearness = np.maximum(nearness, each)
            scores += LEAST * each / len(cosines)
        found = self._keywords.best((word for text in texts for word in tokens(text)), RANKED)
        living = {*alive.tolist()} if found else set()
        for rank, (row, score) in enumerate((each for each in found if each[0] in living), start=1):
            scores[row] += WORDS_SHARE / (SMOOTH + rank)
            words[row] = score
        return Order(self._ids, alive, scores[alive], nearness, words)

    def _compact(self) -> None:
        """Make it anew where most rows are of former profiles."""
        if len(self._ids) < 64 or len(self._rows) >= (1 - MOST_DEAD) * len(self._ids):
            return
        profiles, rows, digests, numbers = self._profiles, self._rows, self._digests, self._numbers
        self._clear()
        self._numbers.grow(len(profiles))
        for agent_id, profile in profiles.items():
            row = self._keywords.add(fields_of(profile))
            self._numbers.copy_from(numbers, rows[agent_id], row)
            self._ids.append(agent_id)
            self._rows[agent_id] = row
        self._profiles, self._digests = profiles, digests


def _best(scores: Any) -> Any:
    """Return the places of the highest scores that are above nothing, the highest first, equal ones as they stand."""
    places = np.arange(len(scores))
    if len(scores) > RANKED:
        places = np.flatnonzero(scores >= np.partition(scores, -RANKED)[-RANKED])
    places = places[scores[places] > 0]
    return places[np.argsort(-scores[places], kind="stable")][:RANKED]


def vectors_of(encoder: Meaning, profile: Described) -> Any | None:
    """Return the vectors of a profile, shape (`VECTORS`, `DIMENSION`); None where there is no encoder."""
    made = encoder.computed(embedded_texts(profile), LONGEST_TEXT)
    return np.array(made, dtype=np.float32) if made else None


log = logging.getLogger(__name__)


# ── the shelf ─────────────────────────────────────────────────────────────────────────────────────────────────────────
# One tenant's index, and the vectors of its profiles in the store.


BATCH: Final = 32
"""Profiles that are encoded, and written, at a time."""


class Shelf:
    def __init__(self, store: Store, tenant: Tenant, encoder: Meaning) -> None:
        self.index = Index(encoder)
        self.encoding: asyncio.Task[None] | None = None
        self._store = store
        self._tenant = tenant
        self._encoder = encoder
        self._seen: dict[str, Profile] = {}
        self._to_encode: dict[str, Profile] = {}
        self._lock = asyncio.Lock()
        self._is_loaded = False

    async def update(self, profiles: Profiles) -> None:
        async with self._lock:
            changed = [each for agent_id, each in profiles.items() if self._seen.get(agent_id) is not each]
            gone = self._seen.keys() - profiles.keys()
            if not changed and not gone and self._is_loaded:
                return
            stored: Mapping[str, str] = {}
            if not self._is_loaded:
                stored = await self._store.records(self._tenant, KIND)
                gone |= stored.keys() - profiles.keys()
            unknown = await asyncio.to_thread(self._take, changed, stored, [*profiles])
            if gone:
                await self._store.put_records(self._tenant, KIND, dict.fromkeys(gone))
            self._is_loaded = True
            self._seen = dict(profiles)
            self._to_encode = {each: profiles[each] for each in (*self._to_encode, *unknown) if each in profiles}
            if self._to_encode and (self.encoding is None or self.encoding.done()):
                self.encoding = asyncio.create_task(self._encode())

    def _take(self, changed: Sequence[Profile], stored: Mapping[str, str], kept: Sequence[str]) -> list[str]:
        """Put into the index who has changed. Return the ids of those whose vectors are not known."""
        unknown = []
        for profile in changed:
            now = digest(profile)
            if self.index.digest_of(profile.agent_id) == now:
                continue
            known = read(stored[profile.agent_id]) if profile.agent_id in stored else None
            vectors = known[1] if known is not None and known[0] == now else None
            self.index.put(profile, vectors)
            if vectors is None:
                unknown.append(profile.agent_id)
        self.index.keep_only(kept)
        return unknown

    async def _encode(self) -> None:
        """Encode who waits for it, a batch after the other, and keep each batch in the store."""
        try:
            while self._to_encode:
                batch = [*self._to_encode.values()][:BATCH]
                vectors = await left_behind(partial(self._vectors, batch))
                if not vectors:  # there is no encoder, which was logged
                    self._to_encode.clear()
                    return
                rows = {}
                for profile in batch:
                    if self._to_encode.get(profile.agent_id) is profile:
                        del self._to_encode[profile.agent_id]
                        self.index.know(profile.agent_id, vectors[profile.agent_id])
                        rows[profile.agent_id] = written(digest(profile), vectors[profile.agent_id])
                await self._keep(rows)
        except Exception:
            # People are found by words until the next change, or the next start, tries again.
            log.exception("the vectors of profiles could not be made or kept")

    async def _keep(self, rows: Mapping[str, str]) -> None:
        try:
            await self._store.put_records(self._tenant, KIND, rows)
        except StoreError as error:  # they are known here all the same, and others are still to be encoded
            log.warning("vectors of profiles are not kept, and made again at the next start: %s", error)

    def _vectors(self, batch: Sequence[Profile]) -> dict[str, Any]:
        found = {each.agent_id: vectors_of(self._encoder, each) for each in batch}
        return {agent_id: each for agent_id, each in found.items() if each is not None}
