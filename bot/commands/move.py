"""``towow move``: takes all of a store from a file to PostgreSQL, or back."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Final

from bot.commands.subcommand import FINE, Subcommand, database_argument
from bot.databases import Database, check_installed
from bot.installations_file import installations_beside
from bot.oauth_config import NOT_INSTALLED, is_installed
from engine.errors import Misconfigured
from engine.store.moving import Source, Target, move
from engine.store.sqlite import moving as sqlite


async def carried(source: Database, target: Database) -> Mapping[str, int]:
    """Copy everything, and return how many rows each table has."""
    if isinstance(source, Path) and not installations_beside(source).is_file():
        return await move(_from(source), _to(target))  # of one workspace: what others need may not be installed
    if not is_installed():
        raise Misconfigured([f"{source} may have installations, and {NOT_INSTALLED}"])
    from bot.slack.oauth.moving import move_installations

    return await move(_from(source), _to(target), partial(move_installations, source, target))


def _from(database: Database) -> AbstractAsyncContextManager[Source]:
    if isinstance(database, Path):
        return sqlite.moved_from(database)
    check_installed()
    from engine.store.postgres.moving import moved_from

    return moved_from(database.url)


def _to(database: Database) -> AbstractAsyncContextManager[Target]:
    if isinstance(database, Path):
        return sqlite.moved_to(database)
    check_installed()
    from engine.store.postgres.moving import moved_to

    return moved_to(database.url)


def _add_arguments(parser: ArgumentParser) -> None:
    parser.set_defaults(is_quiet=True)
    parser.add_argument("source", metavar="FROM", type=database_argument, help="a file, or an address of PostgreSQL")
    parser.add_argument(
        "target", metavar="TO", type=database_argument, help="a file that is not there, or an empty database"
    )


def _run(options: Namespace) -> int:
    moved = asyncio.run(carried(options.source, options.target))
    kept = f"{moved['streams']} streams with {moved['events']} events, and {moved['records']} records"
    print(f"{options.target} has all that is in {options.source}: {kept}; every digest is what it has to be.")
    print(f"{options.source} is as it was: name the other one in TOWOW_DB, and let no ToWow run on this one any more.")
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
