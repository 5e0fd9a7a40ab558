"""What is summed up of the ledger costs the same as before, by whatever it is told."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import StoreUnavailable
from engine.kernel import Tenant
from engine.llm.ledger import KIND, Call, Outcome, StoreLedger
from engine.llm.ledger_days import DAY, SummedLedger, day_of, entries_since, sum_up
from engine.llm.spending import Entry, Tokens, by_group, cost
from engine.store.memory import MemoryStore
from engine.store.port import Store
from tests.store.conftest import STORES

NOON = 1_795_392_000_000 + DAY // 2
TENANTS = (Tenant("T_ONE"), Tenant("T_TWO"), Tenant(""))

TOLD_BY: Sequence[Callable[[Entry], Hashable]] = (
    lambda each: each.prompt,
    lambda each: each.model,
    day_of,
    lambda each: (each.tenant, each.stream),
    lambda each: (each.tenant, each.charged_to),
    lambda each: (each.prompt, each.model, day_of(each), each.tenant, each.stream),
)


FEW: Final = Tokens(600, 100)


def call(
    at: int = NOON,
    tenant: Tenant = TENANTS[0],
    stream: str = "collab-1",
    model: str = "claude-haiku-5-5",
    prompt: str = "negotiation/respond",
    tokens: Tokens = FEW,
    charged_to: str = "",
) -> Call:
    return Call(
        at=at, tenant=tenant, stream=stream, charged_to=charged_to, prompt=prompt, content_hash="0", model=model,
        attempt=1, outcome=Outcome.ANSWERED, latency_ms=1, input_tokens=tokens.input, output_tokens=tokens.output,
        cache_write_tokens=tokens.cache_write, cache_read_tokens=tokens.cache_read, cost_usd=cost(model, tokens),
    )  # fmt: skip


counts = st.integers(0, 10**6)
calls = st.builds(
    call,
    at=st.integers(NOON - 3 * DAY, NOON + DAY),
    tenant=st.sampled_from(TENANTS),
    stream=st.sampled_from(["collab-1", "collab-2", "plan-1"]),
    model=st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5-20261001", "our-own"]),
    prompt=st.sampled_from(["negotiation/respond", "negotiation/filter"]),
    tokens=st.builds(Tokens, counts, counts, counts, counts),
)


async def keep(store: Store, made: Sequence[Call]) -> None:
    ledger = StoreLedger(store)
    for each in made:
        ledger.record(each)
    await ledger.close()


async def told(store: Store) -> list[dict[Hashable, object]]:
    entries = [entry for tenant in TENANTS async for entry in entries_since(store, tenant)]
    return [{**by_group(entries, group)} for group in TOLD_BY]


async def rows(store: Store) -> int:
    return sum([len(await store.records(tenant, KIND)) for tenant in TENANTS])


async def settle() -> None:
    for _ in range(100):
        await asyncio.sleep(0)


@given(st.lists(calls, max_size=25), st.lists(calls, max_size=10), st.integers(NOON - 2 * DAY, NOON + 2 * DAY))
async def test_nothing_that_is_told_changes(early: list[Call], late: list[Call], before: int) -> None:
    store = MemoryStore()
    await store.open()
    await keep(store, early)
    was = await told(store)
    gone = await sum_up(store, before)
    assert await told(store) == was
    assert gone == sum(each.at < before - before % DAY for each in early)
    assert await sum_up(store, before) == 0, "what is summed up is done with"

    await keep(store, late)  # of a clock that was set back
    was = await told(store)
    await sum_up(store, NOON + 2 * DAY)
    assert await told(store) == was
    kinds = {(each.tenant, each.stream, each.at // DAY) for each in (*early, *late)}
    assert await rows(store) == len(kinds)


@pytest.mark.parametrize("kind", STORES)
async def test_a_day_of_one_demand_is_one_row(kind: str, tmp_path: Path) -> None:
    store = STORES[kind](tmp_path)
    await store.open()
    await keep(store, [call(at=NOON - DAY + n) for n in range(1_200)] + [call(at=NOON)])
    was = await told(store)
    assert await sum_up(store, NOON) == 1_200
    assert await rows(store) == 2
    assert await told(store) == was
    assert [each.spent.calls async for each in entries_since(store, TENANTS[0], NOON)] == [1]
    assert [each.spent.calls async for each in entries_since(store, TENANTS[0], NOON - DAY)] == [1_200, 1]
    await store.close()


async def test_it_is_done_behind_what_is_recorded_once_a_day() -> None:
    store = MemoryStore()
    await store.open()
    await keep(store, [call(at=NOON - 40 * DAY, stream=f"collab-{n % 2}") for n in range(10)])
    ledger = SummedLedger(StoreLedger(store), store, days=30)
    ledger.record(call())
    await settle()
    assert await rows(store) == 3
    await keep(store, [call(at=NOON - 40 * DAY)])
    ledger.record(call(at=NOON + 1))
    await ledger.close()
    assert await rows(store) == 5, "it was looked at on this day already"

    ledger = SummedLedger(StoreLedger(store), store, days=30)
    ledger.record(call(at=NOON + DAY))
    await settle()
    assert await rows(store) == 5
    await ledger.close()


async def test_a_store_that_does_not_answer_costs_no_call(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(MemoryStore):
        async def tenants(self) -> Sequence[Tenant]:
            raise StoreUnavailable("the disk is full")

    store = Refusing()
    await store.open()
    ledger = SummedLedger(StoreLedger(store), store, days=1)
    ledger.record(call())
    await settle()
    await ledger.close()
    assert "another day" in caplog.text
    assert await rows(store) == 1


async def test_what_a_net_that_fills_a_gap_costs_is_told_of_the_net_and_paid_by_whose_gap_it_is() -> None:
    store = MemoryStore()
    await store.open()
    await keep(store, [call(stream="sub-1", charged_to="collab-1"), call()])
    for before in (0, NOON + DAY):
        await sum_up(store, before)
        entries = [each async for each in entries_since(store, TENANTS[0])]
        assert {each.stream: each.charged_to for each in entries} == {"sub-1": "collab-1", "collab-1": "collab-1"}
        assert sum((each.spent.usd for each in entries), Decimal()) == 2 * Decimal("0.00011")
