"""Since when each stream has heard nothing from a model that it asks: nobody waits for that in every step anew."""

from collections import OrderedDict
from typing import Final

from engine.kernel import Millis, StreamKey
from engine.runtime.clock import Clock, Monotonic

LONGEST: Final[Millis] = 120_000
"""For which a stream waits in vain, in all its steps together."""

MOST_KNOWN: Final = 10_000
"""Streams; of those that wait, the one that began the longest ago is forgotten."""


class Silences:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: OrderedDict[StreamKey, Monotonic] = OrderedDict()

    def __contains__(self, key: StreamKey | None) -> bool:
        return key in self._since

    def lasts(self, key: StreamKey, since: Monotonic, call: float) -> Monotonic:
        """A call was not answered, or is not made for now. Return when the stream has waited enough.

        Args:
            since: from when on, where nothing is known of it from before.
            call: seconds of one call, for which there is always time: so it is noticed that the model is back.
        """
        began = self._since.setdefault(key, since)
        if len(self._since) > MOST_KNOWN:
            self._since.popitem(last=False)
        return max(Monotonic(began + LONGEST), self._clock.after(1000 * call))

    def ended(self, key: StreamKey) -> None:
        """The model has said something."""
        self._since.pop(key, None)
