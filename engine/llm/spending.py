"""Adds calls up: what they were, what they cost, and what was read from the provider's cache."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Self, TypeVar

from engine.llm.ledger import Call

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
        """Tokens of all prompts."""
        return self.input + self.cache_write + self.cache_read

    @property
    def cache_share(self) -> float:
        """The part of what was sent that was read from the cache, from 0 to 1."""
        return self.cache_read / self.sent if self.sent else 0.0

    def with_call(self, call: Call) -> Self:
        return type(self)(
            self.calls + 1,
            self.input + call.input_tokens,
            self.cache_write + call.cache_write_tokens,
            self.cache_read + call.cache_read_tokens,
            self.output + call.output_tokens,
            self.usd + (call.cost_usd or Decimal()),
            self.unpriced + (call.cost_usd is None),
        )


def spending(calls: Iterable[Call]) -> Spending:
    total = Spending()
    for call in calls:
        total = total.with_call(call)
    return total


def by_group(calls: Iterable[Call], group: Callable[[Call], Group]) -> dict[Group, Spending]:
    """Return what each group has spent, the dearest first."""
    found: dict[Group, Spending] = {}
    for call in calls:
        name = group(call)
        found[name] = found.get(name, Spending()).with_call(call)
    return dict(sorted(found.items(), key=lambda each: (-each[1].usd, -each[1].sent, str(each[0]))))
