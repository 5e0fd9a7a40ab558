"""Where installations are kept: in the PostgreSQL database that has everything, or in a file beside the SQLite one.

Exactly one connection may write and checkpoint ToWow's own SQLite file, and that is the store's.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import BigInteger, Column, MetaData, String, Table, Text, event, inspect, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.databases import Database
from bot.installations_file import installations_beside
from engine.errors import StoreUnavailable

STATE_SECONDS: Final = 600
"""For so long somebody may take to let the app in."""
MAKING: Final = 0x70_77_6F_77
"""The lock of PostgreSQL under which tables are made: two processes that start at once would both try."""
SEALED: Final = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token", "incoming_webhook_url")


class _Installations(AsyncSQLAlchemyInstallationStore):
    """The SDK's, with room for tokens that are encrypted."""

    @classmethod
    def build_installations_table(cls, metadata: MetaData, table_name: str) -> Table:
        return _roomy(super().build_installations_table(metadata, table_name))

    @classmethod
    def build_bots_table(cls, metadata: MetaData, table_name: str) -> Table:
        return _roomy(super().build_bots_table(metadata, table_name))


def _roomy(table: Table) -> Table:
    for name in SEALED:
        if name in table.c:
            table.c[name].type = Text()
    return table


class InstallationDatabase:
    """
    Args:
        towow: the database of everything else.
    """

    def __init__(self, towow: Database, client_id: str) -> None:
        self._file = installations_beside(towow) if isinstance(towow, Path) else None
        self.engine = _postgres(towow.url) if not isinstance(towow, Path) else _sqlite(installations_beside(towow))
        self.installations = _Installations(client_id, self.engine)
        self.states = AsyncSQLAlchemyOAuthStateStore(STATE_SECONDS, self.engine)
        metadata = MetaData()
        self.departures = Table(
            "towow_departures", metadata,
            Column("enterprise_id", String(32), primary_key=True),
            Column("team_id", String(32), primary_key=True),  # empty: the whole organisation
            Column("since", BigInteger, nullable=False),
            Column("purge_at", BigInteger),  # NULL: only paused
        )  # fmt: skip
        self.leases = Table(
            "towow_refreshes", metadata,
            Column("enterprise_id", String(32), primary_key=True),
            Column("team_id", String(32), primary_key=True),
            Column("holder", String(64), nullable=False),
            Column("until", BigInteger, nullable=False),
        )  # fmt: skip
        self.purges = Table(
            "towow_purges", metadata,
            Column("enterprise_id", String(32), primary_key=True),
            Column("team_id", String(32), primary_key=True),
            Column("holder", String(64), nullable=False),
            Column("until", BigInteger, nullable=False),  # then another process may go on with it
        )  # fmt: skip
        self._metadata = (self.installations.metadata, self.states.metadata, metadata)
        self.lasting = (self.installations.installations, self.installations.bots, self.departures)
        """What is left of it when no process runs."""

    async def open(self) -> None:
        """Open the database, and make its tables."""
        with reaching():
            if self._file is not None:
                os.close(os.open(self._file, os.O_CREAT | os.O_RDWR, 0o600))  # nobody else's to read
            async with self.engine.begin() as connection:
                if self._file is None:
                    await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MAKING})
                for each in self._metadata:
                    await connection.run_sync(each.create_all)

    async def is_there(self) -> bool:
        """Return whether anything was kept there; nothing is made."""
        if self._file is not None and not self._file.is_file():
            return False
        name = self.installations.bots.name
        with reaching():
            async with self.engine.connect() as connection:
                return await connection.run_sync(lambda each: inspect(each).has_table(name))

    async def close(self) -> None:
        await self.engine.dispose()

    async def forget_old_states(self, now: Any) -> None:
        """Delete those of people who have not come back."""
        table = self.states.oauth_states
        with reaching():
            async with self.engine.begin() as connection:
                await connection.execute(table.delete().where(table.c.expire_at < now))


@contextmanager
def reaching() -> Iterator[None]:
    """Turn errors of the database of installations into ours.

    Raises:
        StoreUnavailable: where the database cannot be reached. It says nothing of what was to be written.
    """
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise StoreUnavailable(
            f"The database of installations did not answer ({type(error).__name__}); try again."
        ) from None


@asynccontextmanager
async def opened(database: InstallationDatabase) -> AsyncIterator[InstallationDatabase]:
    try:
        await database.open()
        yield database
    finally:
        await database.close()


def _sqlite(file: Path) -> AsyncEngine:
    """One connection, and no write-ahead log: a token that was exchanged is in the file itself."""
    engine = create_async_engine(
        f"sqlite+aiosqlite:///{file}", pool_size=1, max_overflow=0, pool_timeout=10, hide_parameters=True
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode = DELETE", "synchronous = FULL", "secure_delete = ON", "busy_timeout = 5000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def _postgres(address: str) -> AsyncEngine:
    scheme, _, rest = address.partition("://")
    driver = "postgresql+psycopg" if scheme in ("postgres", "postgresql") else scheme
    return create_async_engine(
        f"{driver}://{rest}", pool_size=2, max_overflow=2, pool_pre_ping=True, hide_parameters=True
    )
