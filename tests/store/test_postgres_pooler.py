"""A pooler between ToWow and PostgreSQL: one that keeps sessions works, any other is refused with the reason."""

import pytest

from bot.commands.doctor import postgres
from bot.commands.findings import Health
from bot.databases import PostgresAddress
from engine.errors import StoreUnusable
from engine.store.postgres import PostgresStore
from tests.postgres import PostgresServer, pooler


@pytest.mark.parametrize("round_robin", [False, True], ids=["newest first", "in turn"])
@pytest.mark.parametrize("size", [20, 1])
async def test_sessions_lent_by_the_transaction_are_refused(
    postgres_server: PostgresServer, size: int, round_robin: bool
) -> None:
    lent = pooler(postgres_server, "transaction", size=size, round_robin=round_robin)
    with lent as url, pytest.raises(StoreUnusable, match="pool_mode = session"):
        await PostgresStore(url).open()


async def test_sessions_lent_by_the_statement_are_refused(postgres_server: PostgresServer) -> None:
    with pooler(postgres_server, "statement") as url, pytest.raises(StoreUnusable, match="pool_mode = session"):
        await PostgresStore(url).open()


async def test_sessions_that_are_kept_do(postgres_server: PostgresServer) -> None:
    with pooler(postgres_server, "session") as url:
        store = PostgresStore(url)
        await store.open()
        assert await store.last_position() >= 0
        await store.close()


def test_doctor_finds_it(postgres_server: PostgresServer) -> None:
    with pooler(postgres_server, "transaction") as url:
        [found] = postgres(PostgresAddress(url))
    assert found.health is Health.BROKEN
    assert "pool_mode = session" in found.said


async def test_a_pooler_that_takes_no_options_is_told(postgres_server: PostgresServer) -> None:
    with pooler(postgres_server, "session") as url, pytest.raises(StoreUnusable, match="ignore_startup_parameters"):
        await PostgresStore(f"{url}?options=-csearch_path%3Dpublic").open()
