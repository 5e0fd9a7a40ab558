"""What processes that use one store at once agree by: who keeps what, and whose turn it is.

A process joins as a *member*, and says again and again that it is there. Whatever it holds is its own for as long, and
nobody else can take it. A member whose time is over stays gone: a process that was stopped for a while and goes on
finds that its name means nothing any more, and joins under another one.

A store that one process has to itself has none of this: `Store.sharing` is None there.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple, Protocol

from engine.kernel import Millis, StreamKey, Tenant

FORGOTTEN_AFTER: Final[Millis] = 86_400_000
"""Of members that hold nothing, and of lines whose turns are over, nothing is kept for longer."""


class Purse(NamedTuple):
    """What may be spent of something, by all members together."""

    tenant: Tenant
    name: str
    """``kind/2026-11-24/whose`` for what may be spent on one day; ``kind//stream`` for as long as a stream takes."""
    cap: Decimal


class Lacking(NamedTuple):
    """Why nothing was reserved."""

    place: int
    """Of the first purse in which too little is left, among those that were asked for."""
    may_come: bool
    """Whether enough would be left in all of them, should whatever is reserved cost nothing."""


class Sharing(Protocol):
    """Every time is taken by one clock, that of the store; every method is one atomic step, and may raise
    `StoreError`."""

    async def join(self, millis: Millis) -> str:
        """Become a member for so long; return a name that nobody had before."""

    async def heartbeat(self, member: str, millis: Millis) -> Sequence[StreamKey] | None:
        """Stay a member for so long from now on; 0 to leave.

        Returns:
            What others have asked for since the last time, of all that it holds; None where its time was over before.
        """

    async def hold(self, key: StreamKey, member: str) -> bool:
        """Hold something, unless another member does: then note that it was asked for, which that one is told.

        Args:
            key: a stream, or a name of one's own beside the streams of the tenant.

        Raises:
            LeaseLost: the time of this member is over.
        """

    async def let_go(self, key: StreamKey, member: str) -> bool:
        """Hold something no longer.

        Returns:
            False where somebody has asked for it since the last heartbeat, and it is held still: there is something to
            look at. To let go what is not held is no error.
        """

    async def orphans(self, limit: int) -> Sequence[StreamKey]:
        """What members held whose time is over, and who did not let it go: work that somebody else goes on with."""

    async def book(self, tenant: Tenant, line: str, *, each: float, count: int, after: float = 0.0) -> float:
        """Book so many turns in a row, in a line that all members stand in.

        Args:
            each: milliseconds that one turn takes.
            count: may be 0, to have the line stand still.
            after: milliseconds from now, before which none of them begins, nor any that is booked later.

        Returns:
            Milliseconds from now to the first of them.
        """

    async def news(self, after: int, limit: int) -> tuple[Sequence[StreamKey], int]:
        """Return streams with events that were committed after a place in the order of events, and the next place.

        Args:
            after: the place; -1 for the end, from where what is committed from now on is read.
        """

    async def reserve(self, purses: Sequence[Purse], amount: Decimal, member: str) -> Lacking | None:
        """Reserve as much in each of some purses, or in none; what a member has reserved ends with it.

        Raises:
            LeaseLost: the time of this member is over.
        """

    async def pay(self, purses: Sequence[Purse], reserved: Decimal, cost: Decimal, member: str) -> None:
        """Count what something has cost in each purse, in place of what was reserved for it."""

    async def fill_in(self, tenant: Tenant, name: str, spent: Decimal) -> None:
        """Say what was spent in a purse before anything was paid from it; where something was, nothing changes."""

    async def forget_over(self, day: str) -> None:
        """Forget what nobody goes by any more: turns that are over, and purses of earlier days.

        Where the store knows streams, purses of streams that have ended before that day are forgotten, too.

        Args:
            day: such as ``2026-11-24``.
        """
