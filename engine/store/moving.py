"""What is taken along where all of a store goes from one database to another, of whatever kind.

What processes agree by is not: nobody holds anything while a store is moved, and what was spent is in its records.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol

from engine.errors import StoreUnusable

Row = tuple[Any, ...]

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "streams": (
        "id", "enterprise_id", "team_id", "stream", "protocol", "version", "chain", "is_open", "shown", "unshown",
        "stalled_at", "outbox", "owes", "parked",
    ),
    "events": (
        "position", "stream", "seq", "event_type", "at", "public", "private", "salt", "private_digest", "digest",
        "chain",
    ),
    "inbox": ("stream", "command_id", "refusal"),
    "alarms": ("stream", "name", "generation", "due"),
    "records": ("enterprise_id", "team_id", "kind", "key", "value"),
    "purged": ("id", "position", "events"),
}  # fmt: skip
"""Tables and columns by the names that they have in every database."""


class Source(Protocol):
    """A store that nobody uses while it is read."""

    def rows(self, table: str) -> AsyncIterator[Row]:
        """Yield all rows of a table, with the columns of `TABLES`."""


class Target(Protocol):
    """A store that is empty until all of it is there."""

    async def fill(self, table: str, rows: AsyncIterator[Row]) -> int:
        """Write all rows of a table; return how many."""

    async def verify(self) -> None:
        """Check the chain of every stream that was moved."""


def rewritten(stream: str) -> StoreUnusable:
    return StoreUnusable(f"The events of {stream} are not those that were written; restore a backup first.")


async def _nothing() -> None:
    pass


async def move(
    source: AbstractAsyncContextManager[Source],
    target: AbstractAsyncContextManager[Target],
    beside: Callable[[], Awaitable[object]] = _nothing,
) -> Mapping[str, int]:
    """Copy all of a store, and check the chain of each stream where it is then; return how many rows each table has.

    The target keeps all of it when its context ends without an error, and else nothing. The source stays as it is.

    Args:
        beside: takes along what is kept beside a store; the target keeps nothing where this fails.

    Raises:
        StoreError: the source is in use, the target is not empty, or what would be there is not what was written.
    """
    moved = {}
    async with source as read, target as written:
        for table in TABLES:
            moved[table] = await written.fill(table, read.rows(table))
        await written.verify()
        await beside()
    return moved
