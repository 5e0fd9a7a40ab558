"""``towow migrate``: brings a database to the schema of this ToWow."""

import asyncio
import sqlite3
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from bot.commands.subcommand import FINE, Subcommand, add_database
from bot.databases import Database, check_installed
from engine.errors import StoreUnusable
from engine.store.sqlite import SqliteStore
from engine.store.sqlite import database as sqlite
from engine.store.sqlite.identity import real_path


class Standing(NamedTuple):
    """Which schema a database has, and what would be done with it."""

    version: int
    """0 where there is nothing yet."""
    steps: Sequence[str]
    """To the newest, in the words of their files."""


def standing(database: Database) -> Standing:
    """Return the database's schema version, and the steps that lead to the newest."""
    if isinstance(database, Path):
        return Standing(
            version := _version_of_file(database), _steps(Path(sqlite.__file__), sqlite.MIGRATIONS[version:])
        )
    check_installed()
    from engine.store.postgres import schema
    from engine.store.postgres.archive import facts

    version = facts(database.url).schema
    if version > schema.NEWEST:
        raise StoreUnusable(f"{database} has schema {version}, and this ToWow knows up to {schema.NEWEST}.")
    return Standing(version, _steps(Path(schema.__file__), schema.MIGRATIONS[version:]))


def _version_of_file(path: Path) -> int:
    if not path.is_file():
        raise StoreUnusable(f"There is no store {path}; say where it is.")
    with closing(sqlite3.connect(sqlite.read_only(real_path(path)), uri=True, isolation_level=None)) as connection:
        return sqlite.check_version(connection, path)


def _steps(beside: Path, names: Sequence[str]) -> list[str]:
    """What the first line of each file says of it."""
    return [beside.with_name(name).read_text("utf-8").partition("\n")[0].removeprefix("-- ") for name in names]


async def _bring_up_to_date(database: Database) -> None:
    if isinstance(database, Path):
        store = SqliteStore(database)
        await store.open()  # which does it
        await store.close()
        return
    from engine.store.postgres.schema import bring_up_to_date

    await bring_up_to_date(database.url)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done; also while ToWow runs")
    add_database(parser)


def _run(options: Namespace) -> int:
    found = standing(options.db)
    newest = found.version + len(found.steps)
    if not found.steps:
        print(f"{options.db} has schema {newest}, which is this ToWow's; nothing is to be done.")
        return FINE
    print(f"{options.db} has schema {found.version}; this ToWow has {newest}.")
    for step in found.steps:
        print(f"- {step}")
    if options.dry_run:
        print("Nothing was changed. Make a backup, stop every ToWow that uses it, and leave --dry-run out.")
        return FINE
    asyncio.run(_bring_up_to_date(options.db))
    print("It is done, all of it.")
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
