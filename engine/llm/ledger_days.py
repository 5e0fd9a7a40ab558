"""Keeps the ledger small: what was called on days long past becomes one row for each stream and day.

Nothing that is told of costs changes by it: calls, tokens and money stay exact, by day, stream, prompt and model.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from engine.errors import StoreError
from engine.kernel import Millis, Tenant
from engine.llm.ledger import KIND, Call, StoreLedger, key_at
from engine.llm.spending import Entry, Spending, by_group, spending
from engine.store.port import Store

log = logging.getLogger(__name__)

DAY: Final[Millis] = 86_400_000
PAGE: Final = 1_000
"""Rows read at once."""


class Line(BaseModel):
    """What one prompt has cost with one model."""

    model_config = ConfigDict(frozen=True)

    prompt: str
    model: str
    calls: int
    input_tokens: int
    cache_write_tokens: int
    cache_read_tokens: int
    output_tokens: int
    cost_usd: Decimal
    unpriced: int
    """Calls whose model has no price in our table."""


class DaySum(BaseModel):
    """All calls of one stream on one day, in UTC."""

    model_config = ConfigDict(frozen=True)

    is_sum: Literal[True] = True
    at: Millis
    """When the day began."""
    tenant: Tenant
    stream: str
    charged_to: str
    lines: tuple[Line, ...]


_ROW: Final[TypeAdapter[Call | DaySum]] = TypeAdapter(Call | DaySum)


def entries_in(row: str) -> Iterator[Entry]:
    """Yield what a row of the ledger says, whether it is of one call or of a day."""
    read = _ROW.validate_json(row)
    if isinstance(read, Call):
        yield read.entry
        return
    for each in read.lines:
        spent = Spending(
            each.calls,
            each.input_tokens,
            each.cache_write_tokens,
            each.cache_read_tokens,
            each.output_tokens,
            each.cost_usd,
            each.unpriced,
        )
        yield Entry(read.at, read.tenant, read.stream, read.charged_to, each.prompt, each.model, spent)


async def entries_since(store: Store, tenant: Tenant, since: Millis = 0) -> AsyncIterator[Entry]:
    """Yield what was spent from the day of ``since`` on, in UTC."""
    async for _, row in _rows(store, tenant, _day_of(since)):
        for entry in entries_in(row):
            yield entry


async def spent_on(store: Store, tenant: Tenant, stream: str, since: Millis) -> Spending:
    """Return what a stream has cost since it began, with what others have cost that it pays for."""
    mentions = f'"{stream}"'  # most rows are of others, and need not be read
    found: list[Entry] = []
    async for _, row in _rows(store, tenant, _day_of(since)):
        if mentions in row:
            found += (each for each in entries_in(row) if each.charged_to == stream)
    return spending(found)


async def sum_up(store: Store, before: Millis) -> int:
    """Sum up the calls of all days that had ended at a time; return how many rows that were of calls are gone.

    The calls of one stream and day go in the same transaction in which their sum is written: at any time each call is
    counted once.
    """
    gone, end = 0, _day_of(before)
    for tenant in await store.tenants():
        day: dict[str, str] = {}
        of: Millis = 0
        async for key, row in _rows(store, tenant, 0):
            if _day_of(_at(key)) != of:
                gone += await _summed(store, tenant, day)
                day, of = {}, _day_of(_at(key))
            if of >= end:
                break
            day[key] = row
        gone += await _summed(store, tenant, day)
    return gone


class SummedLedger:
    """Sums up, behind the calls that it keeps, what is older than so many days: once a day on which there are calls.

    Args:
        days: for which each call keeps a row of its own.
    """

    def __init__(self, ledger: StoreLedger, store: Store, days: int) -> None:
        self._ledger = ledger
        self._store = store
        self._days = days
        self._summed_on: Millis = 0
        self._summing: asyncio.Task[None] | None = None

    def record(self, call: Call) -> None:
        self._ledger.record(call)
        if _day_of(call.at) > self._summed_on and (self._summing is None or self._summing.done()):
            self._summed_on = _day_of(call.at)
            self._summing = asyncio.create_task(self._sum_up(call.at - self._days * DAY))

    async def close(self) -> None:
        """Write what is left; what is not summed up by now is so another time."""
        if self._summing is not None:
            self._summing.cancel()
            await asyncio.gather(self._summing, return_exceptions=True)
        await self._ledger.close()

    async def _sum_up(self, before: Millis) -> None:
        try:
            gone = await sum_up(self._store, before)
        except StoreError as error:
            log.error("the ledger's old calls are summed up another day: %s", error)
        else:
            log.info("the ledger has summed up %d old calls", gone)


async def _summed(store: Store, tenant: Tenant, rows: Mapping[str, str]) -> int:
    """Write the sums of one day's rows in their place."""
    calls = [key for key in rows if not _is_sum(key)]
    if not calls:
        return 0
    keys: dict[str, list[str]] = {}
    entries: dict[str, list[Entry]] = {}
    for key, row in rows.items():
        for entry in entries_in(row):
            entries.setdefault(entry.stream, []).append(entry)
            keys.setdefault(entry.stream, []).append(key)
    for stream, found in entries.items():
        if all(_is_sum(key) for key in keys[stream]):
            continue
        summed = _sum_of(found)
        gone: dict[str, str | None] = dict.fromkeys(keys[stream])
        await store.put_records(tenant, KIND, gone | {_sum_key(summed): summed.model_dump_json()})
    return len(calls)


def _sum_of(entries: Iterable[Entry]) -> DaySum:
    """Return the sum of what one stream has spent on one day."""
    found = list(entries)
    lines = by_group(found, lambda each: (each.prompt, each.model))
    return DaySum(
        at=_day_of(found[0].at),
        tenant=found[0].tenant,
        stream=found[0].stream,
        charged_to=found[0].charged_to,
        lines=tuple(_line(prompt, model, spent) for (prompt, model), spent in sorted(lines.items())),
    )


def _line(prompt: str, model: str, spent: Spending) -> Line:
    return Line(
        prompt=prompt,
        model=model,
        calls=spent.calls,
        input_tokens=spent.input,
        cache_write_tokens=spent.cache_write,
        cache_read_tokens=spent.cache_read,
        output_tokens=spent.output,
        cost_usd=spent.usd,
        unpriced=spent.unpriced,
    )


def _sum_key(summed: DaySum) -> str:
    return f"{key_at(summed.at)}-sum-{summed.stream}"


def _is_sum(key: str) -> bool:
    return key.split("-", 2)[1] == "sum"


def _at(key: str) -> Millis:
    return int(key.partition("-")[0])


async def _rows(store: Store, tenant: Tenant, since: Millis) -> AsyncIterator[tuple[str, str]]:
    """Yield the rows from a time on, each with its key, the oldest first."""
    after = key_at(since)
    while page := await store.records(tenant, KIND, limit=PAGE, after=after):
        for row in page.items():
            yield row
        *_, after = page


def _day_of(at: Millis) -> Millis:
    return at - at % DAY


def day_of(entry: Entry) -> date:
    """Return the day on which it was spent, in UTC."""
    return datetime.fromtimestamp(entry.at / 1000, UTC).date()
