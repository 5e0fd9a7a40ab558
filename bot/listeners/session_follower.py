"""What keeps files about streams equal to their events."""

from collections.abc import Sequence
from typing import Protocol

from engine.kernel import Event, StreamKey


class SessionFollower(Protocol):
    async def start(self) -> None:
        """Catch up with what has happened while nobody followed."""

    def hear(self, key: StreamKey, events: Sequence[Event]) -> None:
        """Take note of what has happened in a stream, of whatever protocol; write it later."""

    async def close(self) -> None:
        """Write what is left."""
