"""``towow backup``: a copy of the database, also while ToWow runs on it."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from bot.commands.subcommand import FINE, Subcommand, add_database, file_of
from bot.config import read_workers
from bot.installations_file import back_up_installations
from engine.store.sqlite.archive import Archive


def back_up(database: Path, to: Path) -> str:
    """Copy the database, and say in a sentence what was kept."""
    Archive(database).back_up(to)
    installations = back_up_installations(database, to)
    counts = Archive(to).counts()
    kept = f"{counts['streams']} streams with {counts['events']} events"
    beside = f" {installations} has the installations of workspaces, their tokens encrypted." if installations else ""
    return f"{to}: {kept}.{beside} To bring it back, stop ToWow and use `towow restore`."


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("to", metavar="TO", type=Path, help="a file that is not there yet")
    add_database(parser)


def _run(options: Namespace) -> int:
    database = file_of(options.db, "pg_dump --format=custom")
    print(back_up(database, options.to))
    sessions = read_workers(os.environ, database).sessions
    if sessions.is_dir():
        print(f"What was made for deliveries is not in it: copy {sessions} beside it.")
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
