"""Sends the first of several questions that begin alike ahead, where the others can then read that beginning from the
provider's cache: it is kept once the answer to it has begun.

Source: Anthropic, "Prompt caching", on concurrent requests.
"""

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from engine.kernel import Millis
from engine.runtime.clock import Clock, Monotonic, until_or_event

SMALLEST: Final[Mapping[str, int]] = MappingProxyType({"claude-haiku-5-5": 512, "claude-sonnet-5-5": 512})
"""Tokens by model; the provider keeps no shorter beginning. A model's name may end in a date."""

SMALLEST_OF_OTHERS: Final = 4_096
"""What the most demanding of the provider's models asks for."""

KEPT: Final[Millis] = 240_000
"""The provider keeps it for five minutes from its last use; when that was, it knows and we do not."""

GATHERING: Final[Millis] = 50
"""So long it is waited whether there are enough others; an answer takes ten times as long to begin."""

WORTH_WAITING: Final = 5_000
"""Tokens that are read instead of sent, for which the others wait until one answer begins."""

CHARACTERS_A_TOKEN: Final = 4
"""About; too few tokens are kept by nobody, and too many are no harm."""

MOST_KNOWN: Final = 1_000
"""Beginnings that are remembered."""


def smallest(model: str) -> int:
    """Return how many tokens a beginning must have at least, so that the provider keeps it."""
    known = (tokens for name, tokens in SMALLEST.items() if model == name or model.startswith(f"{name}-"))
    return next(known, SMALLEST_OF_OTHERS)


@dataclass(slots=True)
class _Ahead:
    """The one that was sent ahead, and who waits for it."""

    waiting: int = 0
    is_decided: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once enough of them wait, or none has to any more."""
    has_begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once its answer begins, or none will come."""


@dataclass(slots=True)
class _Beginning:
    warm_until: Monotonic | None = None
    """When the provider may have dropped it; None where it never had it."""
    ahead: _Ahead | None = None


class Warming:
    """
    Args:
        worth: tokens that have to be saved; 0: nobody ever waits.
    """

    def __init__(self, clock: Clock, worth: int = WORTH_WAITING) -> None:
        self._clock = clock
        self._worth = worth
        self._known: OrderedDict[bytes, _Beginning] = OrderedDict()

    @asynccontextmanager
    async def turn(
        self, model: str, schema: Mapping[str, Any], shared: Sequence[str], latest: Monotonic
    ) -> AsyncIterator[Callable[[], None] | None]:
        """Enter when the call may be made. Yield what is to be called once its answer begins, where others wait for
        that; it has begun at the latest when this is left.

        Args:
            schema: of its answer; with another one, the same text is another beginning.
            shared: what it begins with, in parts: some questions begin with the first ones alone.
            latest: when it is made at the latest, whoever is ahead.
        """
        tokens = sum(map(len, shared)) // CHARACTERS_A_TOKEN
        if not self._worth or tokens < smallest(model):
            yield None
            return
        beginnings = self._beginnings(model, schema, shared)
        beginning = beginnings[tokens]
        if beginning.ahead is not None and not self._is_warm(beginning):
            kept = max((size for size, each in beginnings.items() if self._is_warm(each)), default=0)
            await self._wait(beginning.ahead, tokens - kept, latest)
        if beginning.ahead is not None or self._is_warm(beginning):
            yield None
            return
        ahead = beginning.ahead = _Ahead()

        def begins() -> None:
            for each in beginnings.values():
                each.warm_until = self._clock.after(KEPT)
            ahead.is_decided.set()
            ahead.has_begun.set()

        try:
            yield begins
            begins()
        finally:
            beginning.ahead = None
            ahead.is_decided.set()
            ahead.has_begun.set()

    def _beginnings(self, model: str, schema: Mapping[str, Any], shared: Sequence[str]) -> dict[int, _Beginning]:
        """Return what is known of it up to the end of each part, by how many tokens that are, where it can be kept."""
        digest, letters, found = hashlib.sha256(f"{model}\0{json.dumps(schema)}".encode()), 0, {}
        for part in shared:
            digest.update(f"\0{part}".encode())
            letters += len(part)
            if (tokens := letters // CHARACTERS_A_TOKEN) >= smallest(model):
                name = digest.digest()
                found[tokens] = self._known.setdefault(name, _Beginning())
                self._known.move_to_end(name)
                if len(self._known) > MOST_KNOWN:
                    self._known.popitem(last=False)
        return found

    def _is_warm(self, beginning: _Beginning) -> bool:
        return beginning.warm_until is not None and self._clock.monotonic() < beginning.warm_until

    async def _wait(self, ahead: _Ahead, tokens: int, latest: Monotonic) -> None:
        """Return once the answer to the one ahead begins, or it has failed; sooner where too few wait for it."""
        ahead.waiting += 1
        if ahead.waiting * tokens >= self._worth:
            ahead.is_decided.set()
        if not ahead.is_decided.is_set():
            await until_or_event(self._clock, min(self._clock.after(GATHERING), latest), ahead.is_decided)
        if ahead.is_decided.is_set() and not ahead.has_begun.is_set():
            await until_or_event(self._clock, latest, ahead.has_begun)
