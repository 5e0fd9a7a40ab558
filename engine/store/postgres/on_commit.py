"""What somebody else writes in the transactions that keep commits."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from engine.store.port import Commit
from engine.store.postgres.database import Connection

Kept = Callable[[], Awaitable[None]]


class OnCommit(Protocol):
    """Writes what has to be committed together with commits, such as the jobs that pay their effects."""

    async def __call__(self, connection: Connection, commits: Sequence[Commit]) -> Kept | None:
        """Write to this connection, in the transaction that keeps these commits.

        It is called once a transaction, with all of its commits that add or drop effects, or set or clear alarms, in
        their order; their streams are locked and their versions checked. What it writes is kept if they are, and else
        it is not: after a failure it is called again, with the same commits or with some of them. Everybody who commits
        waits for it: it is called amid a pipeline, and reads what it asks only once that is over.

        It neither begins, commits, nor rolls back; it takes no lock that whoever holds it may hold while it waits for
        a stream; and it does not keep the connection. What it raises keeps the commits from being kept.

        Returns:
            What is called once they are kept, before anybody is told of it; not where that is not known for certain.
        """
