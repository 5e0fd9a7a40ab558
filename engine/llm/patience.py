"""How long a call may take: as long as its prompt says, and longer where the model was seen to take longer."""

from collections import deque
from typing import Final

SEEN: Final = 8
"""Calls of one prompt that are remembered."""

LONGEST: Final = 300.0
"""Seconds that a call may take, however slow the model is."""


class Patience:
    """
    Args:
        setting: seconds for each call, whatever else is known; None where nobody has said.
    """

    def __init__(self, setting: float | None = None) -> None:
        self._setting = setting
        self._seen: dict[tuple[str, str], deque[float]] = {}

    def seconds(self, model: str, prompt: str, usual: float) -> float:
        """
        Args:
            usual: what the prompt's header says.
        """
        if self._setting is not None:
            return self._setting
        seen = self._seen.get((model, prompt))
        return min(LONGEST, max(usual, 2 * max(seen, default=0.0))) if seen else usual

    def longest(self, left: float) -> float:
        """Return how long a call may take of which more and more is answered, where so many seconds are left."""
        return min(LONGEST, left) if self._setting is None else min(self._setting, left)

    def took(self, model: str, prompt: str, seconds: float) -> None:
        """Remember how long a call took: until its reply, or until nobody waited for it any more."""
        self._seen.setdefault((model, prompt), deque(maxlen=SEEN)).append(seconds)
