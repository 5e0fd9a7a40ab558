"""Finds a stored stream by the name that people know, for ``towow export`` and ``towow replay``."""

from argparse import ArgumentParser
from collections.abc import Sequence

from bot.commands.subcommand import add_database, text
from bot.protocol_row import Protocol
from engine.errors import Misconfigured, UnknownStream
from engine.store.archive import Archive
from engine.store.port import Stream


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
