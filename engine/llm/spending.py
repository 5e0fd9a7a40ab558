"""What calls cost, and what was spent."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Final, Self, TypeVar

from engine.kernel import Millis, Tenant

PRICED_ON: Final = date(2026, 11, 21)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Of one call, by what they cost. ``input`` is what was neither written to nor read from the cache."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def prompt(self) -> int:
        return self.input + self.cache_write + self.cache_read


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, by kind; ``cache_write`` for five minutes."""

    input: Decimal
    output: Decimal
    cache_write: Decimal
    cache_read: Decimal
    long_above: int | None = None
    """Tokens of prompt above which everything costs ``long_factor`` times as much."""
    long_factor: int = 1

    def of(self, tokens: Tokens) -> Decimal:
        """US dollars, exactly."""
        millionths = (
            self.input * tokens.input
            + self.output * tokens.output
            + self.cache_write * tokens.cache_write
            + self.cache_read * tokens.cache_read
        )
        if self.long_above is not None and tokens.prompt > self.long_above:
            millionths *= self.long_factor
        return millionths / 1_000_000


PRICES: Final[Mapping[str, Price]] = MappingProxyType(
    {
        "claude-haiku-5-5": Price(
            Decimal("0.10"), Decimal("0.50"), Decimal("0.125"), Decimal("0.01"), long_above=100_000, long_factor=5
        ),
        "claude-sonnet-5-5": Price(Decimal("2"), Decimal("10"), Decimal("2.50"), Decimal("0.10")),
    }
)
"""By model."""


def cost(model: str, tokens: Tokens) -> Decimal | None:
    """US dollars; None for a model whose price is unknown. A model's name may end in a date."""
    price = _price(model)
    return None if price is None else price.of(tokens)


def dearest_cost(tokens: Tokens) -> Decimal:
    """US dollars, with the dearest of the models that have a price: what is counted where a price is unknown."""
    return max(each.of(tokens) for each in PRICES.values())


def most_cost(model: str, prompt: int, output: int) -> Decimal:
    """Return the US dollars that a call costs at most, of so many tokens, whatever of them is cached."""
    price, kinds = _price(model), (Tokens(prompt, output), Tokens(0, output, cache_write=prompt))
    return max(price.of(each) if price else dearest_cost(each) for each in kinds)


def _price(model: str) -> Price | None:
    return next((each for name, each in PRICES.items() if model == name or model.startswith(f"{name}-")), None)


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
