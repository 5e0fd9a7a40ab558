"""A database that is only looked at: also while processes use it."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import psycopg
from psycopg import Connection

from engine.errors import StoreUnusable
from engine.kernel import StreamKey, Tenant, encode
from engine.store.address import place_of
from engine.store.port import Stream
from engine.store.postgres.database import OPTIONS
from engine.store.postgres.faults import explain
from engine.store.postgres.reads import COUNTED, Row, counted, is_intact, key_of, place, stream_of
from engine.store.postgres.schema import HAS_TABLES, IN_USE, NEWEST, OTHERS, query
from engine.store.postgres.sessions import check_keeps_sessions_at_once

PAGE: Final = 500
"""Records that are read at once."""

_FACTS: Final = """
SELECT current_setting('server_version'),
    current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
    current_setting('max_connections')::integer
"""

_NAMING: Final = """
SELECT enterprise_id, team_id, stream FROM streams
WHERE stream = ANY (%s) OR id IN (
    SELECT stream FROM events
    WHERE EXISTS (SELECT 1 FROM unnest(%s::text[]) AS name WHERE strpos(public, name) > 0 OR strpos(private, name) > 0)
)
ORDER BY id
"""


class Facts(NamedTuple):
    """What is to be known of a database before anything is done with it."""

    server: str
    """The version of PostgreSQL."""
    is_careful: bool
    """Whether what is committed outlasts a crash of the machine."""
    connections: int
    """As many as there may be."""
    schema: int
    """Its version; 0 where there are no tables yet."""
    processes: int
    """That use it now."""


def facts(url: str) -> Facts:
    """Return what can be known of the server without changing it."""
    with _opened(url) as connection:
        check_keeps_sessions_at_once(connection, url)
        ((server, is_careful, connections),) = _all(connection, _FACTS)
        ((has_tables,),) = _all(connection, HAS_TABLES)
        version = _all(connection, "SELECT version FROM towow_schema")[0][0] if has_tables else 0
        ((processes,),) = _all(connection, OTHERS, IN_USE)
    return Facts(server.split()[0], is_careful, connections, version, processes)


class PostgresArchive:
    """Reads without using what it reads. Every method connects anew."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._place = place_of(url)
        version = facts(url).schema
        if version == 0:
            raise StoreUnusable(f"The store {self._place} is empty; its tables are made at the first start.")
        if version != NEWEST:
            raise StoreUnusable(
                f"The store {self._place} has schema {version}, and this ToWow has {NEWEST}; see `towow migrate`."
            )

    def find(self, stream: str) -> list[StreamKey]:
        with _opened(self._url) as connection:
            rows = _all(connection, query("streams_called"), stream)
        return [key_of(enterprise_id, team_id, stream) for enterprise_id, team_id in rows]

    def tenants(self) -> Set[Tenant]:
        return {key.tenant for key in self.streams()}

    def streams(self) -> list[StreamKey]:
        with _opened(self._url) as connection:
            return [key_of(*row) for row in _all(connection, query("streams"))]

    def naming(self, names: Collection[str]) -> list[StreamKey]:
        with _opened(self._url) as connection:
            rows = _all(connection, _NAMING, [*names], [encode(each) for each in names])
        return [key_of(*row) for row in rows]

    def load(self, key: StreamKey) -> Stream | None:
        with _opened(self._url) as connection, connection.transaction():
            found, events, commands, alarms = (
                _all(connection, query(name), *place(key))
                for name in ("find_stream", "events_of_stream", "commands_of_stream", "alarms_of_stream")
            )
        return stream_of(key, found[0], events, dict(commands), alarms) if found else None

    def tenants_of_records(self) -> Sequence[Tenant]:
        found: list[Tenant] = []
        last: tuple[str, str] = ("", "")
        with _opened(self._url) as connection:
            while rows := _all(connection, query("tenant_after"), *last):
                last = rows[0][0], rows[0][1]
                found.append(Tenant(team_id=last[1], enterprise_id=last[0]))
        return found

    def records(self, tenant: Tenant, kind: str) -> Iterator[str]:
        after: str | None = None
        with _opened(self._url) as connection:
            whose = (tenant.enterprise_id, tenant.team_id, kind)
            while page := _all(connection, query("records"), *whose, "", None, None, after, after, PAGE):
                yield from (value for _, value in page)
                after = page[-1][0]

    def verify(self, key: StreamKey) -> bool:
        with _opened(self._url) as connection, connection.transaction():
            found, events = (_all(connection, query(name), *place(key)) for name in ("find_stream", "events_of_stream"))
        return is_intact(key, found[0] if found else None, events)

    def counts(self) -> Mapping[str, int]:
        with _opened(self._url) as connection, connection.transaction():
            return counted([_all(connection, query(name)) for name in COUNTED])


@contextmanager
def _opened(url: str) -> Iterator[Connection[Row]]:
    try:
        with psycopg.connect(url, autocommit=True, **OPTIONS) as connection:
            connection.execute("SET default_transaction_isolation = 'repeatable read'")
            connection.execute("SET default_transaction_read_only = on")
            yield connection
    except psycopg.Error as error:
        raise explain(error, place_of(url)) from error


def _all(connection: Connection[Row], statement: Any, *given: Any) -> list[Row]:
    return connection.execute(statement, given or None).fetchall()
