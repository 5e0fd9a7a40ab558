"""Holds what models may cost: a call is made only where its price is left, at the most that it can be.

What a call may cost is reserved before it is made, so that calls at the same time do not spend the same money. The
ledger is what counts: a process that starts again reads there what was spent, and a reservation ends with its process.
Where several processes share a store, they reserve there.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from engine.errors import BudgetSpent
from engine.kernel import Millis, StreamKey, Tenant
from engine.llm.ledger import NO_TENANT
from engine.llm.ledger_days import day_of, entries_since
from engine.llm.sharing import LOOK_EVERY, SharedPurses
from engine.llm.spending import Spending, dearest_cost
from engine.runtime.clock import Clock, Monotonic, until_or_event
from engine.store.port import Store
from engine.store.sharing import Lacking, Purse

NOTHING: Final = Decimal()

RequesterOf = Callable[[StreamKey], Awaitable[str]]
"""Returns the user for whom a stream is; empty where nobody knows."""


class Scope(StrEnum):
    """What a budget is for."""

    DEMAND = "demand"
    """One negotiation with all that is searched for it, one argued plan, or one delivery, however long it takes."""
    PERSON = "person"
    """All that one person has asked for, on one day."""
    WORKSPACE = "workspace"
    """All that a workspace has asked for, on one day."""
    DAY = "day"
    """Everything, on one day."""


@dataclass(frozen=True, slots=True)
class Caps:
    """US dollars; None: no bound. Days are in UTC."""

    demand: Decimal | None = None
    person: Decimal | None = None
    workspace: Decimal | None = None
    day: Decimal | None = None

    @property
    def any(self) -> bool:
        return any(self.of(each) is not None for each in Scope)

    def of(self, scope: Scope) -> Decimal | None:
        match scope:
            case Scope.DEMAND:
                return self.demand
            case Scope.PERSON:
                return self.person
            case Scope.WORKSPACE:
                return self.workspace
            case Scope.DAY:
                return self.day


class Account(NamedTuple):
    """Who pays for a call. What is empty pays nothing: a call for no stream counts towards the day alone."""

    tenant: Tenant = NO_TENANT
    stream: str = ""
    person: str = ""


class _Purse(NamedTuple):
    """What one cap is held against."""

    scope: Scope
    day: date | None
    tenant: Tenant | None = None
    name: str = ""
    """Of the stream or the person."""

    def shared(self, cap: Decimal) -> Purse:
        """Return it as all processes know it."""
        return Purse(self.tenant or NO_TENANT, f"{self.scope}/{self.day or ''}/{self.name}", cap)


class Budget:
    """
    Args:
        caps: without any, nothing is held up and nothing is counted.
        shared: where several processes reserve; None for one.
    """

    def __init__(self, clock: Clock, caps: Caps | None = None, shared: SharedPurses | None = None) -> None:
        self.caps = caps or Caps()
        self._shared = shared
        self._clock = clock
        self._spent: dict[_Purse, Decimal] = {}
        self._held: dict[_Purse, Decimal] = {}
        self._today: date | None = None
        self._settled = asyncio.Event()
        """Set once a call has ended, and replaced."""
        self.refused: Counter[Scope] = Counter()
        """Calls that were not made, since this process started."""

    def spent_today(self) -> Decimal:
        """Return what all calls of this day have cost; 0 where nothing is held to the day.

        Where processes share a store: its own calls, and those that were in the ledger when it started.
        """
        return self._spent.get(_Purse(Scope.DAY, self._day()), NOTHING)

    async def restore(self, store: Store, requester_of: RequesterOf) -> None:
        """Read what was spent before this process started."""
        if not self.caps.any:
            return
        today = self._day()
        since = 0 if self.caps.demand is not None else _start_of(today)
        for tenant in {*await store.tenants(), NO_TENANT}:
            requesters: dict[str, str] = {}
            async for entry in entries_since(store, tenant, since):
                is_today = day_of(entry) == today
                if is_today and self.caps.person is not None and entry.charged_to not in requesters:
                    requesters[entry.charged_to] = await requester_of(StreamKey(tenant, entry.charged_to))
                account = Account(tenant, entry.charged_to, requesters.get(entry.charged_to, ""))
                for purse in self._purses(account):
                    if is_today or purse.day is None:
                        self._spent[purse] = self._spent.get(purse, NOTHING) + charged(entry.spent)

    @asynccontextmanager
    async def reserved(self, account: Account, most: Decimal, until: Monotonic) -> AsyncIterator["Reservation"]:
        """Enter once ``most`` is left, and keep it until the call has ended: what it has cost then counts instead.

        Where it is left only if others that are under way cost less than they might, wait for them.

        Args:
            until: when to give up waiting for others.

        Raises:
            BudgetSpent: it is not left.
            StoreError: it cannot be reserved where processes share a store.
        """
        purses = tuple(self._purses(account))
        while (lacking := await self._reserve(purses, most)) is not None:
            if not lacking.may_come or self._clock.monotonic() >= until:
                scope = purses[lacking.place].scope
                self.refused[scope] += 1
                raise BudgetSpent(_MESSAGES[scope])
            look = until if self._shared is None else min(until, self._clock.after(LOOK_EVERY))
            await until_or_event(self._clock, look, self._settled)
        reservation = Reservation()
        for purse in purses:
            self._held[purse] = self._held.get(purse, NOTHING) + most
        try:
            yield reservation
        finally:
            for purse in purses:
                self._release(purse, most, reservation.cost)
            self._settled.set()
            self._settled = asyncio.Event()
            if self._shared is not None and purses:
                await self._shared.pay(self._as_shared(purses), most, reservation.cost)

    async def _reserve(self, purses: tuple[_Purse, ...], most: Decimal) -> Lacking | None:
        """Return why so much is not left; None where it is, and was reserved where processes share a store."""
        if self._shared is None or not purses:
            place = self._lacking(purses, most)
            return None if place is None else Lacking(place, self._may_come(purses, most))
        before = [self._spent.get(each, NOTHING) for each in purses]
        return await self._shared.reserve(self._as_shared(purses), before, most)

    def _as_shared(self, purses: tuple[_Purse, ...]) -> list[Purse]:
        return [each.shared(self.caps.of(each.scope) or NOTHING) for each in purses]

    def _release(self, purse: _Purse, most: Decimal, cost: Decimal) -> None:
        left = self._held[purse] - most
        if left:
            self._held[purse] = left
        else:
            del self._held[purse]
        if cost:
            self._spent[purse] = self._spent.get(purse, NOTHING) + cost

    def _lacking(self, purses: tuple[_Purse, ...], most: Decimal) -> int | None:
        """Return the place of the purse that has less than this left, with what others may still cost."""
        for place, purse in enumerate(purses):
            if self._left(purse) - self._held.get(purse, NOTHING) < most:
                return place
        return None

    def _may_come(self, purses: tuple[_Purse, ...], most: Decimal) -> bool:
        """Whether so much would be left, should all calls that are under way cost nothing."""
        return all(self._left(each) >= most for each in purses)

    def _left(self, purse: _Purse) -> Decimal:
        return (self.caps.of(purse.scope) or NOTHING) - self._spent.get(purse, NOTHING)

    def _purses(self, account: Account) -> Iterator[_Purse]:
        today = self._day()
        if self.caps.demand is not None and account.stream:
            yield _Purse(Scope.DEMAND, None, account.tenant, account.stream)
        if self.caps.person is not None and account.person:
            yield _Purse(Scope.PERSON, today, account.tenant, account.person)
        if self.caps.workspace is not None and account.tenant != NO_TENANT:
            yield _Purse(Scope.WORKSPACE, today, account.tenant)
        if self.caps.day is not None:
            yield _Purse(Scope.DAY, today)

    def _day(self) -> date:
        """Return the day that it is, in UTC; forget what was spent on earlier ones."""
        today = datetime.fromtimestamp(self._clock.now() / 1000, UTC).date()
        if today != self._today:
            self._today = today
            self._spent = {purse: usd for purse, usd in self._spent.items() if purse.day in (None, today)}
        return today


class Reservation:
    """What one call may cost."""

    def __init__(self) -> None:
        self.cost = NOTHING
        """US dollars: what it has cost, once that is known."""


def charged(spent: Spending) -> Decimal:
    """Return what counts against a budget: where a model's price is unknown, that of the dearest model."""
    return spent.usd + dearest_cost(spent.tokens) if spent.unpriced == spent.calls else spent.usd


def _start_of(day: date) -> Millis:
    return round(1000 * datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


_MESSAGES: Final = {
    Scope.DEMAND: "What this may cost is spent.",
    Scope.PERSON: "What the demands of this person may cost today is spent.",
    Scope.WORKSPACE: "What this workspace may spend today is spent.",
    Scope.DAY: "What may be spent today is spent.",
}
