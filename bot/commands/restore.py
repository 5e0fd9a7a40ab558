"""``towow restore``: brings a backup into the place of the database, and puts aside what is there."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.commands.subcommand import FINE, Subcommand, add_database, file_of
from bot.installations_file import restore_installations
from bot.protocol_row import Protocol
from engine.kernel import iso
from engine.store.sqlite.restore import Restored, restore


def told(backup: Path, database: Path, restored: Restored, protocols: Sequence[Protocol]) -> Iterator[str]:
    """Say in sentences what is there now, and where that is which was there before."""
    counted = {
        each.descriptions.plural: restored.streams.get(each.name, 0)
        for each in protocols
        if each.descriptions.public_payload is not None
    }
    streams = ", ".join(f"{count} {plural}" for plural, count in counted.items())
    until = f", until {iso(restored.until)}" if restored.until is not None else ""
    yield f"{database} is restored from {backup}: {streams}; {restored.events} events{until}."
    if restored.put_aside is None:
        yield "Nothing was there before."
    else:
        yield f"What was there before is in {restored.put_aside}; nothing of it was deleted."
    yield "When ToWow starts, it looks for posts that the backup does not know before it posts anything."


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("backup", metavar="FILE", type=Path, help="what `towow backup` has made")
    add_database(parser)


def _run(options: Namespace) -> int:
    database = file_of(options.db, "pg_restore into a new, empty database,")
    for line in told(options.backup, database, restore(options.backup, database), options.protocols):
        print(line)
    if restore_installations(options.backup, database):
        print(
            "The installations of workspaces are brought back, too. Where a token was exchanged since, "
            "ToWow has to be installed again."
        )
    return FINE


COMMAND: Final = Subcommand(_run, _add_arguments)
