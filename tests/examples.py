"""How much is drawn or tried: some in every run, and more where what is exhaustive runs."""

from typing import Any, Final

import pytest
from hypothesis import settings

MANY: Final = 4
"""Times, where what is exhaustive runs."""


def examples(some: int) -> int:
    """Return how many: half of ``some`` in every run, and four times ``some`` with ``--exhaustive``."""
    return some * MANY if settings.get_profile("exhaustive") is settings.default else (some + 1) // 2


def some_in_every_run(count: int, every: int = 3) -> list[Any]:
    """Return the numbers below ``count`` as parameters: one of ``every`` runs every time,
    the others are exhaustive."""
    return [
        number if number % every == 0 else pytest.param(number, marks=pytest.mark.exhaustive) for number in range(count)
    ]
