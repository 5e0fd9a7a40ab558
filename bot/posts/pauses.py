"""Which streams wait for their model. Where several processes share a store, whichever asks a model stores it for the
one that keeps the posts."""

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from engine.kernel import Millis, StreamKey
from engine.llm.port import Pause
from engine.store.port import Store

KIND: Final = "paused"
"""Of the records, by stream: why it waits, as far as another process must know."""

LATE: Final[Millis] = 120_000
"""How long after a pause was to end it is taken for over: the process that knew of it may have ended."""

PausedBy = Callable[[StreamKey], Pause | None]

PauseOf = Callable[[StreamKey], Awaitable[Pause | None]]
"""May raise `StoreError`."""


async def not_paused(key: StreamKey) -> None:
    """For models that answer at once."""


def known_to_one(own: PausedBy) -> PauseOf:
    """Return what one process knows that has the store to itself."""

    async def of(key: StreamKey) -> Pause | None:
        return own(key)

    return of


class SharedPauses:
    """
    Args:
        own: says which streams wait for the model that this process asks.
        now: says what time it is.
    """

    def __init__(self, store: Store, own: PausedBy, now: Callable[[], Millis]) -> None:
        self._store = store
        self._own = own
        self._now = now

    async def tell(self, key: StreamKey) -> None:
        """Store what is true of a stream now."""
        pause = self._own(key)
        row = msgspec.json.encode(pause).decode() if pause else None
        await self._store.put_records(key.tenant, KIND, {key.stream: row})

    async def of(self, key: StreamKey) -> Pause | None:
        """Return why a stream waits, whichever process asks its model."""
        if (own := self._own(key)) is not None:
            return own
        row = (await self._store.records(key.tenant, KIND, key.stream, limit=1)).get(key.stream)
        pause = msgspec.json.decode(row, type=Pause) if row else None
        return pause if pause is not None and self._now() < pause.until + LATE else None
