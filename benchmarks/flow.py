"""The negotiation that is measured, of known size, whoever runs it.

Ten seats, three rounds: understand, filter, ten offers, aggregate, thirty votes, two adjustments, what the plan lacks.
What is asked of different people is asked side by side.
"""

from functools import lru_cache
from typing import Final
from zlib import crc32

SEATS: Final = 10
ROUNDS: Final = 3
CALLS: Final = 2 + SEATS + 1 + ROUNDS * SEATS + (ROUNDS - 1) + 1
CRITICAL_PATH: Final = 4 + ROUNDS + (ROUNDS - 1) + 1
"""Calls one after the other: understand, filter, offers, aggregate, then the rounds and the adjustments between, and
what the plan lacks."""

PEOPLE: Final = tuple(f"user_agent_p{number}" for number in range(12))
AGENTS: Final = tuple(sorted(PEOPLE)[:SEATS])
"""Who gets a seat."""


def called(prompt: str, number: int = 0, about: str = "") -> str:
    """A call's name within its negotiation: whose answer is asked for, in which round."""
    return f"{prompt}/{number}/{about}"


@lru_cache(1024)
def subject(stream: str) -> str:
    """What a negotiation is about: no two are about the same, and what is read of one says nothing of another."""
    number, syllables = crc32(stream.encode()), []
    for _ in range(6):
        number, each = divmod(number, len(_CONSONANTS) * len(_VOWELS))
        syllables.append(_CONSONANTS[each // len(_VOWELS)] + _VOWELS[each % len(_VOWELS)])
    return "".join(syllables).capitalize()


def wanted(stream: str) -> str:
    """What is asked for, as whoever asks has written it."""
    return f"A meetup of {subject(stream)} for {people(stream)} people, with a venue and speakers"


def people(stream: str) -> int:
    """How many are to come."""
    return 20 + crc32(stream.encode()) % 180


_CONSONANTS: Final = "bdfgklmnprstvz"
_VOWELS: Final = "aeiou"
