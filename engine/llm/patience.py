"""How long a call may take: as long as its prompt says, and longer where the model was seen to take longer."""

from collections import deque
from typing import Final

SEEN: Final = 8
"""Calls of one prompt that are remembered."""

LONGEST: Final = 300.0
"""Seconds that a call may take, however slow the model is."""

UNANSWERED: Final = 120.0
"""Seconds beyond which calls that were given up make no call longer: whoever hangs is not waited for ever longer."""


class Patience:
    """
    Args:
        setting: seconds for each call, whatever else is known; None where nobody has said.
    """

    def __init__(self, setting: float | None = None) -> None:
        self._setting = setting
        self._seen: dict[tuple[str, str], deque[tuple[float, bool]]] = {}

    def seconds(self, model: str, prompt: str, usual: float) -> float:
        """Return the prompt's own time, or twice what the model took lately. Of a call that was given up only a lower
        bound is known: it counts where more were given up than answered, since some calls hang with any
        model.

        Args:
            usual: what the prompt's header says.
        """
        if self._setting is not None:
            return self._setting
        seen = self._seen.get((model, prompt), ())
        answered = [took for took, is_answered in seen if is_answered]
        given_up = [took for took, is_answered in seen if not is_answered]
        limit = max(usual, 2 * max(answered, default=0.0))
        if len(given_up) > len(answered):
            limit = max(limit, min(UNANSWERED, 2 * max(given_up)))
        return min(LONGEST, limit)

    def longest(self, left: float) -> float:
        """Return how long a call may take of which more and more is answered, where so many seconds are left."""
        return min(LONGEST, left) if self._setting is None else min(self._setting, left)

    def took(self, model: str, prompt: str, seconds: float, *, is_answered: bool) -> None:
        """Remember how long a call took: until its reply, or until nobody waited for it any more."""
        self._seen.setdefault((model, prompt), deque(maxlen=SEEN)).append((seconds, is_answered))
