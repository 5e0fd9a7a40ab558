"""The negotiation that is measured, of known size, whoever runs it.

Ten seats, three rounds: understand, filter, ten offers, aggregate, thirty votes, two adjustments, what the plan lacks.
What is asked of different people is asked side by side.
"""

from typing import Final

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
