"""What goes wrong between us and PostgreSQL, a pooler among it."""

import asyncio
from collections.abc import Iterator
from urllib.parse import urlencode

import psycopg
import pytest

from bot.commands.doctor import postgres
from bot.commands.findings import Health
from bot.databases import PostgresAddress
from engine.errors import StoreError, StoreUnavailable, StoreUnusable
from engine.store.postgres import PostgresStore
from engine.store.postgres.schema import IN_USE, NEWEST
from tests.postgres import GUARDED, PASSWORD, USER, PostgresServer, pooler

from .words import MEETUP, said, step


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


async def refusal(url: str) -> StoreError:
    with pytest.raises(StoreError) as refused:
        await PostgresStore(url).open()
    assert PASSWORD not in str(refused.value)
    return refused.value


async def test_a_wrong_password_is_told(postgres_server: PostgresServer) -> None:
    refused = await refusal(postgres_server.url(user=GUARDED, password=f"not-{PASSWORD}"))

    assert isinstance(refused, StoreUnusable)
    assert "refuses the user or the password; correct them in TOWOW_DB" in str(refused)


async def test_a_missing_password_is_told(postgres_server: PostgresServer) -> None:
    refused = await refusal(postgres_server.url(user=GUARDED))

    assert isinstance(refused, StoreUnusable)
    assert "asks for a password" in str(refused)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nosuch": "1"}, "an option that PostgreSQL does not know"),
        ({"sslmode": "mandatory"}, "an option whose value PostgreSQL does not know"),
        ({"options": "-cnosuch=1"}, "does not know a setting in the options"),
        ({"sslmode": "require"}, "takes no TLS"),
    ],
)
async def test_options_that_cannot_work_are_no_reason_to_wait(
    postgres_server: PostgresServer, options: dict[str, str], said: str
) -> None:
    url = postgres_server.url()
    refused = await refusal(f"{url}{'&' if '?' in url else '?'}{urlencode(options)}")

    assert isinstance(refused, StoreUnusable)
    assert said in str(refused)


async def test_a_missing_database_is_told(postgres_server: PostgresServer) -> None:
    refused = await refusal(postgres_server.url("nothing"))

    assert isinstance(refused, StoreUnusable)
    assert "has no such user or database" in str(refused)


async def test_a_user_who_may_make_no_tables_is_told(postgres_server: PostgresServer) -> None:
    """PostgreSQL 15 lets nobody but the owner make tables in the schema that is there at first."""
    refused = await refusal(postgres_server.url(user=GUARDED, password=PASSWORD))

    assert isinstance(refused, StoreUnusable)
    assert "let it own the database" in str(refused)


async def test_a_server_that_is_not_there_may_come(postgres_server: PostgresServer) -> None:
    refused = await refusal(f"postgresql://{USER}:{PASSWORD}@127.0.0.1:1/towow")

    assert isinstance(refused, StoreUnavailable)
    assert str(refused).startswith("The store 127.0.0.1:1/towow does not answer; it goes on by itself when it does")


@pytest.fixture
def ascii_url(postgres_server: PostgresServer) -> Iterator[str]:
    with psycopg.connect(postgres_server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        yield postgres_server.url("bytes")
        connection.execute("DROP DATABASE bytes")


async def test_a_database_without_unicode_is_told(ascii_url: str) -> None:
    refused = await refusal(ascii_url)

    assert isinstance(refused, StoreUnusable)
    assert "keeps texts as SQL_ASCII; create the database with ENCODING 'UTF8' TEMPLATE template0" in str(refused)


@pytest.mark.parametrize(
    ("version", "advice"),
    [(NEWEST + 1, "run the ToWow that wrote it, or a newer one"), (NEWEST - 1, "run `towow migrate`")],
    ids=["newer", "older"],
)
async def test_another_schema_is_told_and_left_as_it_is(postgres_url: str, version: int, advice: str) -> None:
    store = PostgresStore(postgres_url)
    await store.open()
    await store.close()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE towow_schema SET version = %s", (version,))

        refused = await refusal(postgres_url)
        assert isinstance(refused, StoreUnusable)
        assert advice in str(refused)
        assert connection.execute("SELECT version FROM towow_schema").fetchone() == (version,)


async def test_a_table_of_another_program_is_told(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE events (id integer)")

    refused = await refusal(postgres_url)
    assert isinstance(refused, StoreUnusable)
    assert "has tables of another program; give ToWow a database, or a schema, of its own" in str(refused)


async def test_nobody_uses_it_while_all_of_it_is_changed(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s, hashtext(current_schema()))", (IN_USE,))

        refused = await refusal(postgres_url)
        assert isinstance(refused, StoreUnavailable)
        assert "is being migrated or moved just now" in str(refused)


async def test_a_text_that_the_tables_refuse_fails_alone(postgres_url: str) -> None:
    """JSON has no such character in it, so nothing of ours is refused."""
    store = PostgresStore(postgres_url)
    await store.open()
    try:
        with pytest.raises(ValueError, match="The store cannot keep this"):
            await store.commit(step(MEETUP, 0, [said("a zero: \0")]))
        await store.commit(step(MEETUP, 0, [said()], refusal="IllegalStep: a zero: \0"))
        stream = await store.load(MEETUP)
    finally:
        await store.close()
    assert stream is not None
    assert stream.commands == {"command-at-0": "IllegalStep: a zero: \N{REPLACEMENT CHARACTER}"}


async def test_several_processes_make_the_tables_at_once(postgres_url: str) -> None:
    stores = [PostgresStore(postgres_url) for _ in range(4)]
    try:
        await asyncio.gather(*(store.open() for store in stores))
        await asyncio.gather(*(store.put_records(MEETUP.tenant, "kind", {"key": "{}"}) for store in stores))
    finally:
        await asyncio.gather(*(store.close() for store in stores))


async def test_two_towows_have_a_schema_each_in_one_database(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    with postgres_server.schema() as other_url:
        first, second = PostgresStore(postgres_url), PostgresStore(other_url)
        await first.open()
        await second.open()
        try:
            await first.commit(step(MEETUP, 0, [said()]))
            assert await second.load(MEETUP) is None
        finally:
            await first.close()
            await second.close()
