"""What led to streams is deleted of those that are over, and of no others, however many there are."""

from pathlib import Path

import pytest

from bot.tracing.forgetting import PAGE, everything_is_over, forget_causes
from engine.kernel import StreamKey, Tenant
from engine.store.port import TRACES, Store
from engine.store.postgres import PostgresStore
from engine.store.sqlite import SqliteStore

ACME, BEES = Tenant("T_ACME"), Tenant("T_BEES")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "towow.db")
    return PostgresStore(request.getfixturevalue("postgres_url"))


async def test_those_of_streams_that_are_over_go_and_others_stay(store: Store) -> None:
    await store.open()
    try:
        for tenant in (ACME, BEES):
            await store.put_records(tenant, TRACES, {f"stream-{n:04}": '"00-1-2-01"' for n in range(PAGE + 3)})
        await store.put_records(ACME, "vote", {"stream-0001": "{}"})

        async def is_over(key: StreamKey) -> bool:
            return key.tenant == ACME and key.stream != "stream-0002"

        await forget_causes(store, is_over)

        assert [*await store.records(ACME, TRACES)] == ["stream-0002"]
        assert len(await store.records(BEES, TRACES)) == PAGE + 3
        assert [*await store.records(ACME, "vote")] == ["stream-0001"]
        await forget_causes(store, everything_is_over)
        assert await store.records(BEES, TRACES) == {}
        assert [*await store.records(ACME, "vote")] == ["stream-0001"]
    finally:
        await store.close()
