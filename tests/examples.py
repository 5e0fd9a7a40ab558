"""How many examples a generated test draws: some in every run, and more where what is exhaustive runs."""

from typing import Final

from hypothesis import settings

MANY: Final = 4
"""Times as many as in every run."""


def examples(some: int) -> int:
    """Return how many: ``some``, or four times as many with ``--exhaustive``."""
    return some * MANY if settings.get_profile("exhaustive") is settings.default else some
