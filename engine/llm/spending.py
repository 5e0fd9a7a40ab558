"""Adds up what calls were, what they cost, and what was read from the provider's cache."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import astuple, dataclass
from decimal import Decimal
from typing import Self, TypeVar

from engine.kernel import Millis, Tenant
from engine.llm.prices import Tokens

Group = TypeVar("Group", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Spending:
    """Of some calls. Tokens are counted by what they cost: ``input`` was neither written to a cache nor read there."""

    calls: int = 0
    input: int = 0
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    usd: Decimal = Decimal()
    """Of the calls whose model has a price in our table."""
    unpriced: int = 0
    """Calls whose model has none: what they cost is not known, and not in ``usd``."""

    @property
    def sent(self) -> int:
        return self.input + self.cache_write + self.cache_read

    @property
    def cache_share(self) -> float:
        """The part of what was sent that was read from the cache, from 0 to 1."""
        return self.cache_read / self.sent if self.sent else 0.0

    @property
    def tokens(self) -> Tokens:
        return Tokens(self.input, self.output, self.cache_write, self.cache_read)

    def plus(self, other: Self) -> Self:
        return type(self)(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class Entry:
    """What a prompt of a stream has cost with one model: by one call, or by all of a day."""

    at: Millis
    """When the call was sent; of a day, its beginning."""
    tenant: Tenant
    stream: str
    """Empty for calls that were for none."""
    charged_to: str
    """The stream whose budget pays."""
    prompt: str
    model: str
    spent: Spending


def spending(entries: Iterable[Entry]) -> Spending:
    total = Spending()
    for each in entries:
        total = total.plus(each.spent)
    return total


def by_group(entries: Iterable[Entry], group: Callable[[Entry], Group]) -> dict[Group, Spending]:
    """Return what each group has spent, the dearest first."""
    found: dict[Group, Spending] = {}
    for each in entries:
        name = group(each)
        found[name] = found.get(name, Spending()).plus(each.spent)
    return dict(sorted(found.items(), key=lambda each: (-each[1].usd, -each[1].sent, str(each[0]))))
