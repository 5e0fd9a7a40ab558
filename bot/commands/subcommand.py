"""How a command of ``towow`` is declared, and what several share, such as how a stream is found by its name."""

import argparse
import codecs
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.api_config import HIGHEST_PORT
from bot.config import DATABASE
from bot.databases import Database, database_named
from bot.protocol_row import Protocol
from bot.terminal import plain_json, stop_printing
from engine.errors import Misconfigured, UnknownStream
from engine.store.address import fault_in
from engine.store.archive import Archive
from engine.store.port import Stream

FINE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2


class CommandFailed(Exception):
    """A command cannot do what it was told. The message is printed, and the command exits with `BAD_INPUT`."""


def _none(_: ArgumentParser) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Subcommand:
    """What one command of ``towow`` does."""

    run: Callable[[Namespace], int]
    """Returns the exit code. Besides the arguments it is given the table of protocols, as ``protocols``."""
    add_arguments: Callable[[ArgumentParser], None] = _none
    """Finds the table among the parser's defaults."""
    is_service: bool = False
    """Whether it logs what happens. A command for people logs only what goes wrong, unless it is asked to."""


def text(argument: str) -> str:
    """Refuse arguments that are not text in the terminal's encoding: they cannot be sent to Slack."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("this is not text in the terminal's encoding") from None
    return argument


def port(argument: str) -> int:
    if not (argument.isdecimal() and int(argument) <= HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{argument!r} is no port; take one from 1 to {HIGHEST_PORT}, or 0 for any")
    return int(argument)


def add_database(parser: ArgumentParser) -> None:
    """Add ``--db``, of a command that waits for nothing but its database, and says nothing of that itself."""
    default = os.environ.get("TOWOW_DB") or DATABASE
    shown = "TOWOW_DB" if fault_in(default) else database_named(default)
    parser.add_argument("--db", type=database_argument, metavar="FILE", default=default, help=f"{shown} when left out")
    parser.set_defaults(is_quiet=True)


def database_argument(said: str) -> Database:
    """Return the database that an argument of the command line names."""
    if fault := fault_in(said):  # `argparse` would print what was said
        raise argparse.ArgumentTypeError(f"the database of TOWOW_DB, or of the command line, {fault}")
    return database_named(said)


def file_of(database: Database, instead: str) -> Path:
    """Return the file of a database that is one.

    Args:
        instead: what does it with PostgreSQL.

    Raises:
        CommandFailed: it is no file.
    """
    if isinstance(database, Path):
        return database
    how = "docs/operations.md says how, with no password that others could read"
    raise CommandFailed(f"{database} is PostgreSQL's: use {instead}; {how}.")


def print_json(value: Any) -> None:
    """Print one JSON object on stdout, in characters that its encoding has."""
    is_unicode = codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name.startswith("utf")
    try:
        print(plain_json(json.dumps(value, ensure_ascii=not is_unicode)), flush=True)
    except BrokenPipeError:
        stop_printing()


def add_stream(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="DEMAND_ID", type=text, help="d-… or collab-…")
    parser.add_argument("--team", default="", metavar="ID", help="whose it is, where several workspaces have one")
    add_database(parser)


def found(archive: Archive, protocols: Sequence[Protocol], name: str, team: str = "") -> Stream:
    """Args:
    name: of a stream, or of what it is about, as its protocol names that.
    team: whose it is, where several workspaces have one of this name.
    """
    names = dict.fromkeys([name, *(each.descriptions.stream_named(name) for each in protocols)])
    keys = [key for each in names for key in archive.find(each) if team in ("", key.tenant.team_id)]
    if not keys:
        raise UnknownStream(f"There is nothing called {name} in this store.")
    if len(keys) > 1:
        teams = ", ".join(key.tenant.team_id for key in keys)
        raise UnknownStream(f"Several workspaces have a {name}; say whose with --team: {teams}.")
    stored = archive.load(keys[0])
    if stored is None:
        raise UnknownStream(f"There is nothing called {name} in this store any more: its workspace was just deleted.")
    return stored


def protocol_of(stored: Stream, protocols: Sequence[Protocol]) -> Protocol:
    """Return the protocol whose stream this is."""
    for each in protocols:
        if each.name == stored.protocol:
            return each
    raise Misconfigured([f"{stored.key.stream} is of the protocol {stored.protocol!r}, which this ToWow does not know"])
