"""Which database is meant, in the environment or by ``--db``: a file of SQLite, or an address of PostgreSQL."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from engine.errors import Misconfigured, StoreError
from engine.store.address import as_libpq_reads_it, fault_in, is_postgres, place_of
from engine.store.archive import Archive
from engine.store.port import Store
from engine.store.sqlite import SqliteStore
from engine.store.sqlite import archive as sqlite
from engine.store.sqlite.claim import is_claimed
from engine.store.sqlite.identity import real_path


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    url: str = field(repr=False)
    """With its password."""

    def __str__(self) -> str:
        return place_of(self.url)


Database: TypeAlias = Path | PostgresAddress


def database_named(said: str, where: str = "TOWOW_DB") -> Database:
    """Return the database that a setting names."""
    if fault := fault_in(said):
        raise Misconfigured([f"{where} {fault}"])
    return PostgresAddress(as_libpq_reads_it(said)) if is_postgres(said) else Path(said)


def folder_beside(database: Database) -> Path:
    """Return where files lie that belong to it, unless somebody says another place."""
    return database.parent if isinstance(database, Path) else Path()


def store_in(database: Database) -> Store:
    """Make the store of a database, which is not open yet."""
    if isinstance(database, Path):
        return SqliteStore(database)
    check_installed()
    from engine.store.postgres import PostgresStore

    return PostgresStore(database.url)


def archive_of(database: Database) -> Archive:
    if isinstance(database, Path):
        return sqlite.Archive(database)
    check_installed()
    from engine.store.postgres.archive import PostgresArchive

    return PostgresArchive(database.url)


def is_used(database: Database) -> bool:
    """Whether a ToWow runs on it; no, where that cannot be told."""
    if isinstance(database, Path):
        return is_claimed(real_path(database))
    try:
        check_installed()
        from engine.store.postgres.archive import facts

        return facts(database.url).processes > 0
    except (StoreError, Misconfigured):
        return False


def check_installed() -> None:
    """Check that what speaks with PostgreSQL is installed."""
    try:
        import psycopg  # noqa: F401
        import psycopg_pool  # noqa: F401
    except ImportError as error:
        raise Misconfigured(
            ["TOWOW_DB is PostgreSQL's, for which more has to be installed: pip install 'towow[postgres]'"]
        ) from error
