"""The benchmark of deliveries carries out what it measures."""

from pathlib import Path

from benchmarks import delivery
from benchmarks.delivery import AT_ONCE, TICKETS, WORK_SECONDS


async def test_a_delivery_of_stubs_is_carried_out_with_eight_workers_at_once(tmp_path: Path) -> None:
    store, model, workers = delivery.CountingStore(tmp_path / "towow.db"), delivery.StubManager(), _quick()
    async with delivery.engine(store, model, workers) as runtime:
        await delivery.carry_out(runtime, 1)
        state, _ = await runtime.read(delivery.key_of(0))

    delivery.check(state, workers.most)
    assert model.calls == 2 * TICKETS + 1
    assert 0 < store.commits <= 3 * TICKETS + 2
    assert {len(each.attempts) for each in state.tickets.values()} == {1}


def test_the_critical_path_is_the_longest_chain_s() -> None:
    longest = len(range(0, TICKETS, AT_ONCE))

    assert delivery.critical_path() == longest * WORK_SECONDS


def _quick() -> delivery.StubWorkers:
    return delivery.StubWorkers(0)
