"""Who waits, in the order of their turns: tenants take turns, and so do the demands of each tenant.

However much one tenant asks, whoever comes first in another one waits for one turn of each tenant at most.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, NamedTuple, TypeVar

Waiter = TypeVar("Waiter")


class Whose(NamedTuple):
    tenant: str
    """Whatever names it; empty for what is nobody's."""
    demand: str


class FairLine(Generic[Waiter]):
    def __init__(self) -> None:
        self._tenants: OrderedDict[str, OrderedDict[str, deque[Waiter]]] = OrderedDict()
        """Whose turn it is comes first, on both levels; without those that have nothing waiting."""

    def __len__(self) -> int:
        return sum(len(line) for demands in self._tenants.values() for line in demands.values())

    def __bool__(self) -> bool:
        return bool(self._tenants)

    def __iter__(self) -> Iterator[tuple[Whose, Waiter]]:
        """Yield everybody, in no order that matters."""
        for tenant, demands in self._tenants.items():
            for demand, line in demands.items():
                for each in line:
                    yield Whose(tenant, demand), each

    def add(self, whose: Whose, waiter: Waiter) -> None:
        self._tenants.setdefault(whose.tenant, OrderedDict()).setdefault(whose.demand, deque()).append(waiter)

    def remove(self, whose: Whose, waiter: Waiter) -> bool:
        """Let somebody go; return whether they were there."""
        demands = self._tenants.get(whose.tenant, OrderedDict())
        line = demands.get(whose.demand, deque())
        if waiter not in line:
            return False
        line.remove(waiter)
        if not line:
            del demands[whose.demand]
        if not demands:
            del self._tenants[whose.tenant]
        return True

    @property
    def first(self) -> Waiter:
        """Whose turn it is; there must be somebody."""
        demands = next(iter(self._tenants.values()))
        return next(iter(demands.values()))[0]

    def take(self) -> Waiter:
        """Let go whose turn it is; the next turns are other tenants', and within the tenant other demands'."""
        tenant, demands = next(iter(self._tenants.items()))
        demand, line = next(iter(demands.items()))
        waiter = line[0]
        self.remove(Whose(tenant, demand), waiter)
        if demand in demands:
            demands.move_to_end(demand)
        if tenant in self._tenants:
            self._tenants.move_to_end(tenant)
        return waiter

    def in_turn(self) -> Iterator[tuple[Whose, Waiter]]:
        """Yield everybody in the order of their turns, should nobody else come."""
        tenants = deque((tenant, deque(_in_rotation(demands))) for tenant, demands in self._tenants.items())
        while tenants:
            tenant, waiting = tenants.popleft()
            demand, waiter = waiting.popleft()
            yield Whose(tenant, demand), waiter
            if waiting:
                tenants.append((tenant, waiting))


def _in_rotation(demands: OrderedDict[str, deque[Waiter]]) -> Iterator[tuple[str, Waiter]]:
    lines = deque((demand, iter(line)) for demand, line in demands.items())
    while lines:
        demand, line = lines.popleft()
        for waiter in line:
            yield demand, waiter
            lines.append((demand, line))
            break
