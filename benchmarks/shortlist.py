"""The shortlist: how long a demand is searched for among many profiles, and what the index takes.

| key | what |
| --- | --- |
| ``shortlist_ms_300``, ``_10000``, ``_100000`` | a search, with the demand's vector, milliseconds |
| ``shortlist_worst_ms_300``, ... | the slowest of them |
| ``shortlist_needs_ms_300``, ... | a search for a demand and five things that it needs, each said in three texts |
| ``shortlist_mib_100000`` | resident memory of the process that the index of 100,000 adds, MiB |
| ``shortlist_encode_ms`` | CPU of a profile's vectors, which is paid once, milliseconds |

The figures are medians of demands that the encoder has not seen; it is loaded before. Vectors are made up, as their
values cost the same.
"""

import resource
import time
from collections import deque
from collections.abc import Sequence
from itertools import islice
from statistics import median
from typing import Final

import numpy as np
from rich.console import Console

from benchmarks.cost import Figures
from engine.directory.profile import PublicProfile
from engine.llm.encoder import meaning
from engine.shortlist import WHOLE
from engine.shortlist.described import DIMENSION, VECTORS
from engine.shortlist.index import Index, vectors_of

SIZES: Final = (300, 10_000, 100_000)
SEARCHES: Final = 7
NEEDS: Final = 5
TRADES: Final = ("gardening", "contract law", "摄影", "databases", "烘焙", "first aid", "日语翻译", "stage lighting")


async def measure() -> Figures:
    found: Figures = {}
    encoder = meaning()
    encoder.vectors(["loads it"])
    began = time.process_time()
    for number in range(SEARCHES):
        vectors_of(encoder, _profile(number))
    found["shortlist_encode_ms"] = (time.process_time() - began) * 1000 / SEARCHES
    for size in SIZES:
        people = [_profile(number) for number in range(size)]
        before = _resident()
        index = _index(people)
        _search(index, ["warms up"])
        took = [_search(index, [_demand(size, number)]) for number in range(SEARCHES)]
        found[f"shortlist_ms_{size}"] = median(took)
        found[f"shortlist_worst_ms_{size}"] = max(took)
        found[f"shortlist_needs_ms_{size}"] = median(
            _search(
                index,
                [
                    _demand(size, number),
                    *(f"{number} {each}|who does {each}|I do {each} well" for each in TRADES[:NEEDS]),
                ],
            )
            for number in range(SEARCHES, 2 * SEARCHES)
        )
        found[f"shortlist_mib_{size}"] = max(0.0, _resident() - before)
    return found


def tell(found: Figures, console: Console) -> None:
    said = ", ".join(f"{found[f'shortlist_ms_{size}']:.0f} ms among {size:,}" for size in SIZES)
    console.print(
        f"Shortlist: a search takes {said}; {found[f'shortlist_mib_{SIZES[-1]}']:.0f} MiB more for the last; "
        f"{found['shortlist_encode_ms']:.0f} ms CPU to encode a profile, once"
    )


def _index(people: Sequence[PublicProfile]) -> Index:
    dice, index = np.random.default_rng(7), Index(meaning())
    for each in people:
        vectors = dice.standard_normal((VECTORS, DIMENSION), dtype=np.float32)
        index.put(each, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return index


def _search(index: Index, queries: Sequence[str]) -> float:
    """Milliseconds until as many are found as a model is asked about."""
    began = time.perf_counter()
    for order in index.orders([each.split("|") for each in queries]):
        deque(islice(order, WHOLE), maxlen=0)
    return (time.perf_counter() - began) * 1000


def _demand(size: int, number: int) -> str:
    return f"Who can help {number} of us with {TRADES[number % len(TRADES)]} before month {size + number}?"


def _profile(number: int) -> PublicProfile:
    trade = TRADES[number % len(TRADES)]
    return PublicProfile(
        agent_id=f"user_agent_{number:06}",
        user_name=f"Person {number}",
        profile_summary=f"I am number {number} and for years I have done {trade}, in the mornings and with care. " * 3,
        location="Bonn",
        tags=(trade, f"skill {number % 97}"),
        capabilities={trade: f"{trade} for up to {number % 50} people"},
        interests=("tea",),
        availability="weekends",
        languages=("English",),
    )


def _resident() -> float:
    """MiB, at its highest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
